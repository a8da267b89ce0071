"""`evaluate`: the three kinds of data, the JSON of method 15, and what is refused."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.cli import evaluate as command
from core.cli import main
from core.contributions import contributions_of
from core.mechanisms.registry import all_mechanisms
from core.paths import find_home
from core.spec import load_spec
from core.store.load_records import load_records
from tests.city import POPULATION, write_city

KEYS = ["mechanism", "grouping", "eps", "m_ub", "arrays", "sensitivity", "noise_scale", "bias", "mae"]
KEYS += ["mae_exact", "trials"]
QUICK = ["--trials", "200", "--eps", "0.5:1:2"]


def results(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main(["evaluate", *arguments, *QUICK, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["results"]
    listed: list[dict[str, object]] = told["results"]
    return listed


@pytest.fixture
def hat_csv(tmp_path: Path) -> Path:
    path = tmp_path / "hat.csv"
    path.write_text("user,value\n" + "".join(f"bus{n % 7},{n % 60}\n" for n in range(200)), "utf-8")
    return path


def test_the_replica_by_every_mechanism(capsys: pytest.CaptureFixture[str]) -> None:
    rows = results(capsys, "--replica")
    assert all(list(row) == KEYS for row in rows)
    assert {row["mechanism"] for row in rows} == set(all_mechanisms())
    assert {row["eps"] for row in rows} == {0.5, 1.0}
    assert {row["trials"] for row in rows} == {200}


def test_nulls_where_nothing_applies(capsys: pytest.CaptureFixture[str]) -> None:
    baseline, _, levy, *_ = results(capsys, "--replica", "--mechanisms", "baseline,levy")
    assert (baseline["grouping"], baseline["m_ub"], baseline["arrays"]) == (None, None, None)
    assert (levy["grouping"], levy["m_ub"], levy["arrays"]) == ("bestfit", 56, 164)


def test_the_second_replica(capsys: pytest.CaptureFixture[str]) -> None:
    first = results(capsys, "--replica", "--mechanisms", "array-averaging")
    second = results(capsys, "--mechanisms", "array-averaging", "--replica", "replica-effects")
    assert first[0]["bias"] != second[0]["bias"]


def test_rows_of_a_csv_and_their_bound(hat_csv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wide = results(capsys, "--hat-csv", str(hat_csv), "--mechanisms", "baseline")
    narrow = results(capsys, "--hat-csv", str(hat_csv), "--mechanisms", "baseline", "--upper", "32.5")
    assert wide[0]["sensitivity"] == pytest.approx(2 * narrow[0]["sensitivity"])  # type: ignore[operator]
    assert wide[0]["sensitivity"] == pytest.approx(65 * 29 / 200)


def test_a_hat_of_loaded_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_city(tmp_path)
    spec = load_spec(path)
    table = contributions_of(load_records(spec.data.paths(), spec.data.rules).records, 7, spec.window)
    data = [str(tmp_path / "records.csv"), "--hat", table.hat_name(0), "--mechanisms", "levy"]
    guessed = results(capsys, *data, "--spec", str(path))
    assert all(list(row) == KEYS for row in guessed)
    halved = results(capsys, *data, "--spec", str(path), "--upper", "32.5")
    assert halved[0]["sensitivity"] < guessed[0]["sensitivity"]  # type: ignore[operator]


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ledger:
    monkeypatch.setenv("HEXVEIL_HOME", str(tmp_path / "home"))
    opened = Ledger.open(find_home().ledger)
    opened.set_limit(POPULATION, per_vehicle=Decimal(10))
    return opened


def test_a_population_is_marked_before_errors_are_computed(
    tmp_path: Path, ledger: Ledger, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_city(tmp_path)
    spec = load_spec(path)
    table = contributions_of(load_records(spec.data.paths(), spec.data.rules).records, 7, spec.window)
    data = [str(tmp_path / "records.csv"), "--spec", str(path), "--mechanisms", "baseline"]
    marked = [*data, "--population", POPULATION, "--hat"]
    results(capsys, *data, "--hat", table.hat_name(0))
    assert main(["evaluate", *marked, "09 8742d9d69ffff00"]) == 2
    assert not ledger.was_evaluated(POPULATION)
    seen = []
    evaluate = command.evaluate
    monkeypatch.setattr(
        command,
        "evaluate",
        lambda *a, **k: seen.append(ledger.was_evaluated(POPULATION)) or evaluate(*a, **k),
    )
    capsys.readouterr()
    results(capsys, *marked, table.hat_name(0))
    results(capsys, *marked, table.hat_name(0))
    assert seen == [True, True]
    assert main(["ledger", "show"]) == 0
    today = dt.datetime.now(dt.UTC).date().isoformat()
    assert f"evaluated on true values since {today}" in capsys.readouterr().out
    assert main(["ledger", "export"]) == 0
    assert json.loads(capsys.readouterr().out)["populations"][0]["evaluated_on"] == today


def test_an_unknown_population_is_refused_before_data_are_read(
    ledger: Ledger, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["no-such-file.csv", "--hat", "09 8742d9d69ffffff", "--population", "Nobody"]
    assert main(["evaluate", *asked]) == 3
    assert '"Nobody" has no limit' in capsys.readouterr().err
    assert not ledger.was_evaluated(POPULATION)


def test_the_text_says_that_it_is_confidential(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--replica", "--mechanisms", "baseline,levy", *QUICK]) == 0
    told = capsys.readouterr().out
    assert "Confidential" in told
    assert len(told.splitlines()) == 1 + 2 * 3 + 1


BAD = {
    "nothing": [],
    "two sources": ["--replica", "replica", "--hat-csv", "x.csv"],
    "data without a hat": ["records.csv"],
    "hat without data": ["--hat", "09 8742d9d69ffffff"],
    "replica and data": ["records.csv", "--replica"],
    "eps": ["--replica", "--eps", "2:1:3"],
    "eps text": ["--replica", "--eps", "much"],
    "trials": ["--replica", "--trials", "0"],
    "too many trials": ["--replica", "--trials", "99999999"],
    "mechanism": ["--replica", "--mechanisms", "baseline,laplace"],
    "replica's bound": ["--replica", "--upper", "80"],
    "population without data": ["--replica", "--population", "Buses"],
    "population of a csv": ["--hat-csv", "x.csv", "--population", "Buses"],
    "bound": ["--hat-csv", "x.csv", "--upper", "-1"],
    "bound nan": ["--hat-csv", "x.csv", "--upper", "nan"],
    "missing file": ["--hat-csv", "no-such-file.csv"],
}


@pytest.mark.parametrize("name", BAD)
def test_bad_use_is_exit_2_and_says_how_to_mend_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", *BAD[name], "--json"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "where:" in told.err
    assert "mend:" in told.err


def test_a_bad_row_is_exit_2_without_its_content(hat_csv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hat_csv.write_text("user,value\nbus4711,fast\n", "utf-8")
    assert main(["evaluate", "--hat-csv", str(hat_csv), "--json"]) == 2
    told = capsys.readouterr().err
    assert "line 2" in told
    assert "bus4711" not in told
    assert "fast" not in told
