"""Outlines of zones and lines of routes that have a row: written, read again, made simpler."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from core.bundle.place_outlines import (
    MOST_ROW_CORNERS,
    drawn_outlines,
    is_outline,
    lines_geojson,
    places_geojson,
    stated_places,
)
from core.bundle.row_outlines import GeoLine, rings_of
from core.geodata.zone_layer import read_zones
from core.geodata.zones_source import ZonesSource
from core.signed.findings import Finding
from tests.geojson import box, feature, polygon, write_geojson


def test_zones_with_a_row_are_published_with_name_licence_and_outline(tmp_path: Path) -> None:
    zones = [feature(polygon(box(72 + west, 21, 73 + west, 22)), {"ward": str(west)}) for west in (2, 1, 0)]
    write_geojson(tmp_path / "wards.geojson", {"type": "FeatureCollection", "features": zones})
    source = ZonesSource(file="wards.geojson", id="ward", licence="CC0-1.0")
    found = json.loads(places_geojson(read_zones(source, tmp_path), {"2", "0"}))
    assert found["licence"] == "CC0-1.0"
    assert [one["properties"] for one in found["features"]] == [
        {"place_id": "0", "place_name": "0"},
        {"place_id": "2", "place_name": "2"},
    ]
    (ring,) = found["features"][0]["geometry"]["coordinates"]
    assert sum(x * v - u * y for (x, y), (u, v) in pairwise(ring)) == 2, "counter-clockwise"


RING = [[72.0, 21.0], [73.0, 21.0], [73.0, 22.0], [72.0, 21.0]]


@pytest.mark.parametrize(
    ("kind", "coordinates", "sound"),
    [
        ("Polygon", [RING], True),
        ("MultiPolygon", [[RING], [RING, RING]], True),
        ("Polygon", [[RING]], False),
        ("Polygon", [], False),
        ("MultiPolygon", [RING], False),
        ("Polygon", [RING[:-1]], False),
        ("Polygon", [[[72.0, 91.0], *RING[1:-1], [72.0, 91.0]]], False),
        ("Polygon", [[["72", 21.0], *RING[1:]]], False),
        ("Polygon", "RING", False),
        ("LineString", [[72.0, 21.0], [73.0, 21.0]], True),
        ("LineString", [[72.0, 21.0]], False),
        ("Point", [72.0, 21.0], False),
        (None, None, False),
    ],
)
def test_an_outline_is_of_closed_rings_on_the_earth(kind: Any, coordinates: Any, sound: bool) -> None:
    assert is_outline({"type": kind, "coordinates": coordinates}) is sound


def test_lines_are_read_again_as_they_were_written() -> None:
    lines = {"R2": ((72.0, 21.0), (72.5, 21.5)), "R1": ((72.0, 21.0), (72.1, 21.0), (72.2, 21.1))}
    read = stated_places(lines_geojson(lines))
    assert list(read) == ["R1", "R2"]
    assert {label: tuple(outline) for label, (_, outline) in read.items()} == lines
    assert all(name == label and isinstance(outline, GeoLine) for label, (name, outline) in read.items())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"FeatureCollection",', '"FeatureCollection","licence":"CC0-1.0",'),
        ('"FeatureCollection",', '"FeatureCollection","more":1,'),
        ('"place_id":"R1"', '"place_id":"R3"'),
        ('"place_id":"R1"', '"place_id":1'),
        ("21.5", "91.5"),
    ],
    ids=["a licence of lines", "more", "order", "no text", "off the Earth"],
)
def test_what_is_no_file_of_places_is_a_finding(old: str, new: str) -> None:
    content = lines_geojson({"R1": ((72.0, 21.5), (72.5, 21.0)), "R2": ((72.0, 21.0), (72.5, 21.0))})
    stated_places(content)
    assert old.encode() in content
    with pytest.raises(Finding):
        stated_places(content.replace(old.encode(), new.encode()))


def test_outlines_of_many_corners_are_drawn_with_fewer() -> None:
    many = GeoLine((72 + number / 100_000, 21 + number % 2 / 1_000_000) for number in range(20_000))
    outlines = {"R1": many, "R2": GeoLine(((72.0, 21.0), (73.0, 21.0)))}
    assert drawn_outlines(outlines, {"R1": 1, "R2": 1}) is outlines
    rows = {"R1": 100, "R2": 1}
    drawn = drawn_outlines(outlines, rows)
    corners = {place: sum(map(len, rings_of(outline))) for place, outline in drawn.items()}
    assert 2 <= corners["R1"] * 100 <= MOST_ROW_CORNERS
    assert drawn["R2"] == outlines["R2"]
    assert {*drawn["R1"]} <= {*many}, "no corner moves"
    area = [[[(72 + n / 100_000, 21.0) for n in range(20_000)] + [(72.2, 22.0), (72.0, 22.0), (72.0, 21.0)]]]
    (ring,) = rings_of(drawn_outlines({"1": area}, {"1": 100})["1"])
    assert {*ring} == {(72.0, 21.0), (72.19999, 21.0), (72.2, 22.0), (72.0, 22.0)} or len(ring) <= 6
    assert ring[0] == ring[-1]
