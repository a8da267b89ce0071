"""From cells to clean values: times, ids, positions, units, limits, and the ingest report (method 2)."""
