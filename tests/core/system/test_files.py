"""Files that are whole or absent."""

from __future__ import annotations

import os
import stat
import tempfile
from io import FileIO
from pathlib import Path

import pytest

from core.errors import InputError
from core.system import files
from core.system.files import (
    atomic_private_folder,
    private_opener,
    temporary_root,
    write_atomic,
    write_synced,
)
from core.system.paths import Home
from tests.records import assert_tells


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_atomic(path, b"old")
    write_atomic(path, b"new")
    assert path.read_bytes() == b"new"
    assert [item.name for item in tmp_path.iterdir()] == ["a"]


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_a_private_file_is_private_from_the_start(tmp_path: Path) -> None:
    write_atomic(tmp_path / "key", b"x", mode=0o600)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_a_new_file_is_never_written_over_another(tmp_path: Path) -> None:
    write_synced(tmp_path / "a", b"old")
    with pytest.raises(FileExistsError):
        write_synced(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"old"


@pytest.mark.parametrize("place", ["absent/a", "file/a", "folder"])
def test_a_place_that_cannot_be_written_is_told(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be written") as caught:
        write_atomic(tmp_path / place, b"data")
    assert_tells(caught.value)
    assert sorted(item.name for item in tmp_path.iterdir()) == ["file", "folder"]


def test_a_failure_before_the_rename_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    write_atomic(path, b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device", str(handle))

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(InputError, match="No space left"):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["a"]


def test_a_system_without_a_temporary_folder_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert temporary_root().is_dir()
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/nowhere/at/all"])
    with pytest.raises(InputError, match="temporary files") as caught:
        temporary_root()
    assert_tells(caught.value)


def test_what_a_dead_process_left_half_written_is_swept(tmp_path: Path) -> None:
    inside = ("keys", "recovery")
    for folder in inside:
        (tmp_path / folder).mkdir()
    old, young = (f".a.{digit * 12}.partial" for digit in "01")
    retained = {young, "a.partial", ".a.partial", ".b.xyz.partial", "a", *inside}
    for name in (
        *retained - {*inside},
        old,
        *(f"{folder}/{old}" for folder in inside),
        f".b.{'2' * 12}.partial",
    ):
        (tmp_path / name).write_bytes(b"half")
        if name != young:
            os.utime(tmp_path / name, (0, 0))
    write_atomic(tmp_path / "a", b"whole")
    assert {path.name for path in tmp_path.iterdir()} == retained | {f".b.{'2' * 12}.partial"}
    Home(tmp_path).sweep()
    assert {path.name for path in tmp_path.iterdir()} == retained
    assert not [path for folder in inside for path in (tmp_path / folder).iterdir()]
    Home(tmp_path / "none").sweep()


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_what_holds_records_is_its_owners(tmp_path: Path) -> None:
    with FileIO(tmp_path / "a", "x", opener=private_opener):
        assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


def test_a_folder_that_a_dead_process_left_half_filled_is_swept(tmp_path: Path) -> None:
    """By its youngest file: who still writes keeps it."""
    dead, living = (tmp_path / f".table.{digit * 12}.partial" for digit in "01")
    for folder in (dead, living):
        (folder / "date=2022-01-03").mkdir(parents=True)
        (folder / "date=2022-01-03" / "part-0.parquet").write_bytes(b"half")
    for path in (dead, *dead.rglob("*"), living, living / "date=2022-01-03"):
        os.utime(path, (0, 0))
    with atomic_private_folder(tmp_path / "table") as inside:
        (inside / "part").write_bytes(b"whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == [living.name, "table"]
    assert (tmp_path / "table" / "part").read_bytes() == b"whole"


def test_a_full_disk_leaves_no_folder(tmp_path: Path) -> None:
    def fill() -> None:
        with atomic_private_folder(tmp_path / "table") as inside:
            (inside / "part").write_bytes(b"half")
            raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="No space left"):
        fill()
    assert not list(tmp_path.iterdir())
