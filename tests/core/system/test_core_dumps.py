"""core.system.core_dumps: a process that holds a key leaves no picture of its memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
CRASHING = """
import os, resource, signal
from core.system.core_dumps import switch_off_core_dumps
most = resource.getrlimit(resource.RLIMIT_CORE)[1]
resource.setrlimit(resource.RLIMIT_CORE, (most, most))
{step}
print(resource.getrlimit(resource.RLIMIT_CORE), flush=True)
os.chdir({folder!r})
os.kill(os.getpid(), signal.SIGABRT)
"""


@pytest.mark.skipif(os.name == "nt", reason="a limit of POSIX")
def test_a_process_that_crashes_leaves_no_dump(tmp_path: Path) -> None:
    code = CRASHING.format(step="switch_off_core_dumps()", folder=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGABRT, done.stderr
    assert done.stdout.strip() in ("(1, 1)", "(0, 0)")
    assert list(tmp_path.iterdir()) == []
