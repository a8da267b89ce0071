"""Qt item models over core data."""
