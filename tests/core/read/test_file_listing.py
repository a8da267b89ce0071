"""Files named by paths, patterns and folders."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.errors import InputError
from core.read.file_listing import FolderFiles, data_files_in, expand
from core.read.file_stamps import stamps_of
from tests.records import assert_tells


def test_globs_and_names_give_each_file_once(tmp_path: Path) -> None:
    for name in ("b.csv", "a.csv", "c.json"):
        (tmp_path / name).touch()
    found = expand(["b.csv", "*.csv", str(tmp_path / "c.json")], tmp_path)
    assert [path.name for path in found] == ["b.csv", "a.csv", "c.json"]


def test_brackets_in_folders_and_names_are_no_pattern(tmp_path: Path) -> None:
    folder = tmp_path / ("days [2016]" if sys.platform == "win32" else "days [2016] *")
    folder.mkdir()
    (folder / "a[1].csv").touch()
    (folder / "a1.csv").touch()
    assert [path.name for path in expand(["*.csv"], folder)] == ["a1.csv", "a[1].csv"]
    assert [path.name for path in expand(["a[1].csv"], folder)] == ["a[1].csv"]
    assert [path.name for path in expand(["a[0-9].csv"], folder)] == ["a1.csv"]


@pytest.mark.parametrize("patterns", [[], ["*.nothing"], ["nowhere/*.csv"], ["/nowhere/at/all/*.csv"]])
def test_patterns_without_a_file_are_refused(patterns: list[str], tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        expand(patterns, tmp_path)
    assert_tells(caught.value)


def test_a_plain_name_is_kept_though_it_is_missing(tmp_path: Path) -> None:
    for name in ("gone.csv", "~nobody-of-that-name/gone.csv"):
        found = expand([name], tmp_path)
        assert len(found) == 1
        with pytest.raises(InputError, match="no such file"):
            stamps_of(found)


def test_two_stars_reach_into_folders_and_name_no_folder(tmp_path: Path) -> None:
    (tmp_path / "2023" / "may").mkdir(parents=True)
    for name in ("2023/may/b.csv", "2023/a.csv", "c.csv"):
        (tmp_path / name).touch()
    found = expand(["**/*.csv"], tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in found] == [
        "2023/a.csv",
        "2023/may/b.csv",
        "c.csv",
    ]
    assert all(path.is_file() for path in expand(["**"], tmp_path))


def test_a_folder_gives_the_data_files_in_it_and_counts_the_others(tmp_path: Path) -> None:
    (tmp_path / "day").mkdir()
    (tmp_path / "__MACOSX").mkdir()
    for name in (
        "b.parquet",
        "day/a.csv.gz",
        ".hidden.csv",
        "__MACOSX/a.csv",
        "README.txt",
        "x.doc",
        "y.png",
    ):
        (tmp_path / name).touch()
    found = data_files_in(tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in found.files] == ["b.parquet", "day/a.csv.gz"]
    assert found.skipped == 2
    assert expand([".", "b.parquet"], tmp_path) == found.files


def test_a_folder_without_data_says_how_many_files_were_passed_over(tmp_path: Path) -> None:
    (tmp_path / "x.doc").touch()
    with pytest.raises(InputError, match="1 of another kind") as caught:
        expand(["."], tmp_path)
    assert_tells(caught.value)
    assert "CSV" in caught.value.mend


def test_a_pattern_that_matches_a_folder_alone_gives_its_files(tmp_path: Path) -> None:
    (tmp_path / "day1").mkdir()
    (tmp_path / "day1" / "a.csv").touch()
    assert [path.name for path in expand(["day*"], tmp_path)] == ["a.csv"]


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "a\0*"])
def test_a_path_that_cannot_be_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        stamps_of(expand([name], tmp_path))
    assert_tells(caught.value)


def test_what_its_first_bytes_tell_is_found_without_an_ending(tmp_path: Path) -> None:
    """A feed whatever its ending, as `wget` numbers them; not one that is still being loaded down."""
    feed = b"\n\r\n\x032.0\x10\0\x18\x80\x9e\x99\xbe\x06"
    files = {
        "vehiclepositions": feed,
        "VehiclePositions.pb.1": feed,
        "a.pb.crdownload": feed,
        "rows": b'[{"a": 1}]',
    }
    for name, data in (files | {"_SUCCESS": b"", "a.png": b"\x89PNG", "notes": b"hello"}).items():
        (tmp_path / name).write_bytes(data)
    found = data_files_in(tmp_path)
    assert {path.name for path in found.files} == {"vehiclepositions", "VehiclePositions.pb.1", "rows"}


def test_schemas_timetables_and_marks_beside_the_records_are_none(tmp_path: Path) -> None:
    others = ["schema.json", "datapackage.json", "vehicles.schema.json", "routes.txt", "STOP_TIMES.txt"]
    for name in (*others, "~$a.xlsx", "_SUCCESS", "_metadata", "a.csv", "vehicles.txt", "schema-2025.csv"):
        (tmp_path / name).write_text("a,b")
    found = data_files_in(tmp_path)
    assert [path.name for path in found.files] == ["a.csv", "schema-2025.csv", "vehicles.txt"]


@pytest.mark.parametrize(
    ("log", "system"),
    [("_delta_log/0.json", "Delta"), (".hoodie/x", "Hudi"), ("metadata/version-hint.text", "Iceberg")],
)
def test_a_table_whose_log_says_which_files_count_is_refused(log: str, system: str, tmp_path: Path) -> None:
    """However it is named: its folder, a folder above, its files, those of a partition."""
    part = tmp_path / "tables" / "t" / "date=2025-03-04" / "part-0.parquet"
    for path in (part, tmp_path / "tables" / "t" / log):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for pattern in ("tables/t", "tables", "tables/t/*/*.parquet", "tables/t/date=*/*"):
        with pytest.raises(InputError, match=system) as caught:
            expand([pattern], tmp_path)
        assert_tells(caught.value)
    assert expand([str(part)], tmp_path) == (part,), "somebody who names a file knows that it counts"


def test_layers_of_a_map_beside_records_are_none(tmp_path: Path) -> None:
    for name in ("a.csv", "b.gpkg", "wards.gpkg"):
        (tmp_path / name).touch()
    assert data_files_in(tmp_path) == FolderFiles(files=(tmp_path / "a.csv",), skipped=2)
    (tmp_path / "a.csv").unlink()
    assert data_files_in(tmp_path).files == (tmp_path / "b.gpkg", tmp_path / "wards.gpkg")


def test_other_tables_beside_vehicle_locations_of_tides_are_no_records(tmp_path: Path) -> None:
    for name in ("vehicle_locations.csv", "trips_performed.csv", "vehicles.csv.gz", "more.csv"):
        (tmp_path / name).write_text("a,b\n1,2\n")
    (tmp_path / "fleet").mkdir()
    (tmp_path / "fleet" / "vehicles.csv").write_text("a,b\n1,2\n")
    found = data_files_in(tmp_path)
    names = [path.relative_to(tmp_path).as_posix() for path in found.files]
    assert names == ["fleet/vehicles.csv", "more.csv", "vehicle_locations.csv"]
    assert found.skipped == 2
