"""ui.map.overlay_tiles: what the page may ask for, and what it gets."""

from __future__ import annotations

import json

import pytest

from core.geodata.geojson_layer import read_geojson_layer
from core.geodata.places import named_parts
from core.geodata.tile_pyramids import mbtiles_pyramid
from core.read.map_database import MapDatabase
from tests.geojson import feature, write_geojson
from tests.layer_files import picture, write_mbtiles
from ui.map.overlay_tiles import OverlayTiles
from ui.session.own_layers import LayerContent

MARKUP = "<img src=x onerror='window.hit = 1'>"


@pytest.fixture(scope="module")
def tiles(tmp_path_factory: pytest.TempPathFactory) -> OverlayTiles:
    folder = tmp_path_factory.mktemp("layers")
    stops = [feature({"type": "Point", "coordinates": [72.8, 21.2]}, {"name": MARKUP})]
    path = write_geojson(folder / "a.geojson", {"type": "FeatureCollection", "features": stops})
    features = read_geojson_layer(path, "name")
    pyramid = mbtiles_pyramid(MapDatabase(write_mbtiles(folder / "a.mbtiles", {(1, 0, 0): picture()})))
    made = OverlayTiles()
    made.keep(
        (
            LayerContent(key="stops", features=features, named=named_parts(features)),
            LayerContent(key="base", tiles=pyramid),
        )
    )
    return made


def answer(tiles: OverlayTiles, path: str) -> tuple[bytes, bytes]:
    work = tiles.work_for(path)
    assert work is not None
    return work()


def test_tiles_are_drawn_and_pictures_are_passed_on(tiles: OverlayTiles) -> None:
    kind, numbers = answer(tiles, "overlay/stops/0/0/0.bin")
    assert kind == b"application/octet-stream"
    assert len(numbers) == 8
    assert answer(tiles, "overlay/base/1/0/1.png") == (b"image/png", picture())


def test_a_hole_is_see_through(tiles: OverlayTiles) -> None:
    kind, content = answer(tiles, "overlay/base/1/1/1.png")
    assert kind == b"image/png"
    assert content.startswith(b"\x89PNG")
    assert content != picture()


def test_names_come_as_data(tiles: OverlayTiles) -> None:
    kind, content = answer(tiles, "overlay/stops/names/12.25/8000000/2000000/9000000/3000000.json")
    assert kind == b"application/json"
    ((longitude, latitude, name),) = json.loads(content)
    assert (round(longitude, 6), round(latitude, 6), name) == (72.8, 21.2, MARKUP)


@pytest.mark.parametrize(
    "path",
    [
        "overlay/",
        "overlay/other/0/0/0.bin",
        "overlay/stops/0/0/0.png",
        "overlay/base/1/0/0.bin",
        "overlay/stops/0/0/1.bin",
        "overlay/stops/0/-1/0.bin",
        "overlay/stops/99/0/0.bin",
        "overlay/stops/0/0/0.bin/more",
        "overlay/stops/a/b/c.bin",
        "overlay/stops/0/0",
        "overlay/stops/0/0/../../../etc/passwd",
        "overlay/stops/names/1/2/3.json",
        "overlay/stops/names/nan/0/0/1/1.json",
        "overlay/stops/names/1/0/0/inf/1.json",
        "overlay/base/names/1/0/0/1/1.json",
    ],
)
def test_anything_else_is_not_there(tiles: OverlayTiles, path: str) -> None:
    assert tiles.work_for(path) is None
