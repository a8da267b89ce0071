"""Hexagons, timeslots and the window (SPEC 3)."""
