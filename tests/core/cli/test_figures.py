"""`figures`: made-up data for everybody, loaded data for its owner, true errors for a marked population."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.accounting.ledger import Ledger
from core.charts.chart import Chart
from core.cli import figures as command
from core.cli import main
from core.figures import error_figures
from core.figures.error_figures import ErrorOptions
from tests.city import POPULATION, write_city
from tests.core.charts.examples import LINES


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("HEXVEIL_HOME", str(folder))
    return folder


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """One made-up chart in place of all, and five trials of the others."""
    monkeypatch.setattr(command, "made_up_figures", lambda *_: (LINES,))
    evaluate: Callable[..., Any] = error_figures.evaluate
    monkeypatch.setattr(
        error_figures, "evaluate", lambda *given, **named: evaluate(*given, **(named | {"trials": 5}))
    )


@pytest.fixture
def city(tmp_path: Path) -> list[str]:
    spec = write_city(tmp_path / "city")
    return [str(tmp_path / "city" / "records.csv"), "--spec", str(spec)]


def evaluated(home: Path) -> bool:
    path = home / "ledger.sqlite"
    if not path.exists():
        return False
    with Ledger.open(path) as ledger:
        return ledger.was_evaluated(POPULATION)


def test_without_data_all_is_made_up(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["figures", "--out", str(out)]) == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "README.md",
        "lines.csv",
        "lines.pdf",
        "lines.png",
        "lines.svg",
    ]
    assert "CONFIDENTIAL" not in capsys.readouterr().out
    assert not home.exists()


def test_what_is_chosen_reaches_the_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[ErrorOptions] = []

    def noting(_: object, options: ErrorOptions) -> tuple[Chart, ...]:
        chosen.append(options)
        return (LINES,)

    monkeypatch.setattr(command, "made_up_figures", noting)
    typed = [
        "--mechanisms",
        "levy,baseline",
        "--eps",
        "1:2:3",
        "--factor",
        "4",
        "--draws",
        "5",
        "--format",
        "PDF,svg",
    ]
    assert main(["figures", *typed, "--out", str(tmp_path / "chosen")]) == 0
    assert main(["figures", "--mechanisms", "--out", str(tmp_path / "every")]) == 0
    points = (Decimal(1), Decimal("1.5"), Decimal(2))
    assert chosen == [
        ErrorOptions(mechanisms=("levy", "baseline"), epsilons=points, factor=4, draws=5),
        ErrorOptions(),
    ]
    files = {path.name for path in (tmp_path / "chosen").iterdir()}
    assert files == {"README.md", "lines.csv", "lines.pdf", "lines.svg"}


def test_counts_of_loaded_data_need_no_population_and_say_what_they_are(
    tmp_path: Path, home: Path, city: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["figures", *city, "--format", "svg", "--out", str(out)]) == 0
    own = {path.stem for path in out.glob("*.svg")} - {"lines"}
    assert own == {
        "confidential-suppression",
        "confidential-m-ub",
        "confidential-worst-error",
        "confidential-gain",
        "confidential-hexagons-with-records",
        "confidential-hexagons-selected",
        *(
            f"confidential-{name}-r{number}"
            for number in (6, 7, 8)
            for name in ("vehicles-per-hat-day", "hats-per-vehicle-day")
        ),
    }
    assert "CONFIDENTIAL" in capsys.readouterr().out
    assert all("CONFIDENTIAL" in (out / f"{name}.svg").read_text("utf-8") for name in own)
    assert not evaluated(home)


def test_true_errors_are_entered_before_they_are_computed(
    tmp_path: Path, home: Path, city: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    real = command.true_error_charts

    def noting(*given: Any) -> tuple[Chart, ...]:
        seen.append(evaluated(home))
        return real(*given)

    monkeypatch.setattr(command, "true_error_charts", noting)
    out, named = tmp_path / "out", ["--population", POPULATION, "--yes", "--format", "svg"]
    assert main(["figures", *city, *named, "--out", str(out)]) == 0
    assert seen == [True]
    assert (out / "confidential-true-errors-bestfit.svg").exists()


def test_a_hat_may_be_named(tmp_path: Path, city: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    own = ["--population", POPULATION, "--yes"]
    assert main(["figures", *city, *own, "--hat", "nonsense", "--out", str(tmp_path / "out")]) == 2
    assert "This is not a hexagon slot" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("given", "where"),
    [
        (["--spec", "spec.toml"], "--spec"),
        (["--population", POPULATION, "--yes"], "--population"),
        (["records.csv", "--hat", "09 8742d9d69ffffff"], "--hat"),
        (["records.csv", "--population", POPULATION], "standard input"),
        (["--mechanisms", "levy,levi"], "--mechanisms"),
        (["--eps", "2:1:5"], "--eps"),
        (["--factor", "0"], "--factor"),
        (["--draws", "0"], "--draws"),
        (["--format", "pdf,gif"], "--format"),
    ],
)
def test_what_lacks_something_is_refused_before_anything_is_read(
    tmp_path: Path, home: Path, given: list[str], where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["figures", *given, "--out", str(tmp_path / "out")]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    what, found, mend = told.err.strip().splitlines()
    assert what
    assert where in found
    assert mend.startswith("fix:")
    assert not (tmp_path / "out").exists()
    assert not evaluated(home)


def test_a_full_folder_is_refused_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("kept")
    assert main(["figures", "no-such-file.csv", "--out", str(tmp_path)]) == 2
    assert "This place is taken" in capsys.readouterr().err
    assert (tmp_path / "mine.txt").read_text() == "kept"
