"""The command line as a process: how it ends."""

from __future__ import annotations

import subprocess
import sys
from unittest.mock import Mock

import pytest

from core.cli import main


@pytest.mark.parametrize(
    "arguments", [["mechanisms", "--json"], ["ledger", "check"]], ids=["long output", "short output"]
)
def test_a_reader_that_leaves_early_brings_no_traceback(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    command = [sys.executable, "main.py", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        told = run.stderr.read()
    assert run.returncode == 1
    assert told == b""


def test_a_stopped_command_is_exit_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("core.cli.parser.load_command", Mock(side_effect=KeyboardInterrupt))
    assert main(["mechanisms"]) == 130
    assert capsys.readouterr().err == "stopped\n"
