"""Hexagons, timeslots and the window (method 3)."""
