"""Points of a GeoPackage as records."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from core.assist.column_guesses import position_parts
from core.errors import InputError
from core.read.input_files import NoRecord
from core.read.preview_rows import NoRows
from core.read.reader_registry import reader_for
from core.read.readers.geopackage_files import READER
from tests.layer_files import blob_of, point_wkb, write_geopackage

POINTS = [(blob_of(point_wkb(72.83, 21.17)), "4101"), (None, "4102")]
POLYGONS_TOO = "UPDATE gpkg_geometry_columns SET geometry_type_name = 'POLYGON' WHERE table_name = 'wards'"


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        list(READER.batches(path, ("name",)))
    return caught.value.what


def test_the_one_layer_of_points_is_read_whatever_else_there_is(tmp_path: Path) -> None:
    path = write_geopackage(tmp_path / "a.gpkg", {"pings": POINTS, "wards": []}, extra=[POLYGONS_TOO])
    digits = point_wkb(72.83, 21.17).hex()
    preview = reader_for(path).preview(path)
    assert (preview.columns, preview.column("geom")) == (("fid", "geom", "name", "photo"), [digits, ""])
    (batch,) = READER.batches(path, ("name", "geom"))
    assert [column.to_pylist() for column in batch.table.columns] == [["4101", "4102"], [digits, None]]


def test_no_layer_several_and_other_databases_are_refused(tmp_path: Path) -> None:
    several = write_geopackage(tmp_path / "a.gpkg", {"pings": POINTS, "wards": POINTS})
    assert refused(several) == "The GeoPackage has pings, wards of points: records are read from one."
    none = write_geopackage(tmp_path / "b.gpkg", {"wards": []}, extra=[POLYGONS_TOO])
    assert refused(none) == "The GeoPackage has no layer of points: records are read from one."
    other = write_geopackage(tmp_path / "c.gpkg", {}, extra=["DROP TABLE gpkg_contents"])
    assert refused(other) == "The file is a database, but not a GeoPackage."


def test_a_layer_without_rows_holds_no_record(tmp_path: Path) -> None:
    path = write_geopackage(tmp_path / "a.gpkg", {"pings": []})
    with pytest.raises(NoRows):
        READER.preview(path)
    with pytest.raises(NoRecord):
        list(READER.batches(path, ("name",)))


def test_within_an_archive_it_is_refused(tmp_path: Path) -> None:
    path = write_geopackage(tmp_path / "a.gpkg", {"pings": POINTS})
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(path, "a.gpkg")
    assert refused(tmp_path / "a.zip" / "a.gpkg") == "A GeoPackage is not read within an archive."
    shutil.copy(path, tmp_path / "a.gpkg.gz")
    assert refused(tmp_path / "a.gpkg.gz") == "A GeoPackage is not read within an archive."


def test_metres_are_asked_for_by_the_system_that_the_file_names(tmp_path: Path) -> None:
    metres = [(blob_of(point_wkb(465_000.0 + bus, 5_247_000.0)), f"{bus}") for bus in range(9)]
    as_utm = [
        "UPDATE gpkg_spatial_ref_sys SET organization_coordsys_id = 25832",
        "UPDATE gpkg_spatial_ref_sys SET organization = 'EPSG'",
    ]
    path = write_geopackage(tmp_path / "a.gpkg", {"pings": metres}, extra=as_utm)
    preview = READER.preview(path)
    order, counted = position_parts(preview, {"position": "geom"})
    assert (order, counted.choice, preview.system) == ("lon,lat", None, "EPSG:25832")
    assert counted.reason.endswith('name their system as crs = "EPSG:25832", as the file says')
