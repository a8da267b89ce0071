"""`keygen`: a key that is never replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli import main
from tests.commands import snapshot


def test_keygen_never_replaces_a_key(home: Path) -> None:
    before = snapshot(home)
    assert main(["keygen"]) == 2
    assert snapshot(home) == before


def test_a_key_at_another_place(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = snapshot(home)
    capsys.readouterr()
    assert main(["keygen", "--out", str(tmp_path / "second")]) == 0
    assert f"Public key:  {tmp_path / 'second'}.pub" in capsys.readouterr().out
    assert (tmp_path / "second.pem").is_file()
    assert snapshot(home) == before
