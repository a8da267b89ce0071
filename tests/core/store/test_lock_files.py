"""Locks hold as long as a process lives, and no longer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.store.lock_files import FolderLock, is_locked, remove_stale_locks

ROOT = Path(__file__).resolve().parents[3]
HOLDER = """
import sys
from pathlib import Path
from core.store.lock_files import FolderLock
lock = FolderLock.on(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_folder_is_locked_until_every_lock_is_released(tmp_path: Path) -> None:
    folder = tmp_path / "entry"
    assert not is_locked(folder)
    first, second = FolderLock.on(folder), FolderLock.on(folder)
    first.release()
    assert is_locked(folder)
    assert not is_locked(tmp_path / "entr")
    second.release()
    assert not is_locked(folder)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_the_lock_of_a_killed_process_is_no_lock(tmp_path: Path) -> None:
    folder = tmp_path / "entry"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert is_locked(folder)
        remove_stale_locks(tmp_path)
        assert is_locked(folder)
        holder.kill()
    assert list(tmp_path.iterdir()) != []
    assert not is_locked(folder)
    assert list(tmp_path.iterdir()) == []


def test_stale_locks_are_removed_together(tmp_path: Path) -> None:
    (tmp_path / "a.0123456789ab.claim").touch()
    living = FolderLock.on(tmp_path / "b")
    remove_stale_locks(tmp_path)
    assert [path.name.split(".")[0] for path in tmp_path.iterdir()] == ["b"]
    living.release()
