"""Widgets that pages are assembled from."""
