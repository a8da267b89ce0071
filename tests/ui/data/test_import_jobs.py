"""ui.data.import_jobs: what is proposed follows from thousands of rows, not from the first ones."""

from __future__ import annotations

import csv
import tarfile
from pathlib import Path

import pytest

from core.clean.mapping import EVENTS, REGULAR
from core.read.file_format import FileFormat
from ui.data.import_jobs import FileKind, look_at_files, open_file, try_choices


def city_that_starts_unevenly(path: Path) -> Path:
    """Buses send every 60 s; what garages send before comes at odd times and fills the first rows."""
    gaps = (7, 19, 41, 83, 170, 350, 700, 1500, 3100, 6300)
    times = [1_650_000_000 + sum(gaps[:n]) for n in range(10)]
    sent = [(bus, time) for bus in range(25) for time in times]
    sent += [(bus, 1_650_020_000 + 60 * n) for n in range(40) for bus in range(25)]
    rows = [[f"bus {bus}", time, 21.1, 72.8, 20] for bus, time in sent]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["vehicle", "time", "lat", "lon", "speed"], *rows])
    return path


def test_a_fixed_rate_is_seen_past_the_first_rows_and_whatever_is_chosen_later(tmp_path: Path) -> None:
    path = city_that_starts_unevenly(tmp_path / "a.csv")
    looked = FileKind(path=path, kind="csv", file_format=FileFormat(), proposed=frozenset())
    opened = open_file(looked, None, lambda *_: None)
    assert opened.suggestion is not None
    choices = opened.suggestion.choices
    assert choices.pings == REGULAR
    rows = opened.preview
    tried = [try_choices(rows, rows, choices, 65_000, opened.spread, at) for at in (path, None)]
    told = [one.contents["pings"].choice for one in tried]
    assert told == [REGULAR, EVENTS], "by the first rows alone it would be another"


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "archive"])
def test_the_rate_is_that_of_the_file_that_is_shown(tmp_path: Path, packed: bool) -> None:
    """The first one may be empty, or stand in an archive."""
    empty, city = tmp_path / "a.csv", city_that_starts_unevenly(tmp_path / "b.csv")
    empty.write_bytes(b"")
    paths = [empty, city]
    if packed:
        paths = [tmp_path / "polls.tar"]
        with tarfile.open(paths[0], "w") as archive:
            for path in (empty, city):
                archive.add(path, path.name)
    looked = look_at_files(paths, FileFormat())
    opened = open_file(looked, None, lambda *_: None)
    assert opened.suggestion is not None
    choices = opened.suggestion.choices
    assert choices.pings == REGULAR
    tried = try_choices(opened.preview, opened.preview, choices, 65_000, opened.spread, opened.path)
    assert tried.contents["pings"].choice == REGULAR
