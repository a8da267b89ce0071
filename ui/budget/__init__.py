"""What a release costs each vehicle, what was spent, what is left; limits of a population."""
