"""What a stranger checks of a bundle."""
