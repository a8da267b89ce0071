"""Geometry of layers: in metres, mended, cut into tiles, found by where it lies."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from core.geodata.shapes import (
    AREA,
    HALF_WORLD_M,
    LINE,
    POINT,
    UNREADABLE,
    Parts,
    chosen_parts,
    clipped,
    corners,
    from_geojson,
    from_wkb,
    middles,
    parts_of,
    to_lon_lat,
    to_metres,
)
from tests.geojson import box, polygon


def nested(levels: int, head: str, *, beside: bool = False) -> bytes:
    """Collections in one another, a point within the last; beside: and in front of each.

    head: order of bytes and type of a collection, in hexadecimal.
    """
    order, kind = head.split()
    ends = "<" if order == "01" else ">"
    point = struct.pack(f"{ends}2d", 72.8, 21.1)
    point = bytes.fromhex(order) + struct.pack(f"{ends}I", 1) + point
    count = struct.pack(f"{ends}I", 2 if beside else 1) + (point if beside else b"")
    return (bytes.fromhex(order) + struct.pack(f"{ends}I", int(kind, 16)) + count) * levels + point


HEADS = ["01 7", "00 7", "01 4", "01 5", "00 6", "01 FA7", "01 A", "01 B", "01 C"]


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("beside", [False, True])
def test_collections_without_end_are_not_read(head: str, beside: bool) -> None:
    """The library calls itself for each: 100,000 of them ended the program."""
    (found,) = from_wkb([nested(100_000, head, beside=beside)])
    assert found == UNREADABLE


def test_collections_of_people_are_read() -> None:
    given = [
        nested(3, "01 7"),
        nested(3, "00 7", beside=True),
        None,
        b"",
        shapely.to_wkb(shapely.box(0, 0, 1, 1)),
    ]
    given += [
        shapely.to_wkb(shapely.from_wkt(text), flavor=flavor)
        for text in SHAPES
        for flavor in ("iso", "extended")
    ]
    found = from_wkb(given)
    assert found[2] is None
    assert (np.flatnonzero(found == UNREADABLE) == [3]).all()


SHAPES = (
    "MULTIPOLYGON Z (((0 0 1, 1 0 1, 1 1 1, 0 0 1), (0 0 1, 1 0 1, 1 1 1, 0 0 1)))",
    "GEOMETRYCOLLECTION (MULTIPOINT (1 1, 2 2), LINESTRING (1 1, 2 2, 3 3), POLYGON EMPTY)",
    "MULTILINESTRING M ((1 1 5, 2 2 5), (3 3 5, 4 4 5))",
    "MULTIPOINT ZM (1 1 5 6)",
)

LINE_JSON = {"type": "LineString", "coordinates": [[0, 0], [0.2, 0]]}


def parts(*geometries: object) -> Parts:
    return parts_of([from_geojson([json.dumps(one) if one else None for one in geometries])])


@given(st.floats(-180, 180), st.floats(-85, 85))
def test_degrees_and_metres_are_one_another_s_inverse(longitude: float, latitude: float) -> None:
    there = to_metres(np.array([[longitude, latitude]]))
    assert np.abs(there).max() <= HALF_WORLD_M * (1 + 1e-12)
    assert np.allclose(to_lon_lat(there), [[longitude, latitude]], atol=1e-9)


def test_the_poles_are_at_the_edge() -> None:
    assert np.isfinite(to_metres(np.array([[0.0, 90.0], [0.0, -90.0]]))).all()


def test_parts_know_whose_they_are_what_they_are_and_how_large() -> None:
    found = parts({"type": "Point", "coordinates": [1, 1]}, None, LINE_JSON, polygon(box(0, 0, 0.1, 0.1)))
    assert found.owner.tolist() == [0, 2, 3]
    assert found.kind.tolist() == [POINT, LINE, AREA]
    assert found.size.round(-2).tolist() == [0, 22_300, 11_100]
    assert (found.empty, found.unusable, found.mended) == (1, 0, 0)
    assert found.within((-1.0, -1.0, 1.0, 1.0)).tolist() == [1, 2]
    assert parts().box is None
    assert len(chosen_parts(found, found.kind == LINE)) == 1


def test_a_shape_is_cut_to_the_box_and_no_finer_than_is_seen() -> None:
    wavy = {"type": "LineString", "coordinates": [[x / 1000, (x % 2) / 1e6] for x in range(200)]}
    line, area = parts(wavy, polygon(box(-1, -1, 1, 1))).shapes
    shapes, of = clipped(np.array([line, area]), (0.0, 0.0, 5000.0, 5000.0), 10.0)
    assert of.tolist() == [0, 1]
    places, run, owner = corners(shapes)
    assert owner.tolist() == [0, 1]
    assert (run == 0).sum() < 20
    assert places[run == 1].min() == 0
    assert places[run == 1].max() == 5000


def test_rings_follow_their_polygon_the_outer_one_first() -> None:
    ring = polygon(box(0, 0, 1, 1), box(0.2, 0.2, 0.4, 0.4))
    places, run, owner = corners(parts(LINE_JSON, ring, LINE_JSON).shapes)
    assert owner.tolist() == [0, 1, 1, 2]
    outer, hole = (np.ptp(places[run == number][:, 0]) for number in (1, 2))
    assert outer > hole


def test_names_are_written_where_the_shape_is() -> None:
    found = parts(LINE_JSON, polygon(box(0, 0, 2, 2), box(0.5, 0.5, 1.5, 1.5)))
    on_line, in_area = to_lon_lat(middles(found.shapes, found.kind))
    assert np.allclose(on_line, [0.1, 0])
    assert not (0.5 < in_area[0] < 1.5 and 0.5 < in_area[1] < 1.5)


def test_pieces_are_one_layer_and_let_go_of_as_they_are_read() -> None:
    texts = [json.dumps(LINE_JSON), None, json.dumps(polygon(box(0, 0, 1, 1)))]
    pieces = [from_geojson(texts[:2]), from_geojson([]), from_geojson(texts[2:])]
    found = parts_of(pieces)
    assert pieces == []
    assert found.owner.tolist() == [0, 2]
    assert found.empty == 1


@given(st.lists(st.tuples(*[st.integers(-9, 9)] * 4), min_size=1, max_size=20), st.integers(-9, 9))
def test_within_are_those_whose_rectangle_touches(lines: list[tuple[int, int, int, int]], west: int) -> None:
    found = parts(*({"type": "LineString", "coordinates": [one[:2], one[2:]]} for one in lines))
    box_there = (*to_metres(np.array([[west, -3]]))[0], *to_metres(np.array([[west + 2, 4]]))[0])
    touching = shapely.intersects(shapely.envelope(found.shapes), shapely.box(*box_there))
    assert found.within(box_there).tolist() == np.flatnonzero(touching).tolist()
