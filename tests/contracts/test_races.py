"""A round of what `make race` repeats: commands that release at the same moment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the racers are forked, so that they start as one")
def test_a_limit_holds_and_one_spec_is_paid_once() -> None:
    run = [sys.executable, "-m", "tests.fire.races", "1", "0", "3"]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = re.findall(
        r"3 requests, (\d) published, (\d) paid, (\d) of them twice, (\d) draws without a bundle: 0 problems",
        done.stdout,
    )
    assert told == [("2", "2", "0", "0"), ("1", "1", "0", "0"), ("3", "1", "0", "0")]
