"""The map page in the web engine."""
