"""Layers of features in a GeoPackage."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError
from core.geodata import geopackage
from core.geodata.features import Features
from core.geodata.geopackage import table_rows
from core.geodata.shapes import to_lon_lat
from core.read.geopackage_tables import feature_tables, well_known_binary
from core.read.map_database import MapDatabase
from tests.layer_files import UTM_43, blob_of, point_wkb, write_geopackage

HERE = blob_of(point_wkb(72.83, 21.18))


def layers_of(path: Path, name_field: str = "name") -> list[Features]:
    with closing(MapDatabase(path)) as database:
        return [table_rows(database, table, (name_field,)).features() for table in feature_tables(database)]


def test_each_table_is_a_layer_with_the_names_of_its_rows(tmp_path: Path) -> None:
    path = write_geopackage(
        tmp_path / "a.gpkg", {"stops": [(HERE, "Udhna"), (None, "nowhere")], 'o"dd\n': [(HERE, None)]}
    )
    odd, stops = layers_of(path)
    assert odd.names == ("",)
    assert stops.names == ("Udhna", "nowhere")
    assert stops.fields == ("fid", "name"), "pictures name nothing"
    assert stops.remarks == ("1 of its features has no geometry and is not drawn.",)


def test_another_projection_is_turned_to_degrees(tmp_path: Path) -> None:
    blob = blob_of(point_wkb(274_700, 2_343_600), 32643)
    (layer,) = layers_of(write_geopackage(tmp_path / "a.gpkg", {"stops": [(blob, "x")]}, system=UTM_43))
    (place,) = to_lon_lat(layer.parts.bounds[:, :2])
    assert np.allclose(place, [72.83, 21.18], atol=0.01)
    assert layer.system == "EPSG:32643"


@pytest.mark.parametrize(
    ("system", "what"),
    [
        ((99_999, "EPSG", 99_999, "nothing"), "EPSG:99999"),
        ((99_998, "mine", 1, "LOCAL_CS[...]"), "LOCAL_CS"),
        ((-1, "NONE", -1, "undefined"), "names no reference system"),
    ],
)
def test_a_projection_that_nobody_knows_is_refused_by_name(
    tmp_path: Path, system: tuple[int, str, int, str], what: str
) -> None:
    path = write_geopackage(tmp_path / "a.gpkg", {"stops": [(HERE, "x")]}, system=system)
    with pytest.raises(InputError, match=what):
        layers_of(path)


def test_a_view_is_no_layer(tmp_path: Path) -> None:
    """What it selects is the file's own program: it may never end."""
    forever = (
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS geom, x AS name FROM n"
    )
    path = write_geopackage(
        tmp_path / "a.gpkg",
        {"stops": [(HERE, "x")]},
        extra=(
            f"CREATE VIEW forever AS {forever}",
            "INSERT INTO gpkg_contents VALUES ('forever', 'features', 'forever', 4326)",
            "INSERT INTO gpkg_geometry_columns VALUES ('forever', 'geom', 'POINT', 4326, 0, 0)",
        ),
    )
    assert [layer.count for layer in layers_of(path)] == [1]


@pytest.mark.parametrize(
    ("blob", "found"),
    [
        (HERE, point_wkb(72.83, 21.18)),
        (b"GP\0\x03" + bytes(4) + bytes(32) + b"wkb", b"wkb"),
        (b"GP\0\x05" + bytes(4) + bytes(48) + b"wkb", b"wkb"),
        (b"GP\0\x09" + bytes(4) + bytes(64) + b"wkb", b"wkb"),
        (b"GP\0\x0b" + bytes(80), b""),
        (b"GP\0\x21" + bytes(80), b""),
        (b"XX\0\x01" + bytes(80), b""),
        (b"GP\0", b""),
        (None, b""),
        ("text", b""),
    ],
)
def test_the_head_of_a_blob_tells_where_its_geometry_begins(blob: object, found: bytes) -> None:
    assert well_known_binary(blob) == found


def test_torn_geometries_are_left_out(tmp_path: Path) -> None:
    torn = [(blob_of(b"\1\2\0\0\0\xff\xff\xff\xff"), "x"), (blob_of(b""), "y"), (b"GP", "z"), (HERE, "w")]
    (layer,) = layers_of(write_geopackage(tmp_path / "a.gpkg", {"stops": torn}))
    assert layer.parts.owner.tolist() == [3]
    assert layer.remarks == ("3 of its features have an unusable geometry and are left out.",)


def test_too_many_features_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geopackage, "MOST_FEATURES", 1)
    path = write_geopackage(tmp_path / "a.gpkg", {"stops": [(HERE, "x"), (HERE, "y")]})
    with pytest.raises(InputError, match="more than"):
        layers_of(path)
    with pytest.raises(InputError, match="no field"):
        layers_of(path, "title")
