"""Records as sorted columns on disk: read, cleaned, sorted by day, kept for next time (architecture 3)."""
