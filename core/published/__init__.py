"""Published bundles as tables, for anybody: read, compared, written for other tools (method 14.8)."""
