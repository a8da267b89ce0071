"""`evaluate`: the three kinds of data, the JSON of method 15, and what is refused."""

from __future__ import annotations

import datetime as dt
import io
import json
from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.cli import evaluate as command
from core.cli import main
from core.contributions import contributions_of
from core.errors import LedgerError
from core.mechanisms.registry import mechanisms_of
from core.privacy import Relation
from core.spec import load_spec
from core.store.load_records import load_records
from tests.city import PASSPHRASE, POPULATION, write_city
from tests.commands import limit, release
from tests.core.console.test_consent import Terminal
from tests.taxis import POPULATION as TAXIS
from tests.taxis import ledger_in, write_taxis

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
    assert {row["mechanism"] for row in rows} == set(mechanisms_of(Relation.VALUES))
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


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """True values are looked at in a home of the test's own."""
    folder = tmp_path / "home"
    monkeypatch.setenv("HEXVEIL_HOME", str(folder))
    return folder


def ledger_of(home: Path) -> Ledger:
    return Ledger.open(home / "ledger.sqlite")


MARKED = ["--population", POPULATION, "--yes"]


def test_rows_of_a_csv_and_their_bound(hat_csv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ["--hat-csv", str(hat_csv), *MARKED, "--mechanisms", "baseline"]
    wide = results(capsys, *data)
    narrow = results(capsys, *data, "--upper", "32.5")
    assert wide[0]["sensitivity"] == pytest.approx(2 * narrow[0]["sensitivity"])  # type: ignore[operator]
    assert wide[0]["sensitivity"] == pytest.approx(65 * 29 / 200)


@pytest.fixture
def loaded(tmp_path: Path) -> list[str]:
    """What names a HAT of loaded data, without population and consent."""
    path = write_city(tmp_path)
    spec = load_spec(path)
    table = contributions_of(load_records(spec.data.paths(), spec.data.rules).records, 7, spec.window)
    return [str(tmp_path / "records.csv"), "--spec", str(path), "--hat", table.hat_name(0)]


def test_a_hat_of_loaded_data(loaded: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    data = [*loaded, *MARKED, "--mechanisms", "levy"]
    guessed = results(capsys, *data)
    assert all(list(row) == KEYS for row in guessed)
    halved = results(capsys, *data, "--upper", "32.5")
    assert halved[0]["sensitivity"] < guessed[0]["sensitivity"]  # type: ignore[operator]


def test_a_population_is_marked_before_errors_are_computed(
    loaded: list[str], home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = [*loaded, *MARKED, "--mechanisms", "baseline"]
    assert main(["evaluate", *data[:-3], "--hat", "09 8742d9d69ffff00", "--yes"]) == 2
    assert not home.joinpath("ledger.sqlite").exists()
    seen = []
    evaluate = command.evaluate
    monkeypatch.setattr(
        command,
        "evaluate",
        lambda *a, **k: seen.append(ledger_of(home).was_evaluated(POPULATION)) or evaluate(*a, **k),
    )
    capsys.readouterr()
    results(capsys, *data)
    results(capsys, *data)
    assert seen == [True, True]
    assert main(["ledger", "show"]) == 0
    today = dt.datetime.now(dt.UTC).date().isoformat()
    shown = capsys.readouterr().out
    assert f"evaluated on true values since {today}" in shown
    assert "no limit: nothing is released until one is set" in shown
    assert main(["ledger", "export"]) == 0
    (population,) = json.loads(capsys.readouterr().out)["populations"]
    assert (population["evaluated_on"], population["limit_per_vehicle"]) == (today, None)


def test_a_limit_of_the_population_stays(
    hat_csv: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger_of(home).set_limit(POPULATION, per_vehicle=Decimal(10))
    results(capsys, "--hat-csv", str(hat_csv), *MARKED, "--mechanisms", "baseline")
    (population,) = ledger_of(home).populations()
    assert population.per_vehicle == 10
    assert population.evaluated_on is not None


@pytest.mark.parametrize(
    "given", [[], ["--yes"], ["--population", POPULATION], ["--population", " ", "--yes"]]
)
@pytest.mark.parametrize("source", ["hat", "hat-csv"])
def test_without_population_or_consent_nothing_is_read_shown_or_entered(
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    given: list[str],
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    data = {
        "hat": ["no-such-file.csv", "--hat", "09 8742d9d69ffffff"],
        "hat-csv": ["--hat-csv", "no-such-file.csv"],
    }
    assert main(["evaluate", *data[source], *given]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    what, where, mend = told.err.strip().splitlines()
    assert "no-such-file" not in told.err
    if "--population" not in given:
        assert "--population" in where
        assert "--population NAME" in mend
    elif "--yes" not in given:
        assert "consent" in what
        assert "--yes" in mend
    assert not home.exists()


@pytest.mark.parametrize(("typed", "shown"), [("yes", True), ("no", False)])
def test_at_a_terminal_it_is_asked_once(
    hat_csv: Path,
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    shown: bool,
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(f"{typed}\n"))
    data = ["--hat-csv", str(hat_csv), "--population", POPULATION, "--mechanisms", "baseline,levy", *QUICK]
    assert main(["evaluate", *data]) == 0
    told = capsys.readouterr().out
    assert told.count("Type yes") == 1
    assert ("levy" in told) is shown
    assert ("Nothing was evaluated." in told) is not shown
    assert home.joinpath("ledger.sqlite").exists() is shown


def test_a_ledger_that_cannot_be_written_shows_nothing(
    hat_csv: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> None:
        raise LedgerError("The ledger is busy.")

    monkeypatch.setattr(Ledger, "mark_evaluated", busy)
    assert main(["evaluate", "--hat-csv", str(hat_csv), *MARKED, *QUICK]) == 1
    assert capsys.readouterr().out == ""


def test_later_releases_say_that_true_values_were_looked_at(
    tmp_path: Path, loaded: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", PASSPHRASE)
    assert main(["keygen"]) == 0
    capsys.readouterr()
    results(capsys, *loaded, *MARKED, "--mechanisms", "baseline")
    spec = tmp_path / "spec.toml"
    assert release(spec, tmp_path / "out") == 3  # the name is there, a limit is not
    limit()
    assert release(spec, tmp_path / "out") == 0
    stated = json.loads((tmp_path / "out" / "test-speed-1.0.0" / "privacy.json").read_bytes())
    assert stated["parameters_chosen_after_confidential_evaluation"] is True


def test_replicas_mark_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results(capsys, "--replica", "--yes", "--mechanisms", "baseline")
    assert not home.joinpath("ledger.sqlite").exists()


def test_the_text_says_that_it_is_confidential(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--replica", "--mechanisms", "baseline,levy", *QUICK]) == 0
    told = capsys.readouterr().out
    assert "Confidential" in told
    assert len(told.splitlines()) == 1 + 2 * 3 + 1


def test_event_level_rows_stand_beside_the_others_and_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    rows = results(capsys, "--replica", "--mechanisms", "baseline", "--event-level")
    assert [row.get("neighbours") for row in rows] == [None, None, "event", "event"]
    assert [row["noise_scale"] for row in rows] == pytest.approx(
        [65 * records / 17_166 / eps for records in (417, 1) for eps in (0.5, 1)], rel=1e-6
    )
    assert main(["evaluate", "--replica", "--mechanisms", "baseline", "--event-level", *QUICK]) == 0
    told = capsys.readouterr().out
    assert "baseline, one record" in told
    assert "not a vehicle" in told


BAD = {
    "event-level city": ["records.csv", "--city", "--event-level", *MARKED],
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
    "bound": ["--hat-csv", "x.csv", "--upper", "-1", *MARKED],
    "bound nan": ["--hat-csv", "x.csv", "--upper", "nan", *MARKED],
    "missing file": ["--hat-csv", "no-such-file.csv", *MARKED],
}


@pytest.mark.parametrize("name", BAD)
def test_bad_use_is_exit_2_and_says_how_to_mend_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", *BAD[name], "--json"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "where:" in told.err
    assert "fix:" in told.err


def test_a_bad_row_is_exit_2_without_its_content(hat_csv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hat_csv.write_text("user,value\nbus4711,fast\n", "utf-8")
    assert main(["evaluate", "--hat-csv", str(hat_csv), *MARKED, "--json"]) == 2
    told = capsys.readouterr().err
    assert "line 2" in told
    assert "bus4711" not in told
    assert "fast" not in told


def test_the_third_replica_has_dwell_time(capsys: pytest.CaptureFixture[str]) -> None:
    own, arrays, *_ = (
        results(capsys, "--replica", "replica-dwell", "--mechanisms", key)[0]
        for key in ("two-step-clipping", "array-averaging")
    )
    assert abs(own["bias"]) < 0.2 < arrays["bias"]  # type: ignore[arg-type, operator]


@pytest.mark.parametrize(
    ("given", "arrays", "m_ub"),
    [
        (["sample"], 164, 560),
        (["sample", "--factor", "3"], 164, 168),
        (["user", "--factor", "2"], 328, 56),
    ],
)
def test_a_scaled_replica(
    given: list[str], arrays: int, m_ub: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """P3 Lemma IV.1 and IV.2, at any factor."""
    row, *_ = results(capsys, "--replica", "--scale", *given, "--mechanisms", "levy")
    assert (row["arrays"], row["m_ub"]) == (arrays, m_ub)


def test_gaussian_noise_of_one_hat_of_several_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--replica", "--mechanisms", "baseline,levy", "--hats", "60", "--delta", "1e-6")
    rows = [row for row in results(capsys, *given) if row.get("noise") == "gauss"]
    assert {row["mechanism"] for row in rows} == {"baseline"}
    assert all(float(str(row["mae_exact"])) > 0 for row in rows)
    assert main(["evaluate", *given, *QUICK]) == 0
    told = capsys.readouterr().out
    assert "baseline, gauss" in told
    assert "Gaussian noise of one hexagon slot of 60 at delta 0.000001" in told


@pytest.mark.parametrize(
    ("more", "says", "where"),
    [
        (["--hats", "60"], "needs a delta", "--delta"),
        (["--hats", "0", "--delta", "1e-6"], "cannot be shared by so many", "--hats"),
        (["--hats", "1", "--delta", "1e-6", "--eps", "0.1:1:2"], "buys no Gaussian noise", "epsilon"),
    ],
)
def test_gaussian_noise_that_cannot_be_had_is_refused(
    more: list[str], says: str, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "--replica", *more]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert where in told


def test_parameters_are_given_to_the_mechanisms_that_have_them(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--replica", "--mechanisms", "baseline,array-averaging,levy"]
    rows = results(capsys, *chosen, "--m-ub", "all", "--gamma", "0.1", "--param", "grouping=bestfit")
    assert [(row["mechanism"], row["grouping"], row["m_ub"]) for row in rows[::2]] == [
        ("baseline", None, None),
        ("array-averaging", "bestfit", 417),
        ("levy", "bestfit", 417),
    ]
    assert results(capsys, *chosen, "--param", "m-ub=46")[2]["m_ub"] == 46


def test_more_records_than_anybody_has_are_all_and_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["evaluate", "--replica", "--mechanisms", "array-averaging", *QUICK, "--m-ub"]
    assert main([*asked, "1000"]) == 0
    assert "no user has more than 417 records, so 417 is taken" in capsys.readouterr().err
    assert main([*asked, "417"]) == 0
    assert "is taken" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "where"),
    [
        (["--replica", "--factor", "3"], "--factor"),
        (["--replica", "--scale", "user", "--factor", "0"], "--factor"),
        (["--replica", "--scale", "user", "--factor", "101"], "--factor"),
        (["--hat-csv", "hat.csv", "--population", "Buses", "--scale", "user"], "--scale"),
        (["--replica", "--param", "gamma"], "--param"),
        (["--replica", "--param", "speed=3"], "parameters"),
        (["--replica", "--m-ub", "3", "--param", "m_ub=4"], "--param"),
        (["--replica", "--m-ub", "half"], "m_ub of"),
        (["--replica", "--gamma", "2"], "gamma of levy"),
    ],
)
def test_what_cannot_be_scaled_or_given_is_refused(
    given: list[str], where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *given, *QUICK]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert where in told.err.splitlines()[1]
    assert told.err.splitlines()[2].startswith("fix:")


@pytest.mark.parametrize("what", [["--city"], ["--hat", "20 8742d98b6ffffff"]])
def test_a_spec_of_relation_user_is_refused_before_anything_is_looked_at(
    what: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = write_taxis(tmp_path / "taxis")
    ledger = ledger_in(tmp_path)
    monkeypatch.setenv("HEXVEIL_HOME", str(tmp_path))
    data = str(spec.parent / "records.csv")
    assert main(["evaluate", data, *what, "--spec", str(spec), "--population", TAXIS, "--yes"]) == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert "where: privacy.relation" in shown.err
    assert not ledger.was_evaluated(TAXIS)
