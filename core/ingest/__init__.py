"""Files of records become clean columns (SPEC 2)."""
