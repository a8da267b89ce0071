"""The outline of a boundary as lines for the map. Plain data from a file to the page."""

from __future__ import annotations

from pathlib import Path

from core.selection.geojson import Ring, read_polygons

Line = tuple[tuple[float, float], ...]
"""(latitude, longitude) in degrees, as the page has it."""

MOST_POSITIONS = 20_000
"""More corners than a screen can tell apart; the page would only be slow."""


def outline_of(path: Path) -> tuple[Line, ...]:
    """The rings of a GeoJSON boundary, thinned to about `MOST_POSITIONS`, for the eye only.

    Raises InputError as `read_polygons` does.
    """
    rings = [ring for polygon in read_polygons(path) for ring in (polygon.shell, *polygon.holes)]
    step = -(-sum(map(len, rings)) // MOST_POSITIONS)
    return tuple(_thinned(ring, step) for ring in rings)


def _thinned(ring: Ring, step: int) -> Line:
    """Every so manyth corner; the last position stays, so that the line closes."""
    return tuple((latitude, longitude) for longitude, latitude in (*ring[:-1:step], ring[-1]))
