"""Shares of records in public ranges, and percentiles, of a city as a whole (city-release 14)."""
