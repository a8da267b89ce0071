"""Tiles of MBTiles and GeoPackage, numbered as web maps number them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.geodata.tile_pyramids import geopackage_pyramid, geopackage_pyramids, mbtiles_pyramid
from core.read.map_database import MapDatabase
from tests.layer_files import WGS84, WORLD_M, picture, write_mbtiles, write_tile_package

PNG, JPEG = picture(), b"\xff\xd8\xff rest"


def mbtiles(path: Path, tiles: dict[tuple[int, int, int], bytes], **told: str):  # type: ignore[no-untyped-def]
    return mbtiles_pyramid(MapDatabase(write_mbtiles(path / "a.mbtiles", tiles, told)))


@pytest.mark.parametrize(("told", "row"), [({"scheme": "xyz"}, 1), ({"scheme": "tms"}, 2), ({}, 2)])
def test_rows_are_counted_from_the_south_unless_the_file_says_otherwise(
    tmp_path: Path, told: dict[str, str], row: int
) -> None:
    pyramid = mbtiles(tmp_path, {(2, 3, 1): PNG}, **told)
    assert (pyramid.least_zoom, pyramid.most_zoom) == (2, 2)
    assert pyramid.picture(2, 3, row) == ("image/png", PNG)
    assert pyramid.picture(2, 3, 3 - row) is None, "a hole is nothing"


def test_only_pictures_are_shown_whatever_the_file_calls_them(tmp_path: Path) -> None:
    tiles = {(1, 0, 0): JPEG, (1, 0, 1): b"<svg onload=alert(1)>", (1, 1, 0): b""}
    pyramid = mbtiles(tmp_path, tiles, format="png", scheme="xyz")
    assert pyramid.picture(1, 0, 0) == ("image/jpeg", JPEG)
    assert pyramid.picture(1, 0, 1) is None
    assert pyramid.picture(1, 1, 0) is None


@pytest.mark.parametrize(
    ("told", "what"),
    [
        ({"format": "pbf"}, "vector tiles"),
        ({"format": "tiff"}, "'tiff'"),
        ({"scheme": "quadkey"}, "'quadkey'"),
        ({"crs": "EPSG:4326"}, "epsg:4326"),
        ({"profile": "geodetic"}, "geodetic"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_its_name(
    tmp_path: Path, told: dict[str, str], what: str
) -> None:
    with pytest.raises(InputError, match=what):
        mbtiles(tmp_path, {(0, 0, 0): PNG}, **told)


@pytest.mark.parametrize("zoom", ["x", -1, 99, None])
def test_zoom_levels_that_are_none_are_refused(tmp_path: Path, zoom: object) -> None:
    with pytest.raises(InputError, match="no tile"):
        mbtiles(tmp_path, {(zoom, 0, 0): PNG})  # type: ignore[dict-item]


@pytest.mark.parametrize("bounds", ["", "a,b", "1,2,3", "1,2,0,4", "nan,0,1,1", "0,0,1,inf"])
def test_bounds_that_are_none_are_passed_over(tmp_path: Path, bounds: str) -> None:
    assert mbtiles(tmp_path, {(0, 0, 0): PNG}, bounds=bounds).box is None


def test_bounds_are_told_in_metres(tmp_path: Path) -> None:
    box = mbtiles(tmp_path, {(0, 0, 0): PNG}, bounds="0,0,180,1").box
    assert box is not None
    assert box[2] == pytest.approx(WORLD_M)


def test_a_geopackage_may_begin_anywhere_in_the_grid(tmp_path: Path) -> None:
    half = write_tile_package(tmp_path / "a.gpkg", {(2, 0, 0): PNG}, corner=(0.0, WORLD_M / 2))
    database = MapDatabase(half)
    assert geopackage_pyramids(database) == (("base", "Base map"),)
    pyramid = geopackage_pyramid(database, "base")
    assert pyramid.picture(2, 2, 1) == ("image/png", PNG)
    assert pyramid.picture(2, 0, 0) is None


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"system": WGS84}, "EPSG:4326"),
        ({"corner": (12_345.0, WORLD_M)}, "their own grid"),
        ({"pixel_factor": 1.3}, "their own grid"),
        ({"pixel_factor": 2.0}, "zoom levels"),
    ],
)
def test_another_grid_is_refused(tmp_path: Path, changes: dict[str, object], what: str) -> None:
    path = write_tile_package(tmp_path / "a.gpkg", {(2, 0, 0): PNG}, **changes)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=what):
        geopackage_pyramid(MapDatabase(path), "base")
