"""Clean records, their zone and the units of their positions: what hexagons and contributions look at."""
