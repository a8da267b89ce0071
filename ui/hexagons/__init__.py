"""Step *Hexagons*: resolution, timeslot, window, selection."""
