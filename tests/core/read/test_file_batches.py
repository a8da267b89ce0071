"""One file without records, or that cannot be read, among others."""

from __future__ import annotations

import dataclasses
import json
import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
from core.read.file_batches import DamagedFiles
from core.read.input_files import NoRecord
from core.store.load_records import load_records
from tests.records import COLUMNS, SECRET, as_rows, assert_same, make_records, rules, sample_pings

PINGS = sample_pings()
GOOD = {"a.json": json.dumps(as_rows(PINGS))}
EMPTY = {
    "0.json": "",
    "array.json": "[]",
    "null.json": "null",
    "error.json": '{"error": "rate limit"}',
    "keys.json": '{"vehicles": []}',
    "names.csv": ",".join(COLUMNS),
}
LONG = json.dumps(as_rows(PINGS * 9))
DAMAGED = {
    "page.json": f"<html>{SECRET}</html>",
    "page.csv": f"<html>{SECRET}",
    "page.pb": "<html>",
    "cut.json": LONG[:-20],
}


def _written(folder: Path, texts: dict[str, str], *, packed: bool) -> list[Path]:
    if packed:
        with zipfile.ZipFile(folder / "day.zip", "w") as archive:
            for name, text in texts.items():
                archive.writestr(name, text)
        return [folder / "day.zip"]
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


@pytest.mark.parametrize("packed", [False, True])
def test_files_without_records_are_passed_over_and_counted(packed: bool, tmp_path: Path) -> None:
    files = _written(tmp_path, GOOD | EMPTY, packed=packed)
    for private in (False, True):
        loaded = load_records(files, rules(), empty_allowed=private)
        assert_same(loaded.records, make_records(PINGS))
        assert (loaded.report.files_empty, loaded.report.files_damaged) == (len(EMPTY), 0)


def test_files_without_records_alone_are_refused_with_the_first_reason(tmp_path: Path) -> None:
    files = _written(tmp_path, EMPTY, packed=False)
    with pytest.raises(NoRecord, match="The file is empty"):
        load_records(files, rules())


def test_a_file_whose_values_are_all_missing_stops_no_other_one(tmp_path: Path) -> None:
    rows = [row | {"speed": None} for row in as_rows(PINGS)]
    files = _written(tmp_path, GOOD | {"b.json": json.dumps(rows)}, packed=False)
    before, after = (load_records(some, rules()).report for some in (files[:1], files))
    assert after.dropped["no_value"] == before.dropped.get("no_value", 0) + len(PINGS)
    assert (before.files_empty, after.files_empty) == (0, 1)


@pytest.mark.parametrize("packed", [False, True])
def test_damaged_files_are_refused_together_or_left_out(packed: bool, tmp_path: Path) -> None:
    """With what was read of one before it broke off."""
    files = _written(tmp_path, GOOD | DAMAGED, packed=packed)
    with pytest.raises(DamagedFiles, match="4 files cannot be read") as caught:
        load_records(files, rules())
    assert all(name in caught.value.where for name in DAMAGED)
    assert SECRET not in str(caught.value)
    loaded = load_records(files, dataclasses.replace(rules(), skip_damaged=True))
    assert_same(loaded.records, make_records(PINGS))
    names = [f"day.zip/{name}" if packed else name for name in DAMAGED]
    assert loaded.report.files_damaged == len(DAMAGED)
    assert loaded.report.examples["files_damaged"] == tuple((name, 0) for name in sorted(names))


def test_where_no_file_can_be_read_the_first_says_why(tmp_path: Path) -> None:
    """They are read in a wrong way: nothing is left out then."""
    files = _written(tmp_path, {f"{number:02}.csv": "a,b\n1,2\n" for number in range(30)}, packed=False)
    for how in (rules(), dataclasses.replace(rules(), skip_damaged=True)):
        with pytest.raises(InputError, match="is missing") as caught:
            load_records(files, how)
        assert caught.value.where.endswith("00.csv")
