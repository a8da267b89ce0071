"""Records as sorted columns on disk: read, cleaned, sorted by day, kept for the next time (DESIGN 2)."""
