"""Users into arrays, and how many records each may give (SPEC 6)."""
