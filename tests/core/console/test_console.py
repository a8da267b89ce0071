"""Who is asked, and who never would answer."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.console.console import can_ask

ROOT = Path(__file__).resolve().parents[3]


class Keyboard(io.StringIO):
    """Standard input with a person before it."""

    def isatty(self) -> bool:
        return True


def test_a_person_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Keyboard())
    assert can_ask()


@pytest.mark.parametrize("stream", [io.StringIO("typed\n"), None])
def test_nobody_answers_from_a_pipe_or_from_nowhere(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO | None
) -> None:
    monkeypatch.setattr("sys.stdin", stream)
    assert not can_ask()


def test_no_command_waits_for_the_null_device() -> None:
    """Of which Windows says that it is a terminal: a scheduled task would wait forever."""
    with open(os.devnull) as nothing:  # noqa: PTH123 - a device, not a path
        told = subprocess.run(
            [sys.executable, "-c", "from core.console.console import can_ask; print(can_ask())"],
            cwd=ROOT,
            stdin=nothing,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
    assert told.stdout.strip() == "False"


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are those of POSIX")
def test_a_terminal_is_asked_at() -> None:
    import pty

    ours, theirs = pty.openpty()
    try:
        told = subprocess.run(
            [sys.executable, "-c", "from core.console.console import can_ask; print(can_ask())"],
            cwd=ROOT,
            stdin=theirs,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert told.stdout.strip() == "True"
