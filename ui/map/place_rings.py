"""The rings that a place is drawn by: a hexagon's one, the outer rings of a zone, or the line of a route."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import h3

from core.charts.map_projection import Corners
from ui.web_map.map_html import Outlines


def drawn_places(places: Sequence[str], outlines: Outlines | None) -> tuple[str, ...]:
    """Those that can be drawn: hexagons, for which there are no outlines, or those that have one."""
    return tuple(place for place in places if outlines is None or place in outlines)


def is_route_line(geometry: Mapping[str, Any]) -> bool:
    """A route's line, in place of an area."""
    return bool(geometry.get("type") == "LineString")


def drawn_rings(place: str, outlines: Outlines) -> tuple[Corners, ...]:
    """Latitude and longitude of the corners; outlines: of places that are no hexagons, none for hexagons."""
    if not outlines:
        return (h3.cell_to_boundary(place),)
    geometry = outlines[place]
    if is_route_line(geometry):
        return (tuple((lat, lon) for lon, lat in geometry["coordinates"]),)
    polygons = geometry["coordinates"]
    if geometry["type"] == "Polygon":
        polygons = [polygons]
    return tuple(tuple((lat, lon) for lon, lat in polygon[0]) for polygon in polygons)
