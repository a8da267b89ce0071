"""A sample of what `make crash` tries in full: a release killed, refused, starved and cut off from power."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fire.crash_jobs import JOBS
from tests.fire.crashes import KINDS
from tests.fire.file_calls import SUPPORTED

ROOT = Path(__file__).resolve().parents[2]
linux = pytest.mark.skipif(not SUPPORTED, reason="calls are held by the kernel of Linux on x86-64")


@linux
def test_seven_points_of_every_kind_lose_nothing() -> None:
    """In a process of its own, which forks: a test's process has threads of Qt and of others."""
    run = [sys.executable, "-m", "tests.fire.crashes", "7", "1"]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = dict(re.findall(r"^(.+): (\d+) points.*: 0 problems", done.stdout, re.MULTILINE))
    assert set(told) == {*KINDS, *(job.name for job in JOBS)}
    assert min(int(told[kind]) for kind in KINDS) >= 7, told
    assert min(int(told[job.name]) for job in JOBS) >= 4, told


@linux
def test_calls_are_watched_refused_and_cut_short_and_what_was_not_synced_may_be_lost(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "tests.fire.two_files", str(tmp_path)]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    made, after = ["create", "write"], ["rename", "sync", "unlink"]
    assert told["changes"] == [*made, "sync", *made, *after]
    assert (told["code"], told["whole"], told["refused"]) == (7, True, True)
    assert told["killed"] == [None, 2000]
    *unsynced, synced, unlinked = told["left"]
    assert unsynced == [{}] * 7  # the folder's names come last
    assert synced == unlinked == {"renamed": 0, "sure": 4000}  # nor was the unlink synced
