"""Mechanisms for the mean of one HAT; one per file (SPEC 6)."""
