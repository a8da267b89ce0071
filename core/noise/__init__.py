"""Randomness enters here and nowhere else (method 11)."""
