"""Randomness enters here and nowhere else (SPEC 11)."""
