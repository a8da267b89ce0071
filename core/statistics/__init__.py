"""What can be asked of every HAT: one statistic per file, each with a constant `STATISTIC` (method 7-9)."""
