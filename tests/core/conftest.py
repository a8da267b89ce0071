"""A home of its own for the commands of a test."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli import main
from tests.city import PASSPHRASE


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a key, ready for a release once a limit is set."""
    folder = tmp_path / "home"
    monkeypatch.setenv("HEXVEIL_HOME", str(folder))
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", PASSPHRASE)
    assert main(["keygen"]) == 0
    return folder
