"""`evaluate --city`: a population is named, agreed on and marked, as for one HAT, before errors are shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.cli import main
from core.contributions import Contributions, UserTable, users_of
from core.evaluate.city_comparison import METHODS
from core.privacy import Unit
from tests.city import POPULATION, write_city
from tests.labelled_city import WHOLE_AREA, write_labelled_city


@pytest.fixture
def line(tmp_path: Path, home: Path) -> list[str]:
    assert home.is_dir()
    spec = write_city(tmp_path / "city")
    return ["evaluate", "--city", str(spec.parent / "records.csv"), "--spec", str(spec)]


def marked(home: Path) -> bool:
    with Ledger.open(home / "ledger.sqlite") as ledger:
        return bool(ledger.was_evaluated("Buses"))


def test_every_method_is_told_and_the_population_marked(
    line: list[str], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--population", "Buses", "--yes", "--delta", "1e-6", "--eps", "5:10:2", "--trials", "2"]
    assert main([*line, *more, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["confidential"] is True
    assert {row["method"] for row in told["results"]} == {one.key for one in METHODS}
    assert {row["total"] for row in told["results"]} == {"5", "10"}
    assert marked(home)
    assert main([*line, *more, "--mechanisms", "equal-mean,tokens-laplace"]) == 0
    text = capsys.readouterr().out
    assert "equal budgets, plain mean, smoothed" in text
    assert "Confidential" in text


@pytest.mark.parametrize(
    "edit",
    [WHOLE_AREA, (("resolution = 7", "resolution = [6, 8]"),)],
    ids=["all", "mixed"],
)
def test_what_needs_hexagons_of_one_resolution_is_left_out(
    edit: tuple[tuple[str, str], ...], tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write_labelled_city(tmp_path / "city", edit=edit)
    line = ["evaluate", "--city", str(spec.parent / "records.csv"), "--spec", str(spec), "--json", "--yes"]
    more = ["--population", "Buses", "--delta", "1e-6", "--eps", "10:10:1", "--trials", "2"]
    assert main([*line, *more]) == 0
    told = json.loads(capsys.readouterr().out)["results"]
    assert {one.key for one in METHODS} - {row["method"] for row in told} == {"regions", "zoom-gauss"}
    assert marked(home)


def test_equal_vehicles_stand_in_the_order_of_the_population(
    line: list[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in its releases, and in the window's comparison: of a new one, too, which the mark has created."""
    keys: list[bytes] = []

    def noting(table: Contributions, unit: Unit, key: bytes) -> UserTable:
        keys.append(key)
        return users_of(table, unit, key)

    monkeypatch.setattr("core.cli.evaluate_city.users_of", noting)
    more = [
        "--population",
        POPULATION,
        "--yes",
        "--eps",
        "5:10:2",
        "--trials",
        "1",
        "--mechanisms",
        "equal-mean",
    ]
    for _ in range(2):
        assert main([*line, *more]) == 0
    with Ledger.open(home / "ledger.sqlite") as ledger:
        _, key = ledger.populations_and_key(POPULATION)
    assert keys == [key] * 2


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ([], "--population"),
        (["--population", "Buses"], "consent"),
        (["--population", "Buses", "--yes", "--mechanisms", "magic"], "--mechanisms"),
        (["--population", "Buses", "--yes", "--trials", "0"], "--trials"),
        (["--population", "Buses", "--yes", "--m-ub", "median"], "--m-ub"),
        (["--population", "Buses", "--yes", "--param", "gamma=1"], "--param"),
        (["--population", "Buses", "--yes", "--replica"], "evaluate"),
    ],
)
def test_a_refusal_marks_nothing(
    line: list[str], home: Path, more: list[str], where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line, *more]) == 2
    assert where in capsys.readouterr().err
    assert not (home / "ledger.sqlite").exists() or not marked(home)


def test_a_city_needs_data(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert home.is_dir()
    assert main(["evaluate", "--city", "--population", "Buses", "--yes"]) == 2
    assert "DATA" in capsys.readouterr().err
