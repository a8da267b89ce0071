"""Progress on a terminal, and silence elsewhere."""

from __future__ import annotations

import io

import pytest

from core.console.progress_line import progress_line


class Terminal(io.StringIO):
    """Standard error that a person looks at."""

    def isatty(self) -> bool:
        return True


def test_one_line_that_ends_with_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    progress_line(0.5, "Reading " + "x" * 80)
    progress_line(1.0)
    first, last = shown.getvalue().removeprefix("\r").split("\r")
    assert first == f"{'Reading ' + 'x' * 52}  50%"
    assert last == f"{'':<60} 100%\n"


def test_nothing_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    progress_line(0.5, "Reading")
    shown = capsys.readouterr()
    assert shown.out + shown.err == ""
