"""The zone of each position is that of shapely's plain questions, one by one."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from core.clean.projections import local_metres
from core.geodata import zones as room
from core.geodata.zones import MiddleLines, Zones
from core.geodata.zones_source import ZonesSource
from core.progress import Cancelled

STEP = 0.01
_places = st.tuples(st.integers(0, 6), st.integers(0, 6))
_positions = st.lists(st.tuples(st.integers(-1, 13), st.integers(-1, 13)), min_size=1, max_size=40)


@pytest.fixture(autouse=True, scope="module")
def _few_squares() -> Iterator[None]:
    """As many as a town of some hundred metres has corners: edges of squares and of zones meet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "_SIDE", 13)
        yield


def _ids(count: int) -> tuple[str, ...]:
    return tuple(f"{number:03}" for number in range(count))


def zones_of(shapes: list[shapely.Geometry], lines: MiddleLines | None = None) -> Zones:
    ids = _ids(len(shapes))
    source = ZonesSource(file="wards.geojson", id="ward", licence="CC0-1.0")
    return Zones(source=source, ids=ids, names=ids, shapes=np.array(shapes, object), lines=lines)


def _around(places: list[tuple[int, int]]) -> shapely.Geometry:
    return shapely.transform(
        shapely.MultiPoint(places).convex_hull, lambda corners: corners * STEP + [72, 21]
    )


def _degrees(positions: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    found = np.array(positions) * STEP / 2 + [72, 21]  # on corners, on edges and between
    return found[:, 0], found[:, 1]


_areas = st.lists(_places, min_size=3, max_size=6).map(_around).filter(lambda shape: shape.area > 0)


@given(st.lists(_areas, min_size=1, max_size=8), _positions, st.integers(1, 5))
def test_a_position_belongs_to_the_first_area_that_holds_it(
    areas: list[shapely.Geometry], positions: list[tuple[int, int]], corner: int
) -> None:
    hole = shapely.box(72, 21, 72 + corner * STEP, 21 + corner * STEP)
    shapes = [one for one in (*areas, areas[0].symmetric_difference(hole)) if not one.is_empty]
    zones = zones_of(shapes)
    longitude, latitude = _degrees(positions)
    expected = [
        next((code for code, shape in enumerate(shapes) if shape.intersects(shapely.Point(x, y))), -1)
        for x, y in zip(longitude, latitude, strict=True)
    ]
    assert zones.locate(longitude, latitude).tolist() == expected
    assert zones.locate(longitude[:1], latitude[:1])[0] == expected[0], "whatever else is asked for"


@given(st.lists(st.lists(_places, min_size=2, max_size=4, unique=True), min_size=1, max_size=6), _positions)
def test_of_streets_the_nearest_line_counts_then_the_smaller_id(
    streets: list[list[tuple[int, int]]], positions: list[tuple[int, int]]
) -> None:
    middle = (72.03, 21.03)
    to_metres, to_degrees = local_metres(*middle)
    degrees = [shapely.LineString(np.array(street) * STEP + [72, 21]) for street in streets]
    lines = [shapely.transform(line, to_metres) for line in degrees]
    broad = [shapely.transform(line.buffer(900), to_degrees) for line in lines]
    zones = zones_of(broad, MiddleLines(shapes=np.array(lines, object), middle=middle))
    zones = pickle.loads(pickle.dumps(zones))  # as it goes to workers
    longitude, latitude = _degrees(positions)
    expected = []
    for x, y in zip(longitude, latitude, strict=True):
        metres = shapely.Point(*to_metres(np.array([[x, y]]))[0])
        holding = [code for code, shape in enumerate(broad) if shape.intersects(shapely.Point(x, y))]
        expected.append(min(holding, key=lambda code: (lines[code].distance(metres), code), default=-1))
    assert zones.locate(longitude, latitude).tolist() == expected


def test_many_zones_upon_each_other_are_looked_at_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_MOST_PAIRS", 16)
    shapes = [shapely.Point(72, 21).buffer(0.03 - 0.001 * number) for number in range(9)]
    x, y = np.meshgrid(np.linspace(71.96, 72.04, 9), np.linspace(20.96, 21.04, 9))
    expected = np.where(shapely.intersects_xy(shapes[0], x, y), 0, -1)
    assert (zones_of(shapes).locate(x.ravel(), y.ravel()) == expected.ravel()).all()


def test_the_search_can_be_stopped_and_takes_what_is_no_position() -> None:
    zones = zones_of([shapely.box(72, 21, 73, 22)])
    assert zones.locate(np.array([np.nan, 72.5, np.inf]), np.array([21.5, 21.5, 21.5])).tolist() == [
        -1,
        0,
        -1,
    ]

    def stop(*_: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        zones.locate(np.array([72.5]), np.array([21.5]), stop)


def test_outlines_and_middles_are_in_degrees() -> None:
    zones = zones_of([shapely.box(72, 21, 73, 22)])
    assert zones.middles.tolist() == [[72.5, 21.5]]
    assert zones.outlines()[0]["coordinates"][0][0] == [73.0, 21.0]
