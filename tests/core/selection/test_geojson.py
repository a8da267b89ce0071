"""Polygons of a GeoJSON file: every shape of document, and what is refused where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.selection import geojson
from core.selection.geojson import PolygonRings, read_polygons
from tests.geojson import box, feature, features, polygon, ring, write_geojson
from tests.records import SECRET, assert_tells

OUTER = box(72.0, 21.0, 73.0, 22.0)
HOLE = box(72.4, 21.4, 72.6, 21.6)
ELSEWHERE = box(10.0, 50.0, 11.0, 51.0)
POINT = {"type": "Point", "coordinates": [72.5, 21.5]}
LINE = {"type": "LineString", "coordinates": [[72.5, 21.5], [72.6, 21.6]]}
MULTI = {"type": "MultiPolygon", "coordinates": [polygon(OUTER, HOLE)["coordinates"], [ring(ELSEWHERE)]]}


def read(folder: Path, document: object) -> tuple[PolygonRings, ...]:
    return read_polygons(write_geojson(folder / "b.geojson", document))


def refused(folder: Path, document: object) -> InputError:
    with pytest.raises(InputError) as caught:
        read(folder, document)
    assert_tells(caught.value)
    assert "b.geojson" in caught.value.where
    return caught.value


def as_lists(rings: PolygonRings) -> list[list[list[float]]]:
    return [[list(position) for position in ring] for ring in (rings.shell, *rings.holes)]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (polygon(OUTER), [[OUTER]]),
        (polygon(OUTER, HOLE), [[OUTER, HOLE]]),
        (MULTI, [[OUTER, HOLE], [ELSEWHERE]]),
        (feature(polygon(OUTER)), [[OUTER]]),
        (features(polygon(OUTER), polygon(ELSEWHERE)), [[OUTER], [ELSEWHERE]]),
        (features(POINT, None, LINE, polygon(OUTER)), [[OUTER]]),
        ({"type": "GeometryCollection", "geometries": [POINT, MULTI]}, [[OUTER, HOLE], [ELSEWHERE]]),
        (
            features({"type": "GeometryCollection", "geometries": [polygon(ELSEWHERE)]}, polygon(OUTER)),
            [[ELSEWHERE], [OUTER]],
        ),
        (features({"type": "Polygon", "coordinates": []}, polygon(OUTER)), [[OUTER]]),
    ],
)
def test_every_kind_of_document_gives_its_polygons(document: object, expected: Any, tmp_path: Path) -> None:
    found = read(tmp_path, document)
    assert [as_lists(rings) for rings in found] == [
        [ring(corners) for corners in corners_of] for corners_of in expected
    ]


def test_heights_and_more_are_dropped(tmp_path: Path) -> None:
    (found,) = read(tmp_path, polygon([[*corner, 12.5, 7] for corner in OUTER]))
    assert as_lists(found) == [ring(OUTER)]


def test_a_ring_that_closes_at_another_height_is_closed(tmp_path: Path) -> None:
    document = polygon(OUTER)
    document["coordinates"][0][-1] = [*OUTER[0], 3.0]
    assert as_lists(read(tmp_path, document)[0]) == [ring(OUTER)]


def test_a_mark_at_the_start_of_the_file_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "b.geojson"
    path.write_text(json.dumps(polygon(OUTER)), encoding="utf-8-sig")
    assert len(read_polygons(path)) == 1


@pytest.mark.parametrize("name", ["absent.geojson", "."])
def test_a_file_that_cannot_be_read_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_polygons(tmp_path / name)
    assert_tells(caught.value)


@pytest.mark.parametrize("content", [b"", b" \n\t "])
def test_an_empty_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "b.geojson"
    path.write_bytes(content)
    with pytest.raises(InputError, match="empty") as caught:
        read_polygons(path)
    assert_tells(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        b"{" + SECRET.encode(),
        b"\xff\xfe",
        b'{"type": NaN}',
        b'{"type": Infinity}',
        b"[" * 100_000,
        b"9" * 5000,
        b"PK\x03\x04",
    ],
    ids=["open", "bytes", "nan", "infinity", "deep", "long", "zip"],
)
def test_a_file_that_is_no_json_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "b.geojson"
    path.write_bytes(content)
    with pytest.raises(InputError, match="not JSON") as caught:
        read_polygons(path)
    assert_tells(caught.value)


def test_a_fault_of_json_is_told_by_line(tmp_path: Path) -> None:
    path = tmp_path / "b.geojson"
    path.write_text('{"type":\n"Polygon",\n]')
    with pytest.raises(InputError) as caught:
        read_polygons(path)
    assert caught.value.where.endswith("line 3")


@pytest.mark.parametrize(
    "document",
    [
        None,
        7,
        [],
        {},
        {"type": SECRET},
        {"type": []},
        {"type": "Topology", "objects": {}},
        {"type": "polygon", "coordinates": [ring(OUTER)]},
        {"type": "FeatureCollection"},
        {"type": "FeatureCollection", "features": {"0": {}}},
        {"type": "FeatureCollection", "features": [SECRET]},
        {"type": "GeometryCollection", "geometries": None},
        {"type": "Feature", "geometry": SECRET},
        {"type": "Polygon"},
        {"type": "Polygon", "coordinates": [SECRET]},
        {"type": "Polygon", "coordinates": [[SECRET] * 4]},
        {"type": "Polygon", "coordinates": ring(OUTER)},
        {"type": "Polygon", "coordinates": [[[1], [1], [1], [1]]]},
        {"type": "Polygon", "coordinates": [[["1", "2"]] * 4]},
        {"type": "Polygon", "coordinates": [[[True, False]] * 4]},
        {"type": "Polygon", "coordinates": [[[None, 2]] * 4]},
        {"type": "MultiPolygon", "coordinates": [ring(OUTER)]},
    ],
    ids=str,
)
def test_json_that_is_no_geojson_is_refused(document: object, tmp_path: Path) -> None:
    assert refused(tmp_path, document).what == "This is not GeoJSON."


@pytest.mark.parametrize(
    "document",
    [POINT, LINE, feature(None), features(), features(POINT, LINE), {"type": "Polygon", "coordinates": []}],
    ids=str,
)
def test_a_document_without_a_polygon_is_refused(document: object, tmp_path: Path) -> None:
    assert refused(tmp_path, document).what == "The file contains no polygon."


@pytest.mark.parametrize(
    "positions", [[], OUTER, [*OUTER, [72.0, 21.1]], [OUTER[0], OUTER[1], OUTER[0]]], ids=str
)
def test_an_open_ring_is_refused(positions: list[list[float]], tmp_path: Path) -> None:
    error = refused(tmp_path, features(polygon(OUTER), {"type": "Polygon", "coordinates": [positions]}))
    assert "not closed" in error.what
    assert error.where.endswith("feature 2, ring 1")


@pytest.mark.parametrize(
    ("corners", "mend"),
    [
        (box(40.0, -120.0, 41.0, -119.0), "longitude comes first"),
        (box(272000, 2340000, 280000, 2350000), "degrees"),
        (box(179.0, 0.0, 181.0, 1.0), "degrees"),
        (box(10**400, 0, 10**400 + 1, 1), "degrees"),
    ],
)
def test_positions_out_of_range_are_refused_with_a_hint(
    corners: list[list[float]], mend: str, tmp_path: Path
) -> None:
    error = refused(tmp_path, {"type": "MultiPolygon", "coordinates": [[ring(OUTER), ring(corners)]]})
    assert "outside the range" in error.what
    assert mend in error.mend
    assert "polygon 1, ring 2, position" in error.where
    assert not any(str(number) in str(error) for corner in corners for number in corner if abs(number) > 180)


@pytest.mark.parametrize(
    "name",
    [
        "urn:ogc:def:crs:OGC:1.3:CRS84",
        "urn:ogc:def:crs:OGC::CRS84",
        "EPSG:4326",
        "urn:ogc:def:crs:EPSG::4258",
        "EPSG:4269",
        "urn:ogc:def:crs:OGC:1.3:CRS83",
        "urn:ogc:def:crs:EPSG::4326",
    ],
)
def test_wgs84_may_be_named(name: str, tmp_path: Path) -> None:
    crs = {"type": "name", "properties": {"name": name}}
    assert len(read(tmp_path, {**features(polygon(OUTER)), "crs": crs})) == 1
    assert len(read(tmp_path, {**polygon(OUTER), "crs": None})) == 1


@pytest.mark.parametrize(
    "crs",
    [
        {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32643"}},
        {"type": "name", "properties": {"name": "EPSG:43260"}},
        {"type": "name", "properties": {"name": 4326}},
        {"type": "link", "properties": {"href": "crs.wkt"}},
        {"type": "name"},
        SECRET,
    ],
    ids=str,
)
def test_another_reference_system_is_refused(crs: object, tmp_path: Path) -> None:
    for document in ({**features(polygon(OUTER)), "crs": crs}, feature({**polygon(OUTER), "crs": crs})):
        assert "reference system" in refused(tmp_path, document).what


def test_a_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = polygon(OUTER)
    size = len(json.dumps(document))
    monkeypatch.setattr(geojson, "MOST_BYTES", size)
    assert len(read(tmp_path, document)) == 1
    monkeypatch.setattr(geojson, "MOST_BYTES", size - 1)
    assert "larger than" in refused(tmp_path, document).what


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-200, 200) | st.sampled_from(("Polygon", "Feature", SECRET)),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.sampled_from(("type", "coordinates", "features", "geometry", "geometries", "crs")), inner
        )
    ),
    max_leaves=25,
)


@given(document=_JSON)
def test_any_other_json_is_refused_by_name(
    tmp_path_factory: pytest.TempPathFactory, document: object
) -> None:
    path = write_geojson(tmp_path_factory.getbasetemp() / "any.geojson", document)
    try:
        polygons = read_polygons(path)
    except InputError as error:
        assert_tells(error)
    else:
        assert all(len(rings.shell) >= 4 for rings in polygons)
