"""Guesses and dry runs for a person who says how a file is read: for the dialog and `inspect` (method 2)."""
