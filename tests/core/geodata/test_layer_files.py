"""What lies in a file is told by its content."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.geodata.features import Features
from core.geodata.layer_files import LayerKind, layers_in, read_features, read_layer
from core.geodata.tile_pyramids import TilePyramid
from tests.geojson import features, write_geojson
from tests.layer_files import blob_of, picture, point_wkb, write_geopackage, write_mbtiles, write_tile_package

HERE = (blob_of(point_wkb(72.83, 21.18)), "Udhna")
POINT = {"type": "Point", "coordinates": [72.83, 21.18]}


def test_the_content_tells_what_a_file_is_not_its_name(tmp_path: Path) -> None:
    geojson = write_geojson(tmp_path / "a.gpkg", features(POINT))
    tiles = write_mbtiles(tmp_path / "b.geojson", {(0, 0, 0): picture()})
    assert [item.kind for item in layers_in(geojson)] == [LayerKind.FEATURES]
    assert [(item.title, item.kind) for item in layers_in(tiles)] == [("b", LayerKind.TILES)]
    assert isinstance(read_layer(geojson), Features)
    assert isinstance(read_layer(tiles), TilePyramid)


def test_every_table_of_a_geopackage_is_offered(tmp_path: Path) -> None:
    path = write_geopackage(tmp_path / "a.gpkg", {"stops": [HERE], "streets": [HERE, HERE]})
    assert [item.name for item in layers_in(path)] == ["stops", "streets"]
    assert read_features(path, "streets", "name").names == ("Udhna", "Udhna")
    with pytest.raises(InputError, match="several layers") as caught:
        read_features(path)
    assert "stops, streets" in caught.value.mend
    with pytest.raises(InputError, match="no layer 'roads'"):
        read_features(path, "roads")


def test_the_only_table_needs_no_name(tmp_path: Path) -> None:
    path = write_geopackage(tmp_path / "a.gpkg", {"stops": [HERE]})
    assert read_features(path, name_field="name").names == ("Udhna",)


def test_tiles_of_a_geopackage_are_a_layer_and_have_no_names(tmp_path: Path) -> None:
    path = write_tile_package(tmp_path / "a.gpkg", {(0, 0, 0): picture()})
    assert [(item.name, item.kind) for item in layers_in(path)] == [("base", LayerKind.TILES)]
    assert isinstance(read_layer(path, "base"), TilePyramid)
    with pytest.raises(InputError, match="pictures"):
        read_features(path, "base")


def test_a_geopackage_without_a_layer_and_another_database_are_refused(tmp_path: Path) -> None:
    empty = write_geopackage(tmp_path / "a.gpkg", {})
    with pytest.raises(InputError, match="no table"):
        layers_in(empty)
    other = write_geopackage(tmp_path / "b.gpkg", {}, extra=("DROP TABLE gpkg_contents",))
    for look in (layers_in, read_layer):
        with pytest.raises(InputError, match="neither a GeoPackage nor MBTiles"):
            look(other)
