"""Stamps of files: the same while nothing is written."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
from core.read.file_stamps import is_current, require_unchanged, stamp_of, stamps_of
from core.read.input_files import opened
from tests.records import assert_tells


def test_a_changed_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x")
    stamps = stamps_of([path])
    require_unchanged(stamps)
    assert is_current(stamps[0])
    os.utime(path, ns=(0, stamps[0].mtime_ns + 100))
    assert not is_current(stamps[0])
    with pytest.raises(InputError, match="changed while it was read") as caught:
        require_unchanged(stamps)
    assert_tells(caught.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x")
    stamp = stamp_of(path)
    path.unlink()
    assert not is_current(stamp)
    with pytest.raises(InputError, match="no such file") as caught:
        stamp_of(path)
    assert_tells(caught.value)


def test_a_path_into_an_archive_has_the_archives_stamp(tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("in/x.csv", "a,b\n")
    member, whole = stamp_of(archive / "in" / "x.csv"), stamp_of(archive)
    assert (member.size, member.mtime_ns) == (whole.size, whole.mtime_ns)
    assert member.path != whole.path
    with pytest.raises(InputError, match="no such file"), opened(archive / "in" / "y.csv"):
        pass


def test_a_relative_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_text("x")
    monkeypatch.chdir(tmp_path)
    assert stamp_of(Path("a.csv")) == stamp_of(tmp_path / "a.csv")


def test_a_name_too_long_for_the_disk_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be read|no such file") as caught:
        stamp_of(tmp_path / ("x" * 300))
    assert_tells(caught.value)
