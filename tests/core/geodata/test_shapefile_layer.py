"""Zipped Shapefiles: rings become areas, and what is damaged is said to be."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyproj
import pytest
import shapefile
import shapely
from hypothesis import given
from hypothesis import strategies as st

from core.errors import HexveilError, InputError
from core.geodata.layer_files import layer_rows
from core.geodata.shapefile_layer import shapefile_rows

SQUARE = [(0, 0), (0, 9), (9, 9), (9, 0), (0, 0)]
"""Clockwise, as an outer ring runs."""
HOLE = [(1, 1), (8, 1), (8, 8), (1, 8), (1, 1)]
ISLAND = [(3, 3), (3, 4), (4, 4), (4, 3), (3, 3)]
WGS84 = pyproj.CRS(4326).to_wkt("WKT1_ESRI")


def files_of(zones: Mapping[str, Sequence[object]], encoding: str = "utf-8") -> dict[str, bytes]:
    """Name -> rings; in the field `ward`."""
    parts = {ending: io.BytesIO() for ending in ("shp", "shx", "dbf")}
    with shapefile.Writer(**parts, shapeType=shapefile.POLYGON, encoding=encoding) as made:
        made.field("ward", "C", 40)
        made.field("number", "N", 9)
        for number, (name, rings) in enumerate(zones.items()):
            made.poly(list(rings)) if rings else made.null()
            made.record(name, number)
    files = {f"wards.{ending}": stream.getvalue() for ending, stream in parts.items()}
    return {**files, "wards.prj": WGS84.encode()}


def zipped(path: Path, files: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_rings_are_areas_with_holes_and_islands_whichever_way_they_run(tmp_path: Path) -> None:
    whole = shapely.Polygon(SQUARE, [HOLE]).union(shapely.Polygon(ISLAND))
    zones = {"lake": [ISLAND, HOLE, SQUARE], "turned": [HOLE], "none": []}
    rows = shapefile_rows(zipped(tmp_path / "a.zip", files_of(zones)), wanted=("ward", "number"))
    (shapes,) = rows.pieces
    assert shapes[0].is_valid
    assert shapes[0].equals(whole)
    assert shapes[1].equals(shapely.Polygon(HOLE))
    assert shapes[2] is None
    assert rows.cells == (("lake", 0), ("turned", 1), ("none", 2))
    assert rows.fields == ("ward", "number")
    corners = np.array([[72.8, 21.1]])
    assert rows.to_degrees is not None
    assert np.allclose(rows.to_degrees(corners), corners)


def test_lines_and_their_system_are_read(tmp_path: Path) -> None:
    parts = {ending: io.BytesIO() for ending in ("shp", "dbf")}
    with shapefile.Writer(**parts, shapeType=shapefile.POLYLINEZ) as made:
        made.field("street", "C", 40)
        made.linez([[(272_000, 2_340_000, 5), (273_000, 2_340_000, 6)]])
        made.record("High street")
    files = {f"in/streets.{ending}": stream.getvalue() for ending, stream in parts.items()}
    system = pyproj.CRS(32643).to_wkt("WKT1_ESRI").encode()
    rows = layer_rows(zipped(tmp_path / "a.zip", {**files, "in/streets.PRJ": system}), wanted=("street",))
    assert rows.pieces[0][0].geom_type == "MultiLineString"
    assert rows.to_degrees is not None
    assert np.allclose(rows.to_degrees(np.array([[272_000.0, 2_340_000.0]])), [[72.80, 21.15]], atol=0.01)


@pytest.mark.parametrize(
    ("encoding", "page"),
    [("utf-8", b""), ("cp1252", b""), ("cp1250", b"ANSI 1250"), ("iso8859-2", b"ISO 88592")],
)
def test_names_are_read_as_they_were_written(tmp_path: Path, encoding: str, page: bytes) -> None:
    files = files_of({"Köln Süd": [SQUARE]}, encoding) | ({"wards.cpg": page} if page else {})
    rows = shapefile_rows(zipped(tmp_path / "a.zip", files), wanted=("ward",))
    assert rows.cells == (("Köln Süd",),)


def without(*names: str) -> dict[str, bytes]:
    return {name: content for name, content in files_of({"1": [SQUARE]}).items() if name not in names}


@pytest.mark.parametrize(
    ("files", "what"),
    [
        ({"a.csv": b"x"}, "contains 0 such layers"),
        ({**without(), "more.shp": b""}, "contains 2 such layers"),
        (without("wards.dbf"), r"no \.dbf beside"),
        (without("wards.prj"), r"no \.prj beside"),
        ({**without(), "wards.prj": b"LOCAL_CS"}, "LOCAL_CS"),
        ({**without(), "wards.dbf": b""}, "damaged"),
        ({**without(), "wards.dbf": files_of({"1": [SQUARE], "2": [SQUARE]})["wards.dbf"]}, "damaged"),
        ({**without(), "wards.shp": without()["wards.shp"][:120]}, "damaged"),
        ({**without(), "wards.shp": without()["wards.shp"][:100] + struct.pack(">2i", 1, -4) * 9}, "damaged"),
    ],
)
def test_what_is_missing_or_damaged_is_said(tmp_path: Path, files: dict[str, bytes], what: str) -> None:
    with pytest.raises(InputError, match=what):
        shapefile_rows(zipped(tmp_path / "a.zip", files), wanted=("ward",))


def test_a_shapefile_is_zipped(tmp_path: Path) -> None:
    path = tmp_path / "wards.shp"
    path.write_bytes(b"x")
    with pytest.raises(InputError, match="several files"):
        layer_rows(path)


@given(st.sampled_from(["wards.shp", "wards.dbf"]), st.data())
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    files = files_of({"1": [SQUARE, HOLE], "2": [ISLAND]})
    content = bytearray(files[name])
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = zipped(tmp_path_factory.getbasetemp() / "hostile.zip", {**files, name: bytes(content)})
    try:
        rows = shapefile_rows(path, wanted=("ward",))
    except HexveilError:
        return
    assert sum(map(len, rows.pieces)) == len(rows.cells)
