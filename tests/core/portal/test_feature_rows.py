"""core.portal.feature_rows: GeoJSON as RFC 7946 wants it, checked by a reading of its own."""

from __future__ import annotations

import json
from typing import Any

import h3
import pytest
import shapely

from core.bundle.data_files import data_files
from core.bundle.public_tables import public_tables
from core.bundle.release_result import Release
from core.portal.feature_rows import feature_rows, row_outlines
from core.quantity import SPEED
from tests.builders import CELLS, make_query, make_release, make_row


def features_of(release: Release) -> dict[str, Any]:
    (public,) = public_tables(data_files(release), SPEED)
    document = json.loads(feature_rows(public, row_outlines(public)))
    assert isinstance(document, dict)
    return document


def faults(document: dict[str, Any]) -> list[str]:
    """What RFC 7946 has against a collection of polygons (sections 3, 3.1.6, 3.2, 4 and 7)."""
    found = ["crs"] if "crs" in document else []
    found += [] if document["type"] == "FeatureCollection" and "coordinates" not in document else ["type"]
    for feature in document["features"]:
        members = feature.keys() == {"type", "properties", "geometry"} and feature["type"] == "Feature"
        found += [] if members and isinstance(feature["properties"], dict) else ["feature"]
        geometry = feature["geometry"]
        polygons = geometry["coordinates"]
        if geometry["type"] == "Polygon":
            polygons = [polygons]
        for polygon in polygons:
            for place, ring in enumerate(polygon):
                found += [] if len(ring) >= 4 and ring[0] == ring[-1] else ["ring"]
                found += (
                    []
                    if bool(shapely.is_ccw(shapely.LinearRing(ring))) is (place == 0)
                    else ["right-hand rule"]
                )
                found += [] if all(abs(x) <= 180 and abs(y) <= 90 for x, y in ring) else ["degrees"]
                found += [] if max(x for x, _ in ring) - min(x for x, _ in ring) < 180 else ["antimeridian"]
    return found


def test_each_row_is_a_feature_with_its_columns() -> None:
    document = features_of(make_release())
    assert faults(document) == []
    told = [feature["properties"] for feature in document["features"]]
    assert [one["slot_start"] for one in told] == ["09:00", "10:00", "09:00", "10:00"]
    assert [one["speed_mean_kmh"] for one in told] == [20.668, 0.5, 31.0, None]
    assert [one["h3_cell"] for one in told] == [CELLS[0], CELLS[0], CELLS[1], CELLS[1]]


@pytest.mark.parametrize("place", [(-17.0, 179.999), (65.0, -179.999)])
def test_a_row_at_the_antimeridian_is_two_polygons(place: tuple[float, float]) -> None:
    cell = h3.latlng_to_cell(*place, 7)
    document = features_of(
        make_release(queries=(make_query(rows=(make_row(cell, 9, mean=1, low=0, high=2, bias_bound=0),)),))
    )
    assert faults(document) == []
    assert document["features"][0]["geometry"]["type"] == "MultiPolygon"


def test_the_check_of_its_own_finds_what_is_wrong() -> None:
    document = features_of(make_release())
    ring = document["features"][0]["geometry"]["coordinates"][0]
    document["crs"] = {}
    ring.reverse()
    document["features"][1]["geometry"]["coordinates"][0][1][0] += 200
    assert {"crs", "right-hand rule", "degrees", "antimeridian"} <= set(faults(document))
