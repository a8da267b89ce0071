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


def test_a_night_of_polls_without_vehicles_is_none_either(tmp_path: Path) -> None:
    """Each has a time; with a position alone, the records are still the likelier ones."""
    for number in range(25):
        (tmp_path / f"{number:02}.json").write_text('{"ts": 1741071600, "vehicles": []}')
    paths = sorted(tmp_path.iterdir())
    (last := tmp_path / "last.json").write_text(json.dumps(_ROWS))
    assert first_file([*paths, last]) == last
    assert first_file(paths) == paths[0]
    (tmp_path / "00.json").write_text('{"error": 7}')
    last.write_text('[{"vehicle": "7", "lat": 59.9, "lon": 10.7}]')
    assert first_file([paths[0], last]) == last


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
