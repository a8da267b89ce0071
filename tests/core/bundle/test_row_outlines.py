"""core.bundle.row_outlines: rings by the right-hand rule, none across the antimeridian."""

from __future__ import annotations

import h3
import pytest
import shapely

from core.bundle.region_outlines import cell_ring
from core.bundle.row_outlines import GeoPolygon, as_shape, geometry_type, row_outline
from tests.builders import CELLS

FIJI = (-17.0, 179.999)
"""Between two hemispheres."""


def sound(polygons: list[GeoPolygon]) -> bool:
    """Closed rings within the world, outer ones counter-clockwise, holes clockwise."""
    rings = [(ring, place == 0) for polygon in polygons for place, ring in enumerate(polygon)]
    return all(
        ring[0] == ring[-1]
        and bool(shapely.is_ccw(shapely.LinearRing(ring))) is outer
        and all(abs(lon) <= 180 and abs(lat) <= 90 for lon, lat in ring)
        for ring, outer in rings
    )


def test_a_hexagon_is_its_cell() -> None:
    polygons = row_outline([CELLS[0]])
    assert polygons == [[list(cell_ring(CELLS[0]))]]
    assert sound(polygons)
    assert geometry_type(polygons) == as_shape(polygons).geom_type == "Polygon"


def test_a_region_is_the_union_of_its_cells_with_its_holes() -> None:
    middle = h3.latlng_to_cell(21.17, 72.83, 7)
    polygons = row_outline(sorted(h3.grid_ring(middle, 1)))
    assert [len(polygon) for polygon in polygons] == [2]
    assert sound(polygons)
    hole = shapely.Polygon(cell_ring(middle))
    assert shapely.Polygon(polygons[0][1]).area == pytest.approx(hole.area, rel=1e-6)


@pytest.mark.parametrize("rings", [0, 2])
def test_what_lies_on_the_antimeridian_is_cut_there(rings: int) -> None:
    middle = h3.latlng_to_cell(*FIJI, 7)
    cells = sorted(h3.grid_disk(middle, rings))
    polygons = row_outline(cells)
    assert len(polygons) == 2
    assert sound(polygons)
    assert geometry_type(polygons) == as_shape(polygons).geom_type == "MultiPolygon"
    whole = sum(shapely.Polygon(cell_ring(cell)).area for cell in cells)
    assert as_shape(polygons).area == pytest.approx(whole, rel=1e-5)
    sides = {lon for ring in polygons for lon, _ in ring[0]}
    assert min(sides) == -180
    assert max(sides) == 180
    assert row_outline(cells) == polygons
