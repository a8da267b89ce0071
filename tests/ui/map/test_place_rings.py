"""ui.map.place_rings: a hexagon has one ring, a zone those around each of its parts, a route its line."""

from __future__ import annotations

import h3

from tests.geojson import box
from ui.map.place_rings import drawn_rings, is_route_line

CELL = "8742d9d69ffffff"


def test_rings_of_hexagons_and_zones() -> None:
    assert drawn_rings(CELL, {}) == (h3.cell_to_boundary(CELL),)
    one, other = box(0, 0, 1, 1), box(2, 0, 3, 1)
    hole = box(0.2, 0.2, 0.4, 0.4)
    zones = {
        "a": {"type": "Polygon", "coordinates": [one, hole]},
        "b": {"type": "MultiPolygon", "coordinates": [[one], [other]]},
    }
    turned = tuple((lat, lon) for lon, lat in one)
    assert drawn_rings("a", zones) == (turned,)
    assert len(drawn_rings("b", zones)) == 2


def test_the_line_of_a_route_is_its_corners() -> None:
    line = {"type": "LineString", "coordinates": ((72.8, 21.1), (72.9, 21.2))}
    assert is_route_line(line)
    assert not is_route_line({"type": "Polygon", "coordinates": [box(0, 0, 1, 1)]})
    assert drawn_rings("7", {"7": line}) == (((21.1, 72.8), (21.2, 72.9)),)
