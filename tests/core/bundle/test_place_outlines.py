"""Outlines of the zones that have a row."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

from core.bundle.place_outlines import places_geojson
from core.geodata.zone_layer import read_zones
from core.geodata.zones_source import ZonesSource
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
