"""Engines: the same contribution table made by one machine, a database or a cluster (architecture 3)."""
