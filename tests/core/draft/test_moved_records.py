"""Records that have moved are found by the ends of their paths, and none is taken for another."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.draft.moved_records import found_among, found_below, missing_files


def made(folder: Path, *names: str) -> tuple[Path, ...]:
    paths = tuple(folder / name for name in names)
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return paths


def test_what_moved_together_keeps_its_folders(tmp_path: Path) -> None:
    before = tuple(tmp_path / "old" / name for name in ("jan/a.csv", "feb/a.csv", "b.csv"))
    assert missing_files(before) == before
    now = made(tmp_path / "new", "jan/a.csv", "feb/a.csv", "b.csv")
    assert found_below(before, tmp_path / "new") == now
    assert missing_files(now) == ()


def test_what_is_there_stays_and_what_is_nowhere_too(tmp_path: Path) -> None:
    (retained,) = made(tmp_path / "old", "a.csv")
    made(tmp_path / "new", "a.csv", "b.csv")
    gone = tmp_path / "old" / "c.csv"
    files = (retained, tmp_path / "old" / "b.csv", gone)
    assert found_below(files, tmp_path / "new") == (retained, tmp_path / "new" / "b.csv", gone)


def test_a_name_that_two_have_tells_neither(tmp_path: Path) -> None:
    before = tuple(tmp_path / "old" / name for name in ("jan/a.csv", "feb/a.csv"))
    made(tmp_path / "new", "a.csv")
    assert found_below(before, tmp_path / "new") == before
    (other,) = made(tmp_path / "new", "feb/a.csv")
    assert found_below(before, tmp_path / "new") == (before[0], other)


def test_no_file_is_taken_twice(tmp_path: Path) -> None:
    (retained,) = made(tmp_path, "a.csv")
    moved = tmp_path / "old" / "a.csv"
    assert found_below((retained, moved), tmp_path) == (retained, moved)


def test_a_file_within_an_archive_is_there_with_it(tmp_path: Path) -> None:
    made(tmp_path / "new", "all.zip")
    before = (tmp_path / "old" / "all.zip" / "a.csv",)
    assert missing_files(before) == before
    assert found_below(before, tmp_path / "new") == (tmp_path / "new" / "all.zip" / "a.csv",)


def test_a_path_of_windows_is_found_elsewhere(tmp_path: Path) -> None:
    now = made(tmp_path, "records/a.csv")
    assert found_below((Path("C:\\city\\records\\a.csv"),), tmp_path) == now


def test_chosen_files_take_their_places_by_name_then_by_number(tmp_path: Path) -> None:
    before = tuple(tmp_path / "old" / name for name in ("a.csv", "b.csv"))
    first, second, renamed = made(tmp_path / "new", "a.csv", "b.csv", "c.csv")
    assert found_among(before, (second, first)) == (first, second)
    assert found_among(before, (renamed, second)) == (renamed, second)
    assert found_among(before[:1], (renamed,)) == (renamed,)


def test_what_lies_beside_a_chosen_file_is_found_with_it(tmp_path: Path) -> None:
    before = tuple(tmp_path / "old" / name for name in ("a.csv", "b.csv", "c.csv"))
    first, second = made(tmp_path / "new", "a.csv", "b.csv")
    assert found_among(before, (first,)) == (first, second, before[2])


@pytest.mark.skipif(sys.platform == "win32", reason="a name of this length is no error there")
def test_what_cannot_be_looked_at_counts_as_there(tmp_path: Path) -> None:
    """Whoever reads it says what is wrong with it; nothing is taken in its place."""
    long = tmp_path / ("a" * 300)
    assert missing_files((long,)) == ()
    assert found_below((long,), tmp_path / "new") == (long,)
