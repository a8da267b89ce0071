"""Room on disk: asked for beforehand, and missed in words."""

from __future__ import annotations

import errno
import os
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from core.errors import InputError
from core.read.file_stamps import Stamp
from core.store.disk_space import disk_errors, require_space, space_needed
from tests.records import SECRET, assert_tells


def _stamp(name: str, size: int) -> Stamp:
    return Stamp(path=f"/data/{name}", size=size, mtime_ns=0)


def test_packed_files_need_more_than_plain_ones() -> None:
    plain, packed = (space_needed([_stamp(name, 1 << 30)]) for name in ("a.csv", "a.csv.gz"))
    assert plain < 1 << 29 < 1 << 30 < packed
    assert space_needed([_stamp("a.CSV", 1 << 30)]) == plain
    assert space_needed([]) > 0


def test_an_archive_counts_once_and_as_packed_however_many_files_in_it_are_named() -> None:
    whole = space_needed([_stamp("a.zip", 1 << 30)])
    assert space_needed([_stamp(f"a.zip/{day}.csv", 1 << 30) for day in range(365)]) == whole
    assert space_needed([_stamp("A.ZIP/in/a.csv", 1 << 30)]) == whole
    assert space_needed([_stamp("b.zip/a.csv", 1 << 30), _stamp("a.zip/a.csv", 1 << 30)]) > whole


def test_too_little_room_is_told_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_space(tmp_path, [_stamp("a.csv", 100)])
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**12, 10**12, 300_000_000))
    with pytest.raises(InputError, match=r"needs about 0\.8 GB, 0\.3 GB are free") as caught:
        require_space(tmp_path, [_stamp("a.csv", 4_000_000_000)])
    assert_tells(caught.value)
    assert caught.value.where == str(tmp_path)


@pytest.mark.parametrize(
    ("number", "what"),
    [(errno.ENOSPC, "disk is full"), (errno.EACCES, "cannot be stored: Permission denied")],
)
def test_errors_of_writing_are_told_without_details(number: int, what: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=what) as caught, disk_errors(tmp_path):
        raise OSError(number, os.strerror(number), SECRET)
    assert_tells(caught.value)
