"""What a layer of zones must be, and what becomes of it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

from core.clean.projections import local_metres
from core.errors import InputError
from core.geodata import zone_layer
from core.geodata.zone_layer import read_zones
from core.geodata.zones import Zones
from core.geodata.zones_source import Overlap, ZonesSource
from tests.bounded import processor_seconds
from tests.geojson import box, feature, polygon, write_geojson
from tests.layer_files import UTM_43, blob_of, write_geopackage

EAST = polygon(box(72.8, 21.1, 72.9, 21.2))
WEST = polygon(box(72.7, 21.1, 72.8, 21.2))
POINT = {"type": "Point", "coordinates": [72.8, 21.1]}
BOW_TIE = polygon([[72.8, 21.1], [72.9, 21.2], [72.9, 21.1], [72.8, 21.2]])


def line(*places: list[float]) -> dict[str, Any]:
    return {"type": "LineString", "coordinates": list(places)}


def zones_in(folder: Path, *zones: tuple[object, dict[str, Any] | None], **source: Any) -> Zones:
    """The zones of a GeoJSON layer with the fields `ward` and `label`."""
    found = [
        feature(shape, {"ward": ward, "label": f"Ward {ward}" if isinstance(ward, str) else None})
        for ward, shape in zones
    ]
    write_geojson(folder / "wards.geojson", {"type": "FeatureCollection", "features": found})
    return read_zones(
        ZonesSource(**{"file": "wards.geojson", "id": "ward", "licence": "CC0-1.0", **source}), folder
    )


def test_zones_are_sorted_by_their_ids_and_a_boundary_is_the_smaller_ones(tmp_path: Path) -> None:
    zones = zones_in(tmp_path, ("b", EAST), (7, WEST), name="label")
    assert zones.ids == ("7", "b")
    assert zones.names == ("7", "Ward b"), "a zone without a name is called by its id"
    assert zones.source.sha256 == hashlib.sha256((tmp_path / "wards.geojson").read_bytes()).hexdigest()
    assert zones.source.licence == "CC0-1.0"
    assert zones.overlaps == ()
    found = zones.locate(np.array([72.75, 72.8, 72.85, 72.95]), np.full(4, 21.15))
    assert found.tolist() == [0, 0, 1, -1]


def test_areas_that_overlap_are_listed_with_their_area(tmp_path: Path) -> None:
    zones = zones_in(tmp_path, ("2", EAST), ("1", polygon(box(72.79, 21.1, 72.81, 21.11))), ("3", WEST))
    assert [(one.first, one.second) for one in zones.overlaps] == [("1", "2"), ("1", "3")]
    assert all(abs(one.square_metres / (1113.2 * 1113.2 * 0.933) - 1) < 0.01 for one in zones.overlaps)
    assert isinstance(zones.overlaps[0], Overlap)


@pytest.mark.parametrize(
    ("zones", "source", "what"),
    [
        ([], {}, "0 zones"),
        ([("1", EAST), (None, WEST)], {}, "Feature 2 of the layer has no id in the field 'ward'"),
        ([("1", EAST), (True, WEST)], {}, "Feature 2 of the layer has no id"),
        ([("1", EAST), ("2", None), ("1 ", WEST)], {}, "Two zones have the id '1': features 1 and 3"),
        ([("1", EAST)], {"id": "no"}, "no field 'no'"),
        ([("a\x1fb", EAST)], {}, "not one line"),
        ([("a" * 81, EAST)], {}, "longer than 80 letters"),
        ([("a" * 80, EAST)], {"name": "label"}, "longer than 80 letters"),
        ([("1", EAST), ("2", BOW_TIE)], {}, "zone '2' is not valid: self-intersection at longitude 72.85"),
        ([("1", None)], {}, "'1' has no geometry"),
        ([("1", {"type": "Polygon", "coordinates": [[[1, 1], [2, 2]]]})], {}, "'1' cannot be read"),
        ([("1", EAST), ("2", POINT)], {}, "'2' is not an area"),
        ([("1", line([72.8, 21.1], [72.9, 21.1]))], {}, "'1' is not an area"),
        ([("1", EAST)], {"buffer_m": 25}, "'1' is not a line"),
        ([("1", polygon(box(272_000, 2_340_000, 273_000, 2_341_000)))], {}, "does not lie on the Earth"),
        ([("1", polygon(box(-179, 21, 179, 22)))], {}, "crosses the date line"),
        ([("1", polygon(box(72.8, 21.1, 72.8 + 1e-9, 21.1 + 1e-9)))], {}, "smaller than a hand"),
        ([("1", line([60, 21], [72, 21]))], {"buffer_m": 25}, "spread over more than 10 degrees"),
    ],
)
def test_a_layer_at_fault_is_refused_by_the_zones_id(
    tmp_path: Path, zones: list[tuple[object, dict[str, Any] | None]], source: dict[str, Any], what: str
) -> None:
    with pytest.raises(InputError, match=what) as caught:
        zones_in(tmp_path, *zones, **source)
    assert caught.value.where.startswith(str(tmp_path / "wards.geojson"))
    assert caught.value.mend


@pytest.mark.parametrize(
    ("bound", "most", "what"),
    [
        ("MOST_ZONES", 1, "2 zones, and a release needs 1 to 1"),
        ("MOST_CORNERS", 9, "more than 9 corners"),
        ("MOST_RINGS", 0, "zone '1' has more than 0 parts and holes"),
        ("_MOST_NEIGHBOURS", 3, "1 pairs may overlap"),
    ],
)
def test_more_than_a_city_has_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str, most: int, what: str
) -> None:
    monkeypatch.setattr(zone_layer, bound, most)
    with pytest.raises(InputError, match=what):
        zones_in(tmp_path, ("1", EAST), ("2", WEST))


def test_a_zone_of_many_strips_is_refused_before_it_is_rounded(tmp_path: Path) -> None:
    """It takes the square of them: 8,000 half a minute, and nobody can stop it."""
    strips = [box(72 + at / 3_000, 21, 72 + (at + 0.5) / 3_000, 22) for at in range(2_500)]
    parts = [polygon(strip)["coordinates"] for strip in strips]
    for shape in (polygon(box(71, 20, 74, 23), *strips), {"type": "MultiPolygon", "coordinates": parts}):
        with processor_seconds(5), pytest.raises(InputError, match="more than 2,000 parts and holes"):
            zones_in(tmp_path, ("1", shape))


def test_a_street_is_as_wide_as_it_is_told_wherever_it_runs(tmp_path: Path) -> None:
    """Along a parallel and across it; where two meet a position belongs to the nearer one."""
    along, across = line([72.8, 21.1], [72.9, 21.1]), line([72.85, 21.05], [72.85, 21.15])
    zones = zones_in(tmp_path, ("across", across), ("along", along), buffer_m=25)
    _, back = local_metres(72.85, 21.1)
    metres = np.array([[3000, 24.5], [3000, 25.5], [-24.5, 3000], [-25.5, 3000], [5, 4], [4, 5], [4, 4]])
    longitude, latitude = back(metres.astype(float)).T
    found = zones.locate(longitude, latitude)
    assert [zones.ids[code] if code >= 0 else "" for code in found[:-1]] == [
        "along", "", "across", "", "along", "across",
    ]  # fmt: skip
    assert zones.overlaps == ()


def test_a_table_of_a_geopackage_in_metres_is_turned_to_degrees(tmp_path: Path) -> None:
    square = shapely.to_wkb(shapely.box(272_000, 2_340_000, 273_000, 2_341_000))
    blob = blob_of(square, 32643)
    write_geopackage(tmp_path / "a.gpkg", {"wards": [(blob, "1")], "old": [(blob, "1")]}, system=UTM_43)
    source = ZonesSource(file="a.gpkg", id="name", table="wards", licence="CC0-1.0")
    zones = read_zones(source, tmp_path)
    assert np.allclose(zones.middles, [[72.81, 21.15]], atol=0.01)
    corners = shapely.get_coordinates(zones.shapes)
    assert (corners == np.round(corners, 7)).all(), "an outline is used as it is published"
