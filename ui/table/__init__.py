"""Tab *Table*: every HAT, to be sorted, filtered and, as far as it is public, copied."""
