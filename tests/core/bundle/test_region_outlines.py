"""Outlines are the union of cells: holes, islands, orientation, the date line, order."""

from __future__ import annotations

import itertools
import json
from decimal import Decimal

import h3
import pytest

from core.bundle.region_outlines import OutlineRing, outline, regions_geojson
from core.bundle.release_result import PUBLISHED, HatRow

CENTRE = h3.latlng_to_cell(30.27, -97.74, 9)


def area(ring: OutlineRing) -> float:
    """Twice the signed area; above 0 counter-clockwise."""
    (west, south), *_ = ring
    pairs = itertools.pairwise(ring)
    return sum((x - west) * (v - south) - (u - west) * (y - south) for (x, y), (u, v) in pairs)


def test_one_cell_is_its_own_outline() -> None:
    ((ring,),) = outline([CENTRE])
    corners = {(round(lon, 7), round(lat, 7)) for lat, lon in h3.cell_to_boundary(CENTRE)}
    assert set(ring) == corners
    assert ring[0] == ring[-1] == min(corners)


def test_a_ring_of_cells_has_a_hole_and_cells_apart_are_polygons() -> None:
    far = h3.latlng_to_cell(30.40, -97.60, 9)
    found = outline([*h3.grid_ring(CENTRE, 1), far])
    assert sorted(len(polygon) for polygon in found) == [1, 2]
    assert list(found) == sorted(found)
    for outer, *holes in found:
        assert area(outer) > 0
        assert all(area(hole) < 0 for hole in holes)
        for ring in (outer, *holes):
            assert ring[0] == ring[-1] == min(ring)


def test_the_order_of_cells_does_not_matter() -> None:
    cells = h3.grid_disk(CENTRE, 3)
    assert outline(cells) == outline(reversed(cells)) == outline(sorted(cells))
    assert len(outline(cells)[0][0]) - 1 == 6 * 7


@pytest.mark.parametrize("lon", [179.999, -179.999])
def test_a_region_across_the_date_line_is_one_small_polygon(lon: float) -> None:
    cells = h3.grid_disk(h3.latlng_to_cell(-17.0, lon, 9), 3)
    ((ring,),) = outline(cells)
    longitudes = [corner[0] for corner in ring]
    assert max(longitudes) - min(longitudes) < 1
    assert area(ring) > 0


def test_features_say_region_and_hours() -> None:
    rows = [
        HatRow(
            cell=name,
            slot_start="08:00",
            slot_end="16:00",
            status=PUBLISHED,
            epsilon=Decimal(1),
            cells=(CENTRE,),
        )
        for name in ("r002", "r001")
    ]
    document = json.loads(regions_geojson(rows))
    assert [one["properties"]["region"] for one in document["features"]] == ["r001", "r002"]
    assert document["features"][0]["properties"] == {
        "region": "r001",
        "slot_start": "08:00",
        "slot_end": "16:00",
    }
    assert document["features"][0]["geometry"]["type"] == "MultiPolygon"
