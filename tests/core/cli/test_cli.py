"""The command line as a process: how it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from core.cli import main
from core.errors import InternalError
from tests.records import SECRET


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


@pytest.mark.parametrize(
    "error", [ValueError(SECRET), MemoryError(SECRET), OSError(28, SECRET), InternalError(SECRET)]
)
def test_what_nobody_foresaw_is_told_in_three_parts_and_logged_without_a_value(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setattr("core.cli.mechanisms.run", Mock(side_effect=error))
    monkeypatch.setenv("HEXVEIL_HOME", str(home))
    assert main(["mechanisms"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert "error number" in told
    assert "fix:   " in told
    log = (home / "errors.log").read_text("utf-8")
    assert type(error).__name__ in log
    assert SECRET not in told + log


@pytest.mark.parametrize("home", ["x" * 5000, "a\0b"])
def test_a_home_that_cannot_be_is_no_traceback(
    home: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", "correct horse battery staple")
    assert main(["keygen", "--home", home]) in (1, 2)
    assert capsys.readouterr().err.startswith("error: ")
