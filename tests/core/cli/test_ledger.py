"""`ledger`: what is shown of it, its limits, and damage."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from core.cli import main
from tests.city import POPULATION, write_city
from tests.commands import limit, release


def test_ledger_show_and_export_hold_no_secret(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit()
    assert home.is_dir()
    assert release(write_city(tmp_path / "city"), tmp_path / "out") == 0
    capsys.readouterr()
    assert main(["ledger", "show"]) == 0
    assert "Test buses" in capsys.readouterr().out
    assert main(["ledger", "export"]) == 0
    exported = capsys.readouterr().out
    assert json.loads(exported)
    assert "bus-" not in exported


def test_ledger_check_finds_a_rolled_back_file(tmp_path: Path, home: Path) -> None:
    limit("5")
    shutil.copy(home / "ledger.sqlite", tmp_path / "old.sqlite")
    limit("6")
    shutil.copy(tmp_path / "old.sqlite", home / "ledger.sqlite")
    assert main(["ledger", "check"]) == 1


@pytest.mark.parametrize("amount", ["0", "-1", "inf", "much", "nan"])
def test_a_limit_must_be_an_epsilon(home: Path, amount: str) -> None:
    assert main(["ledger", "set-limit", POPULATION, f"--per-vehicle={amount}"]) == 2
    assert not (home / "ledger.sqlite").exists()


def test_linking_needs_two_populations(home: Path) -> None:
    limit()
    assert home.is_dir()
    assert main(["ledger", "link", POPULATION, "Nobody"]) == 3
