"""Cells with their centre in a polygon, against exact rational arithmetic over every cell around."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import h3
import pytest
import shapely
from h3.api import basic_int
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.selection import polygon_cells
from core.selection.geojson import PolygonRings
from core.selection.polygon_cells import cells_in
from tests.geojson import box, ring
from tests.records import assert_tells

Corner = tuple[float, float]
RESOLUTION = 7
CITY = (72.83, 21.17)
"""Longitude, latitude."""
REACH = 0.06
"""Degrees: how far the small polygons stretch from their middle."""


def rings_of(shell: Sequence[Sequence[float]], *holes: Sequence[Sequence[float]]) -> PolygonRings:
    shell_ring, *hole_rings = [tuple((lon, lat) for lon, lat in ring(corners)) for corners in (shell, *holes)]
    return PolygonRings(where="b.geojson", shell=shell_ring, holes=tuple(hole_rings))


def inside_ring(point: Corner, corners: Sequence[Corner]) -> int:
    """1 inside, 0 on the edge, -1 outside: by counting crossings without any rounding."""
    x, y = map(Fraction, point)
    inside = False
    for start, end in itertools.pairwise(corners):
        (x1, y1), (x2, y2) = ((Fraction(a), Fraction(b)) for a, b in (start, end))
        turn = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
        within = min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2)
        if turn == 0 and within:
            return 0
        if (y1 > y) != (y2 > y) and (turn > 0) == (y2 > y1):
            inside = not inside
    return 1 if inside else -1


def is_inside(cell: int, rings: PolygonRings) -> bool:
    latitude, longitude = basic_int.cell_to_latlng(cell)
    point = (longitude, latitude)
    return inside_ring(point, rings.shell) >= 0 and all(inside_ring(point, hole) <= 0 for hole in rings.holes)


def around(longitude: float, latitude: float, rings: int, resolution: int) -> list[int]:
    return list(basic_int.grid_disk(basic_int.latlng_to_cell(latitude, longitude, resolution), rings))


def expected(rings: PolygonRings, candidates: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(cell for cell in candidates if is_inside(cell, rings)))


def check(rings: PolygonRings, candidates: Sequence[int], resolution: int = RESOLUTION) -> None:
    """Found is exactly what lies inside; nothing inside is the refusal."""
    wanted = expected(rings, candidates)
    if wanted:
        assert cells_in([rings], resolution, where="b.geojson") == wanted
    else:
        with pytest.raises(InputError, match="No hexagon"):
            cells_in([rings], resolution, where="b.geojson")


CITY_CELLS = around(*CITY, 8, RESOLUTION)


@st.composite
def polygons(draw: st.DrawFn) -> PolygonRings:
    """Star-shaped rings around a middle, now and then with corners on centres of cells, and a hole."""
    lon, lat = CITY
    turns = sorted(draw(st.sets(st.integers(0, 719), min_size=3, max_size=12)))
    shell = []
    for turn in turns:
        reach = draw(st.floats(0.002, REACH))
        angle = math.radians(turn / 2)
        corner = (lon + reach * math.cos(angle), lat + reach * math.sin(angle))
        if draw(st.integers(0, 3)) == 0:
            cell = h3.latlng_to_cell(corner[1], corner[0], RESOLUTION)
            corner = h3.cell_to_latlng(cell)[::-1]
        shell.append(corner)
    hole = box(lon - 0.03, lat - 0.02, lon + 0.02, lat + 0.03)
    rings = rings_of(shell, hole) if draw(st.booleans()) else rings_of(shell)
    if not shapely.is_valid(shapely.Polygon(rings.shell, rings.holes)):
        return rings_of(hole)
    return rings


@given(rings=polygons(), tile_cells=st.sampled_from((1, 7, 512)))
def test_a_cell_is_in_when_its_centre_is(rings: PolygonRings, tile_cells: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(polygon_cells, "_TILE_CELLS", tile_cells)
        check(rings, CITY_CELLS)


def test_the_cells_around_hold_every_small_polygon() -> None:
    whole = rings_of(box(CITY[0] - REACH, CITY[1] - REACH, CITY[0] + REACH, CITY[1] + REACH))
    outer = set(around(*CITY, 8, RESOLUTION)) - set(around(*CITY, 7, RESOLUTION))
    assert not any(is_inside(cell, whole) for cell in outer)


@pytest.mark.parametrize("resolution", range(5, 11))
@pytest.mark.parametrize(
    ("longitude", "latitude"),
    [CITY, (-97.74, 30.27), (25.0, 70.0), (-70.0, -53.0), (0.0, 0.0), (179.5, -17.0), (-179.5, 66.0)],
)
def test_every_resolution_everywhere(longitude: float, latitude: float, resolution: int) -> None:
    edge = 3 * h3.average_hexagon_edge_length(resolution, unit="km") / 111
    reach = min(edge, 0.5)
    shell = [
        (longitude - reach, latitude - reach / 2),
        (longitude + reach, latitude - reach),
        (longitude, latitude + reach),
    ]
    check(rings_of(shell), around(longitude, latitude, 6, resolution), resolution)


def test_a_cap_around_the_pole() -> None:
    rings = [rings_of(box(west, 88.0, west + 120, 90.0)) for west in (-180.0, -60.0, 60.0)]
    candidates = around(0.0, 90.0, 20, 5)
    wanted = {cell for one in rings for cell in expected(one, candidates)}
    assert set(cells_in(rings, 5, where="b.geojson")) == wanted
    assert 400 < len(wanted) < 1000


def test_overlapping_polygons_are_joined_and_a_cell_comes_once() -> None:
    lon, lat = CITY
    one, other = (rings_of(box(lon - 0.05, lat - 0.05, lon + east, lat + 0.05)) for east in (0.02, 0.05))
    assert cells_in([one, other], RESOLUTION, where="") == cells_in([other], RESOLUTION, where="")


def test_polygons_side_by_side_share_the_centres_on_their_common_edge() -> None:
    lat, lon = h3.cell_to_latlng(h3.latlng_to_cell(CITY[1], CITY[0], RESOLUTION))
    west, east = (
        rings_of(box(lon - 0.05, lat - 0.05, lon, lat + 0.05)),
        rings_of(box(lon, lat - 0.05, lon + 0.05, lat + 0.05)),
    )
    shared = set(cells_in([west], RESOLUTION, where="")) & set(cells_in([east], RESOLUTION, where=""))
    assert basic_int.latlng_to_cell(lat, lon, RESOLUTION) in shared


def test_a_centre_on_the_edge_of_a_hole_is_in_and_inside_it_is_out() -> None:
    lat, lon = h3.cell_to_latlng(h3.latlng_to_cell(CITY[1], CITY[0], RESOLUTION))
    cell = basic_int.latlng_to_cell(lat, lon, RESOLUTION)
    outer = box(lon - 0.05, lat - 0.05, lon + 0.05, lat + 0.05)
    on_edge = rings_of(outer, box(lon, lat - 0.01, lon + 0.01, lat + 0.01))
    within = rings_of(outer, box(lon - 0.001, lat - 0.001, lon + 0.001, lat + 0.001))
    assert cell in cells_in([on_edge], RESOLUTION, where="")
    assert cell not in cells_in([within], RESOLUTION, where="")


@pytest.mark.parametrize(
    ("shell", "holes", "what"),
    [
        ([(0, 0), (1, 1), (1, 0), (0, 1)], (), "self-intersection at longitude 0.5, latitude 0.5"),
        (box(0, 0, 1, 1), (box(3, 3, 4, 4),), "hole lies outside shell at longitude"),
        ([(0, 0), (0, 0), (0, 0)], (), "too few points"),
        ([(0, 0), (1, 0), (2, 0)], (), "not valid"),
    ],
)
def test_a_polygon_that_crosses_itself_is_refused_with_the_place(
    shell: Sequence[Corner], holes: Sequence[Sequence[Corner]], what: str
) -> None:
    with pytest.raises(InputError, match=what) as caught:
        cells_in([rings_of(shell, *holes)], RESOLUTION, where="file")
    assert_tells(caught.value)
    assert caught.value.where == "b.geojson"


def test_a_boundary_without_any_cell_is_refused() -> None:
    sliver = rings_of(box(72.8, 21.1, 72.80001, 21.10001))
    for resolution, polygons_given in ((5, [sliver]), (7, [])):
        with pytest.raises(InputError, match=f"No hexagon of resolution {resolution}") as caught:
            cells_in(polygons_given, resolution, where="b.geojson")
        assert_tells(caught.value)


def test_a_polygon_over_the_date_line_is_refused() -> None:
    with pytest.raises(InputError, match="date line") as caught:
        cells_in([rings_of(box(-179.0, 1.0, 179.0, 2.0))], RESOLUTION, where="b.geojson")
    assert_tells(caught.value)


def test_a_boundary_cut_at_the_date_line_is_whole() -> None:
    parts = [rings_of(box(179.9, -17.0, 180.0, -16.9)), rings_of(box(-180.0, -17.0, -179.9, -16.9))]
    candidates = around(180.0, -16.95, 12, RESOLUTION)
    wanted = {cell for part in parts for cell in expected(part, candidates)}
    assert set(cells_in(parts, RESOLUTION, where="")) == wanted
    assert {h3.cell_to_latlng(h3.int_to_str(cell))[1] > 0 for cell in wanted} == {True, False}


def test_a_huge_polygon_is_refused_early() -> None:
    with pytest.raises(InputError, match="more than 200,000 hexagons") as caught:
        cells_in([rings_of(box(-90.0, -90.0, 90.0, 90.0))], 10, where="b.geojson")
    assert_tells(caught.value)


def test_the_limit_is_on_the_cells_of_all_polygons(monkeypatch: pytest.MonkeyPatch) -> None:
    lon, lat = CITY
    parts = [rings_of(box(lon + shift, lat, lon + shift + 0.1, lat + 0.1)) for shift in (0.0, 0.2)]
    found = cells_in(parts, RESOLUTION, where="")
    monkeypatch.setattr(polygon_cells, "MOST_CELLS", len(found))
    assert cells_in(parts, RESOLUTION, where="") == found
    monkeypatch.setattr(polygon_cells, "MOST_CELLS", len(found) - 1)
    with pytest.raises(InputError, match="more than"):
        cells_in(parts, RESOLUTION, where="")
