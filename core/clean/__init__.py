"""From cells to clean values: times, ids, positions, units, limits, and what was read (method 2)."""
