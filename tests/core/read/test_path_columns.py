"""Columns that a path tells."""

from __future__ import annotations

import dataclasses
import zipfile
from pathlib import Path

import pytest

from core.assist.column_guesses import find_columns
from core.assist.random_rows import random_rows_of
from core.console.reading_options import rules_for
from core.read.path_columns import FILE_NAME, path_columns, preview_with_path
from core.store.load_records import load_records
from tests.records import COLUMNS, as_rows, assert_same, csv_text, make_records, rules, sample_pings

PINGS = sample_pings()
VEHICLE = COLUMNS[0]


def _parts(folder: Path, place: str) -> list[Path]:
    """The records, those of each vehicle in a file without its column."""
    rows, paths = as_rows(PINGS), []
    for vehicle in sorted({str(row[VEHICLE]) for row in rows}):
        path = folder / place.format(vehicle=vehicle)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            csv_text([{name: row[name] for name in COLUMNS[1:]} for row in rows if row[VEHICLE] == vehicle])
        )
        paths.append(path)
    return paths


@pytest.mark.parametrize(
    ("place", "column"), [(VEHICLE + "={vehicle}/part-0.csv", VEHICLE), ("{vehicle}.csv", FILE_NAME)]
)
def test_a_vehicle_may_stand_in_the_path_alone(place: str, column: str, tmp_path: Path) -> None:
    """Of files in folders and in an archive."""
    paths = _parts(tmp_path / "t", place)
    how = dataclasses.replace(rules(), mapping=dataclasses.replace(rules().mapping, vehicle=column))
    assert_same(load_records(paths, how).records, make_records(PINGS))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for path in paths:
            archive.write(path, path.relative_to(tmp_path))
    assert_same(load_records([tmp_path / "a.zip"], how).records, make_records(PINGS))
    for files in (paths, [tmp_path / "a.zip"]):
        drawn = random_rows_of(files, (*COLUMNS[1:], column)).preview
        assert set(drawn.column(column)) <= {str(row[VEHICLE]) for row in as_rows(PINGS)}


def test_partitions_are_guessed_like_columns_and_a_file_name_is_not(tmp_path: Path) -> None:
    paths = _parts(tmp_path, "vehicle_id={vehicle}/part-0.csv")
    guessed, _ = rules_for(paths, None)
    assert guessed.mapping.vehicle == "vehicle_id"
    preview = preview_with_path(paths[0], named=True)
    assert preview.column(FILE_NAME)[0] == "part-0"
    assert FILE_NAME not in {found.column for found in find_columns(preview).values()}


def test_what_the_file_itself_holds_counts(tmp_path: Path) -> None:
    path = tmp_path / f"{VEHICLE}=other" / "a.csv"
    path.parent.mkdir()
    path.write_text(csv_text(as_rows(PINGS)))
    assert_same(load_records([path], rules()).records, make_records(PINGS))
    assert preview_with_path(path).columns == COLUMNS


def test_names_and_values_are_read_as_they_are_written() -> None:
    path = Path("t/day=2025-03-04/at=08%3A30/none=__HIVE_DEFAULT_PARTITION__/x=/1 = 2/4101.csv.gz")
    assert path_columns(path) == {
        FILE_NAME: "4101",
        "day": "2025-03-04",
        "at": "08:30",
        "none": None,
        "x": None,
    }
