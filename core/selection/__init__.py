"""Which HATs a release covers; one rule per file (method 3)."""
