"""A sample of what `make crash` tries in full: a release killed, refused, starved and cut off from power."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fire.crashes import FILL_LEVELS, KINDS
from tests.fire.file_calls import SUPPORTED, Call, Change, Do, Refuse, watch
from tests.fire.lost_writes import Disk

ROOT = Path(__file__).resolve().parents[2]
linux = pytest.mark.skipif(not SUPPORTED, reason="calls are held by the kernel of Linux on x86-64")


@linux
def test_twenty_points_of_every_kind_lose_nothing() -> None:
    """In a process of its own, which forks: a test's process has threads of Qt and of others."""
    run = [sys.executable, "-m", "tests.fire.crashes", str(FILL_LEVELS), "1"]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = dict(re.findall(r"^(.+): (\d+) points.*: 0 problems", done.stdout, re.MULTILINE))
    assert set(told) == set(KINDS)
    assert min(map(int, told.values())) >= 20, told


def _write_two_files(folder: Path) -> int:
    """A job that syncs one file and its name, and nothing of the other."""
    for name in ("sure", "unsure"):
        with (folder / name).open("wb", buffering=0) as file:
            file.write(name.encode() * 1000)
            if name == "sure":
                os.fsync(file.fileno())
    handle = os.open(folder, os.O_RDONLY)
    (folder / "unsure").rename(folder / "renamed")
    os.fsync(handle)
    (folder / "renamed").unlink()
    return 7


@linux
def test_calls_are_watched_refused_and_cut_short(tmp_path: Path) -> None:
    watched = watch(lambda: _write_two_files(tmp_path), tmp_path)
    made = [Change.CREATE, Change.WRITE]
    after = [Change.RENAME, Change.SYNC, Change.UNLINK]
    assert [call.change for call in watched.calls] == [*made, Change.SYNC, *made, *after]
    assert watched.code == 7
    assert watched.calls[1].data == b"sure" * 1000

    def halfway(_: int, call: Call) -> Do | Refuse:
        return Do.KILL_HALFWAY if call.change is Change.WRITE else Do.LET

    killed = watch(lambda: _write_two_files(tmp_path), tmp_path, halfway)
    assert (killed.code, (tmp_path / "sure").read_bytes()) == (None, b"sure" * 500)
    refused = watch(lambda: _write_two_files(tmp_path), tmp_path, lambda *_: Refuse(28))
    assert "No space left on device" in refused.said


@linux
def test_a_disk_may_lose_what_was_not_synced_and_nothing_else(tmp_path: Path) -> None:
    folder, left = tmp_path / "folder", tmp_path / "left"
    folder.mkdir()
    disk = Disk(folder)
    calls = watch(lambda: _write_two_files(folder), folder).calls
    names: dict[int, set[str]] = {}
    for place in range(len(calls) + 1):
        left.mkdir()
        disk.after_power_loss(left, keeps=lambda: False)
        names[place] = {path.name for path in left.iterdir()}
        for path in left.iterdir():
            assert path.read_bytes() == (b"sure" * 1000 if path.name == "sure" else b"")
            path.unlink()
        left.rmdir()
        disk.follow(calls[place : place + 1])
    assert names[len(calls) - 2] == set()  # the folder was not synced
    assert names[len(calls) - 1] == names[len(calls)] == {"sure", "renamed"}  # nor was the unlink
    left.mkdir()
    rng = random.Random(3)
    assert disk.after_power_loss(left, keeps=lambda: rng.random() < 0.5) in (0, 1, 2)
