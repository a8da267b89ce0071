"""Records as sorted columns on disk: read, cleaned, sorted by day, stored for next time (architecture 3)."""
