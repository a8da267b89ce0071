"""What a page draws of a layer, tile by tile, is bounded by its pixels."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.geodata import vector_tiles
from core.geodata.geojson_layer import read_geojson_layer
from core.geodata.shapes import HALF_WORLD_M, Parts, from_geojson, parts_of
from core.geodata.vector_tiles import (
    BITS,
    HOLE,
    OPEN_LINE,
    OUTER_RING,
    PIXELS,
    POINTS,
    UNITS,
    draw_tile,
    names_in,
    tile_box,
)
from tests.geojson import box, feature, polygon, write_geojson

WORLD = (-HALF_WORLD_M, -HALF_WORLD_M, HALF_WORLD_M, HALF_WORLD_M)


@dataclass
class Record:
    kind: int
    places: list[tuple[int, int]]


def records(tile: bytes) -> list[Record]:
    numbers = struct.unpack(f"<{len(tile) // 2}h", tile)
    found, at = [], 0
    while at < len(numbers):
        kind, count = numbers[at : at + 2]
        flat = numbers[at + 2 : at + 2 + 2 * count]
        found.append(Record(kind, list(zip(flat[::2], flat[1::2], strict=True))))
        at += 2 + 2 * count
    assert at == len(numbers)
    return found


def drawn(*geometries: object, zoom: int = 0, column: int = 0, row: int = 0) -> list[Record]:
    parts = parts_of([from_geojson([json.dumps(one) for one in geometries])])
    return records(draw_tile(parts, zoom, column, row))


def test_tiles_share_the_world_out() -> None:
    assert tile_box(0, 0, 0) == pytest.approx(WORLD)
    assert tile_box(1, 1, 0) == pytest.approx((0, 0, HALF_WORLD_M, HALF_WORLD_M))
    assert tile_box(1, 1, 0, UNITS)[0] == pytest.approx(-HALF_WORLD_M)


def test_areas_come_first_with_their_holes_then_lines_then_points() -> None:
    ring = polygon(box(-90, -60, 90, 60), box(-10, -10, 10, 10))
    line = {"type": "LineString", "coordinates": [[-180, 0], [0, 0], [180, 0]]}
    point = {"type": "Point", "coordinates": [0, 0]}
    found = drawn(point, line, ring)
    assert [one.kind for one in found] == [OUTER_RING, HOLE, OPEN_LINE, POINTS]
    assert found[2].places == [(0, 512), (1024, 512)], "what is straight needs no corner"
    assert found[3].places == [(512, 512)]
    assert found[0].places[0] == found[0].places[-1]


def pixels_of(found: list[Record]) -> set[tuple[int, int]]:
    """The pixels that are on, as column and row."""
    (bits,) = [one for one in found if one.kind == BITS]
    numbers = np.array(bits.places, np.int16).reshape(-1).astype("<u2")
    on = np.unpackbits(numbers.view(np.uint8), bitorder="little").reshape(PIXELS, PIXELS)
    return {(int(x), int(y)) for y, x in np.argwhere(on)}


def test_what_is_no_larger_than_a_few_pixels_is_a_block_of_them() -> None:
    tiny = [polygon(box(x / 1e4, 0.6, x / 1e4 + 1e-5, 0.9)) for x in range(100)]
    found = drawn(*tiny)
    assert [one.kind for one in found] == [BITS]
    assert pixels_of(found) == {(128, 127)}
    assert pixels_of(drawn(polygon(box(0.3, 0.5, 2.9, 1.5)))) == {(128, 127), (129, 127), (130, 127)}
    short = {"type": "LineString", "coordinates": [[0.2, 0.2], [0.9, 0.9]]}
    assert pixels_of(drawn(short)) == {(128, 127)}


def test_a_long_line_is_cut_around_its_tile() -> None:
    line = {"type": "LineString", "coordinates": [[-170, 10], [170, 10]]}
    (one,) = drawn(line, zoom=6, column=40, row=30)
    assert one.places[0][0] == -64
    assert one.places[-1][0] == UNITS + 64
    assert drawn(line, zoom=6, column=40, row=3) == []


def many_streets(count: int) -> Parts:
    rng = np.random.default_rng(7)
    starts = rng.uniform(20, 60, (count, 1, 2))
    turns = rng.uniform(-2, 2, (count, 3, 2)).cumsum(axis=1)
    lines = np.concatenate([starts, starts + turns], axis=1).round(3)
    texts = [json.dumps({"type": "LineString", "coordinates": line.tolist()}) for line in lines]
    return parts_of([from_geojson(texts)])


def test_however_many_streets_a_tile_stays_small_and_shows_where_they_are() -> None:
    streets = many_streets(9000)
    tile = draw_tile(streets, 1, 1, 0)
    assert {one.kind for one in records(tile)} == {BITS}
    assert len(tile) == 2 * (2 + PIXELS * PIXELS // 16)
    on = pixels_of(records(tile))
    degrees = [place for shape in streets.shapes[:50] for place in shape.coords]
    west, _, _, north = tile_box(1, 1, 0)
    side = HALF_WORLD_M / PIXELS
    there = [(int((x - west) // side), int((north - y) // side)) for x, y in degrees]
    near = [any((x + dx, y + dy) in on for dx in (-1, 0, 1) for dy in (-1, 0, 1)) for x, y in there]
    assert all(near)
    assert len(on) < PIXELS * PIXELS / 2, "and not where none are"


@pytest.mark.parametrize("tile", [(1, 1, 0), (6, 36, 27)])
def test_parts_are_cut_a_few_at_a_time_and_drawn_as_if_all_at_once(
    monkeypatch: pytest.MonkeyPatch, tile: tuple[int, int, int]
) -> None:
    wards = [json.dumps(polygon(box(x, 21, x + 3, 26), box(x + 1, 22, x + 2, 23))) for x in range(18, 40)]
    for parts in (many_streets(900), parts_of([from_geojson(wards)])):
        whole = draw_tile(parts, *tile)
        assert whole
        with monkeypatch.context() as patch:
            patch.setattr(vector_tiles, "_BLOCK", 7)
            assert draw_tile(parts, *tile) == whole


def test_positions_fit_the_numbers_that_carry_them() -> None:
    coast = [[x / 10, 60 + (x % 3)] for x in range(-1800, 1800)]
    for zoom, column, row in ((0, 0, 0), (3, 4, 2), (20, 1 << 19, 300_000)):
        for one in drawn({"type": "LineString", "coordinates": coast}, zoom=zoom, column=column, row=row):
            assert all(-200 <= number <= UNITS + 200 for place in one.places for number in place)


def test_names_that_would_overlap_give_way_to_larger_ones(tmp_path: Path) -> None:
    def layer(*areas: tuple[float, float, Any]) -> Any:
        shapes = [feature(polygon(box(x, 0, x + side, side)), {"name": name}) for x, side, name in areas]
        path = write_geojson(tmp_path / "a.geojson", {"type": "FeatureCollection", "features": shapes})
        return read_geojson_layer(path, "name")

    features = layer((0, 1, "small"), (0.2, 4, "large"), (60, 1, "far"), (61, 1, None), (100, 1, "small"))
    assert [name for _, _, name in names_in(features, WORLD, 7)] == ["large", "small", "far"]
    assert [name for _, _, name in names_in(features, WORLD, 1)] == ["large", "far"]
    assert names_in(layer((0, 1, None)), WORLD, 2) == []
