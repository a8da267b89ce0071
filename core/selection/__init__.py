"""Which HATs a release covers; one rule per file (SPEC 3)."""
