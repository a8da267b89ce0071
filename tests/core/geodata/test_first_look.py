"""A layer is first shown with the names that its file seems to have."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.geodata.first_look import first_look
from tests.geojson import feature, write_geojson
from tests.layer_files import blob_of, picture, point_wkb, write_geopackage, write_mbtiles

POINT = {"type": "Point", "coordinates": [72.83, 21.18]}
HERE = (blob_of(point_wkb(72.83, 21.18)), "Udhna")


@pytest.mark.parametrize(
    ("properties", "field"),
    [
        ({"id": 7, "NAME": None}, "NAME"),
        ({"id": 7, "name": {"en": "x"}}, ""),
        ({"a": 1}, ""),
        ({"x": "{}"}, ""),
    ],
)
def test_the_field_of_names_is_that_of_the_features(
    tmp_path: Path, properties: dict[str, object], field: str
) -> None:
    document = {"type": "FeatureCollection", "name": "a layer", "crs": {"properties": {"name": "x"}}}
    path = write_geojson(tmp_path / "a.geojson", document | {"features": [feature(POINT, properties)]})
    (layer,) = first_look(path)
    assert layer.name_field == field
    assert layer.file == path
    assert not layer.over


def test_each_table_is_a_layer_and_tiles_have_no_names(tmp_path: Path) -> None:
    package = write_geopackage(tmp_path / "a.gpkg", {"stops": [HERE], "streets": [HERE]})
    assert [(one.table, one.name_field) for one in first_look(package)] == [
        ("stops", "name"),
        ("streets", "name"),
    ]
    tiles = write_mbtiles(tmp_path / "a.mbtiles", {(0, 0, 0): picture()})
    assert [(one.table, one.name_field) for one in first_look(tiles)] == [("", "")]


def test_what_is_no_layer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        first_look(tmp_path / "none.gpkg")
