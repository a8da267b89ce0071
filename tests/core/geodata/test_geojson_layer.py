"""GeoJSON as layers: streamed, mended, projected, and refused before it costs anything."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import InputError
from core.geodata import geojson_layer
from core.geodata.geojson_layer import MOST_FILE_BYTES, read_geojson_layer
from core.geodata.shapes import to_lon_lat
from core.progress import Cancelled
from tests.geojson import box, feature, features, polygon, write_geojson
from tests.records import assert_tells

POINT = {"type": "Point", "coordinates": [72.83, 21.18]}
BOW_TIE = polygon([[0, 0], [1, 1], [1, 0], [0, 1]])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "layer.geojson"


def refused(path: Path, document: object, **options: Any) -> InputError:
    if isinstance(document, bytes):
        path.write_bytes(document)
    else:
        write_geojson(path, document)
    with pytest.raises(InputError) as caught:
        read_geojson_layer(path, **options)
    assert_tells(caught.value)
    return caught.value


def test_features_have_names_fields_and_places(path: Path) -> None:
    named = [
        feature(POINT, {"name": "Udhna\tJunction", "lines": 3}),
        feature(POINT, {"name": 7.5, "open": True}),
    ]
    write_geojson(path, {"type": "FeatureCollection", "features": named})
    layer = read_geojson_layer(path, "name")
    assert layer.names == ("Udhna Junction", "7.5")
    assert layer.fields == ("name", "lines"), "what is neither text nor number names nothing"
    assert layer.remarks == ()
    (lon, lat), _ = to_lon_lat(layer.parts.bounds[:, :2])
    assert (round(lon, 9), round(lat, 9)) == (72.83, 21.18)
    assert read_geojson_layer(path).names == ("", "")


def test_what_other_programs_write_is_read(path: Path) -> None:
    line = {"type": "LineString", "coordinates": [[72, 21, 5.0], [73, 22, 6.0, 9.0]]}
    nested = {
        "type": "GeometryCollection",
        "geometries": [line, {"type": "GeometryCollection", "geometries": []}],
    }
    many = {"type": "MultiPoint", "coordinates": [[72, 21], [73, 22]]}
    document = features(None, line, nested, many, polygon(box(72, 21, 73, 22), box(72.2, 21.2, 72.4, 21.4)))
    layer = read_geojson_layer(write_geojson(path, document))
    assert layer.count == 5
    assert layer.parts.owner.tolist() == [1, 2, 3, 3, 4]
    assert layer.remarks == ("1 of its features has no geometry and is not drawn.",)


@pytest.mark.parametrize("document", [features(POINT), feature(POINT), POINT])
def test_a_collection_a_feature_and_a_bare_geometry_are_layers(path: Path, document: Any) -> None:
    assert len(read_geojson_layer(write_geojson(path, document)).parts) == 1


def test_an_empty_layer_is_one(path: Path) -> None:
    layer = read_geojson_layer(write_geojson(path, features()))
    assert layer.count == 0
    assert layer.parts.box is None


def test_areas_that_cross_themselves_are_mended_and_counted(path: Path) -> None:
    layer = read_geojson_layer(write_geojson(path, features(BOW_TIE, polygon(box(2, 2, 3, 3)))))
    assert layer.remarks == ("1 of its areas crosses itself and was repaired.",)
    assert layer.parts.owner.tolist() == [0, 0, 1]


def test_what_is_no_geometry_is_left_out_and_counted(path: Path) -> None:
    text = json.dumps(features(POINT, {"type": "Point", "coordinates": ["x", 2]}, POINT))
    path.write_text(text.replace("[72.83, 21.18]", "[1e999, 2]", 1), "utf-8")
    layer = read_geojson_layer(path)
    assert len(layer.parts) == 1
    assert (layer.parts.unusable, layer.parts.empty) == (2, 0)


def test_another_projection_is_turned_to_degrees(path: Path) -> None:
    document = features({"type": "Point", "coordinates": [274_700.0, 2_343_600.0]})
    document["crs"] = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32643"}}
    layer = read_geojson_layer(write_geojson(path, document))
    (place,) = to_lon_lat(layer.parts.bounds[:, :2])
    assert np.allclose(place, [72.83, 21.18], atol=0.01)
    assert layer.remarks == ("It was converted from urn:ogc:def:crs:EPSG::32643.",)


@pytest.mark.parametrize("name", ["EPSG:999999", 'LOCAL_CS["pixels"]', "<img src=x>"])
def test_an_unknown_projection_is_refused_by_name(path: Path, name: str) -> None:
    told = refused(path, features(POINT) | {"crs": {"type": "name", "properties": {"name": name}}})
    assert name in told.what


def test_metres_without_a_named_projection_are_no_degrees(path: Path) -> None:
    told = refused(path, features({"type": "Point", "coordinates": [274_700.0, 2_343_600.0]}))
    assert "EPSG:4326" in told.mend


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"\xff\xfe\x00",
        b'{"type": "FeatureCollection", "features": [',
        b'{"type": "FeatureCollection", "features": [1]}',
        b'{"type": "FeatureCollection", "features": []} more',
        b'{"type": "FeatureCollection", "features": {}}',
        b'{"type": "FeatureCollection"}',
        b'{"type": "Topology", "features": []}',
        b'{"type": "Point", "coordinates": [NaN, 1]}',
        b"[" * 100_000,
        b'{"a": ' + b"[" * 100_000,
        b'["type"]',
        b"PK\x03\x04",
    ],
)
def test_what_is_no_geojson_is_refused(path: Path, document: bytes) -> None:
    assert refused(path, document).where


def test_a_gigabyte_is_refused_before_it_is_read(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 30)  # as large, and no byte of it on the disk
    with pytest.raises(InputError, match=f"{MOST_FILE_BYTES >> 20} MiB"):
        read_geojson_layer(path)


def test_a_value_without_an_end_is_no_reason_to_read_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geojson_layer, "MOST_LETTERS_OF_VALUE", 1 << 12)
    monkeypatch.setattr(geojson_layer, "_BLOCK", 1 << 10)
    told: list[float] = []
    path.write_bytes(b'{"type": "FeatureCollection", "name": "' + b"x" * (1 << 20))
    with pytest.raises(InputError, match="not GeoJSON"):
        read_geojson_layer(path, progress=lambda done, _="": told.append(done))
    assert max(told) < 0.1


def test_values_may_end_anywhere_in_a_block(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = {
        "bbox": [1, 2],
        "n": 12345,
        "type": "FeatureCollection",
        "features": [feature(POINT)] * 5,
        "z": "é",
    }
    text = json.dumps(document, ensure_ascii=False, indent=1).encode()
    whole = read_geojson_layer(write_geojson(path, document))
    for size in (1, 2, 3, 7, 64):
        monkeypatch.setattr(geojson_layer, "_BLOCK", size)
        path.write_bytes(b"\xef\xbb\xbf" + text)
        assert read_geojson_layer(path).parts.bounds.tolist() == whole.parts.bounds.tolist()


def test_too_many_features_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geojson_layer, "MOST_FEATURES", 2)
    assert "1,000,000" in refused(path, features(POINT, POINT, POINT)).what


def test_a_field_that_is_not_there_is_named_with_those_that_are(path: Path) -> None:
    told = refused(path, features(POINT), name_field="Name")
    assert "'Name'" in told.what
    assert told.mend == "choose one of: name"


def test_reading_stops_where_the_person_stops_it(path: Path) -> None:
    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        read_geojson_layer(write_geojson(path, features(POINT)), progress=stop)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes of that kind there")
def test_a_pipe_is_not_waited_for(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(InputError, match="pipe"):
        read_geojson_layer(path)


@pytest.mark.parametrize("kind", [["Polygon"], {"Feature": 1}, 7, None])
def test_a_type_that_is_no_word_is_no_type(path: Path, kind: object) -> None:
    assert "GeoJSON" in refused(path, {"type": kind, "coordinates": [72.83, 21.18]}).what
