"""`policy`: of a bundle that holds, or of a population; nothing is written where something is wrong."""

from __future__ import annotations

import shutil
from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.cli import main
from core.system.paths import Home
from tests.ui.ledger_story import BUSES, month, pay

BUNDLE = Path(__file__).resolve().parents[2] / "golden" / "v0.2" / "releases" / "one-query-1.0.0"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    ledger = Ledger.open(Home(folder).ledger)
    ledger.set_limit(BUSES, per_vehicle=Decimal(9))
    pay(ledger, BUSES, month(2), "0.3", bundle="bus-speed-2022-02-1.0.0")
    return folder


def test_the_policy_of_a_bundle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["policy", str(BUNDLE), "--out", str(out)]) == 0
    assert capsys.readouterr().out.splitlines() == [str(out / "policy.html"), str(out / "policy.md")]
    text = (out / "policy.md").read_text(encoding="utf-8")
    assert "| vehicle | 1000 | 52.06678 | all releases, for all time; nothing expires |" in text


def test_the_policy_of_a_population(tmp_path: Path, home: Path) -> None:
    out = tmp_path / "out"
    command = ["policy", "--population", BUSES, "--out", str(out), "--contact", "a@city.example"]
    assert main([*command, "--home", str(home)]) == 0
    text = (out / "policy.md").read_text(encoding="utf-8")
    assert "| vehicle | 9 | 8.4 |" in text
    assert "Ask a@city.example." in text


def test_what_is_wrong_is_said_and_nothing_written(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = shutil.copytree(BUNDLE, tmp_path / "broken")
    (broken / "README.md").write_text("Other words\n", encoding="utf-8")
    out = ["--out", str(tmp_path / "out"), "--home", str(home)]
    for command, said in (
        ([str(broken)], "is not valid"),
        (["--population", "Trams"], "has no population 'Trams'"),
        ([str(BUNDLE), "--out", str(BUNDLE)], "sealed"),
    ):
        assert main(["policy", *out, *command]) == 2
        told = capsys.readouterr().err
        assert said in told
    assert not (tmp_path / "out").exists()
    assert BUSES in _mend(home, capsys)


def _mend(home: Path, capsys: pytest.CaptureFixture[str]) -> str:
    main(["policy", "--population", "Trams", "--out", "nowhere", "--home", str(home)])
    return capsys.readouterr().err
