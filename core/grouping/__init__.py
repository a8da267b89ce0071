"""Users into arrays, and how many records each may give (method 6)."""
