"""The file whose first rows tell how all are read."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from core.read.first_file import first_file

_ROWS = [{"vehicle": "7", "time": 1741071600, "lat": 59.9, "lon": 10.7}]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("[]", _ROWS),
        ("", _ROWS),
        ("null", _ROWS),
        ('{"vehicles": []}', _ROWS),
        ('{"error": "rate limit"}', _ROWS),
        ("<!DOCTYPE html>", _ROWS),
        ('[{"id": 1', _ROWS),
    ],
)
def test_a_first_poll_without_vehicles_is_no_dead_end(first: str, second: object, tmp_path: Path) -> None:
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    paths[0].write_text(first)
    paths[1].write_text(json.dumps(second))
    assert first_file(paths) == paths[1]
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for path in paths:
            archive.write(path, path.name)
    assert first_file([tmp_path / "a.zip"]) == tmp_path / "a.zip" / "b.json"


def test_names_are_enough_where_presence_is_private(tmp_path: Path) -> None:
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    paths[0].write_text("vehicle,time\n")
    paths[1].write_text("vehicle,time\n7,8\n")
    assert (first_file(paths), first_file(paths, typed=True)) == (paths[1], paths[0])


def test_without_rows_it_is_what_cannot_be_read_as_it_is(tmp_path: Path) -> None:
    """Perhaps its encoding or its sheet has to be named first."""
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    paths[0].write_bytes(b"")
    paths[1].write_bytes("straße,ort\n1,2\n".encode("cp1252"))
    assert first_file(paths) == paths[1]
    assert first_file(paths[:1]) == paths[0]
