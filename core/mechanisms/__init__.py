"""Mechanisms for the mean of one HAT; one per file (method 6)."""
