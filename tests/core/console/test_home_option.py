"""Which home a command works with."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from core.console.home_option import add_home, home_of


def asked(*arguments: str) -> Path:
    parser = argparse.ArgumentParser()
    add_home(parser)
    return home_of(parser.parse_args(arguments)).folder


def test_the_option_goes_before_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXVEIL_HOME", str(tmp_path / "usual"))
    assert asked() == tmp_path / "usual"
    assert asked("--home", str(tmp_path / "other")) == tmp_path / "other"
