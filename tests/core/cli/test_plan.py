"""`plan`: what a total buys, and what an error costs, from counts alone."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.accounting.ledger import Ledger
from core.advice import delta_worth
from core.cli import main
from core.contributions import EVALUATION_TIE_KEY, Contributions, UserTable, users_of
from core.keys.signing_key import generate_key
from core.privacy import Unit
from core.release.prepare_publish import prepare, publish
from core.spec import load_spec
from core.system.paths import resources
from tests.builders import NOW
from tests.city import DERIVED, PASSPHRASE, POPULATION, write_city
from tests.commands import limit, snapshot
from tests.labelled_city import BY_ROUTE, BY_ZONE, write_labelled_city
from tests.taxis import write_taxis

SAMPLE = resources() / "sample"
TOKENS = (
    ('mechanism = "array-averaging"', 'mechanism = "tokens"'),
    ('grouping = "bestfit"\nm_ub = "median"', ""),
)


@pytest.fixture
def spec(tmp_path: Path, home: Path) -> Path:
    assert home.is_dir()
    return write_city(tmp_path / "city", edit=TOKENS)


def asked(spec: Path, *more: str) -> list[str]:
    return ["plan", str(spec.parent / "records.csv"), "--spec", str(spec), *more]


def told(capsys: pytest.CaptureFixture[str], line: list[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert main([*line, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """What is printed of the city with these options, where there is no ledger; each once."""
    folder = tmp_path_factory.mktemp("planned")
    spec = write_city(folder / "city", edit=TOKENS)

    @cache
    def run(*more: str) -> str:
        out = io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
            patch.setenv("HEXVEIL_HOME", str(folder / "home"))
            assert main(asked(spec, *more)) == 0
        return out.getvalue()

    return run


def test_the_list_is_of_the_specs_total_or_the_one_that_is_given(printed: Callable[..., str]) -> None:
    usual = json.loads(printed("--json"))
    assert (usual["confidential"], usual["total"]) == (True, "6")
    more = json.loads(printed("--total", "60", "--json"))
    assert more["own"]["error_raw"] < usual["own"]["error_raw"]
    assert more["own"]["noise"] == "laplace"
    text = printed("--total", "60")
    assert text.startswith("CONFIDENTIAL")
    assert "needs a total of at least" in text
    assert more["reason"] in text


def test_an_error_asks_for_a_total_that_the_list_agrees_with(printed: Callable[..., str]) -> None:
    found = json.loads(printed("--error", "4", "--raw", "--json"))
    again = json.loads(printed("--total", found["total"], "--json"))
    assert again["own"]["error_raw"] <= 4.0 * 1.02
    worst = json.loads(printed("--error", "4", "--raw", "--goal", "worst", "--json"))
    assert Decimal(worst["total"]) >= Decimal(found["total"])
    assert "total_if_better" not in found, "raw errors are foretold without a range"
    smooth = json.loads(printed("--error", "4", "--json"))
    assert Decimal(smooth["total_if_better"]) <= Decimal(smooth["total"]) <= Decimal(found["total"])
    text = printed("--error", "4")
    assert "per vehicle" in text
    assert f"between {smooth['total_if_better']}\nand {smooth['total']} may be enough" in text


def test_an_error_names_the_total_that_would_do_with_a_delta(
    spec: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(capsys, asked(spec, "--error", "4"))["with_delta"] is None, "that gains little here"
    monkeypatch.setattr(delta_worth, "LEAST_GAIN", -9.0)
    promised = told(capsys, asked(spec, "--error", "4"))["with_delta"]
    again = told(capsys, asked(spec, "--error", "4", "--delta", promised["delta"]))
    assert (again["total"], again["with_delta"]) == (promised["total"], None)
    assert main(asked(spec, "--error", "4")) == 0
    said = capsys.readouterr().out
    assert f"With a delta of 1e-6 and Gaussian noise a total of {promised['total']} would do." in said


@pytest.mark.parametrize("more", [(), ("--error", "4")])
def test_a_spec_of_no_joint_release_is_said_to_be_planned_as_another(
    tmp_path: Path, more: tuple[str, ...], printed: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "mean by tokens, not of its query" not in printed(*more)
    assert main(asked(write_city(tmp_path), *more)) == 0
    assert "mean by tokens, not of its query" in capsys.readouterr().out


def test_a_window_without_a_record_is_said_to_be_one(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was advised to raise the total."""
    assert home.is_dir()
    spec = write_city(tmp_path / "city", edit=(*TOKENS, ('["09:00", "12:00"]', '["02:00", "03:00"]')))
    assert main(asked(spec)) == 2
    assert "The window contains no record." in capsys.readouterr().err


def test_what_is_not_smoothed_is_not_called_so(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = spec.read_text("utf-8").replace("[query.parameters]\n", "[query.parameters]\nsmooth = false\n")
    spec.write_text(text, encoding="utf-8")
    found = told(capsys, asked(spec, "--error", "4"))
    assert found["smoothed"] is False
    assert "total_if_better" not in found
    capsys.readouterr()
    assert main(asked(spec, "--error", "4")) == 0
    assert "raw number" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "where"),
    [
        (["--error", "0"], "--error"),
        (["--error", "nan"], "--error"),
        (["--error", "2", "--total", "3"], "--total"),
        (["--total", "-1"], "--total"),
        (["--delta", "2"], "--delta"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    spec: Path, more: list[str], where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(asked(spec, *more)) == 2
    assert where in capsys.readouterr().err


def test_in_relation_user_no_record_chooses(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert home.is_dir()
    assert main(asked(write_taxis(tmp_path / "other"))) == 2
    assert "no record may choose" in capsys.readouterr().err


def test_a_spec_alone_names_its_own_files(
    spec: Path, printed: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(capsys, ["plan", str(spec)]) == json.loads(printed("--json"))
    assert main(["plan"]) == 2
    assert "DATA" in capsys.readouterr().err


def test_speeds_from_positions_are_planned_in_relation_user_alone(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_city(spec.parent, edit=(*TOKENS, *DERIVED))
    assert main(asked(spec)) == 2
    assert 'relation = "user"' in capsys.readouterr().err
    assert main(["table", str(spec.parent / "records.csv"), "--spec", str(spec), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["advice"] is None


def test_in_relation_values_counts_are_those_of_the_data(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(asked(spec, "--fleet", "12")) == 2
    assert "--fleet" in capsys.readouterr().err


def test_what_a_delta_would_bring_is_said_until_there_is_one(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The finest grid's error falls from 4.0 to 3.7 km/h, and no word of it was said."""
    assert home.is_dir()
    sample = ["plan", str(tmp_path / "sample.toml")]
    text = (SAMPLE / "sample.toml").read_text("utf-8").replace("01-03", "01-05").replace("01-09", "01-06")
    text = text.replace('"surat-synthetic.p', f'"{SAMPLE.as_posix()}/surat-synthetic.p')
    Path(sample[1]).write_text(text, "utf-8")
    named = ["ledger", "set-limit", load_spec(Path(sample[1])).population, "--per-vehicle", "10"]
    assert main(named) == 0  # its key orders equal vehicles, now and then
    found = told(capsys, sample)
    promised = found["with_delta"]
    assert found["reason"].endswith("Allow it with ledger set-limit --delta 1e-6.")
    assert main([*named, "--delta", promised.pop("delta")]) == 0
    again = told(capsys, sample)
    assert promised in again["grids"]
    assert again["with_delta"] is None
    assert "delta" not in again["reason"]


@pytest.mark.parametrize("more", [(), ("--error", "4")])
def test_equal_vehicles_stand_in_the_order_of_the_specs_population(
    spec: Path, home: Path, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in its releases; a population that the ledger does not know has no order yet."""
    keys: set[bytes] = set()

    def noting(table: Contributions, unit: Unit, key: bytes) -> UserTable:
        keys.add(key)
        return users_of(table, unit, key)

    for module in ("core.cli.plan", "core.advice.city_advice"):
        monkeypatch.setattr(f"{module}.users_of", noting)
    assert main(asked(spec, *more)) == 0
    assert keys == {EVALUATION_TIE_KEY}
    limit()
    before = snapshot(home)
    keys.clear()
    assert main(asked(spec, *more)) == 0
    assert keys == {Ledger.open(home / "ledger.sqlite").tie_key(POPULATION)}
    assert snapshot(home) == before, "the ledger is only read"


def test_what_the_newest_release_foretells_is_said(
    spec: Path, home: Path, tmp_path: Path, printed: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Errors were others than before that release, without a word."""
    limit()
    with Ledger.open(home / "ledger.sqlite") as ledger:
        key = generate_key(tmp_path / "key", PASSPHRASE)
        publish(prepare(load_spec(spec), ledger), ledger, key=key, out=tmp_path / "out", now=NOW)
    for more in ((), ("--error", "4")):
        assert "Foretold by" not in printed(*more)
        assert main(asked(spec, *more)) == 0
        said = capsys.readouterr().out
        assert said.rstrip().endswith("Foretold by the release of 2022-01-03 to 2022-01-04.")


PERIODS = ("slot_minutes = 60", 'periods = { early = ["09:00", "10:30"], late = ["10:30", "12:00"] }')


@pytest.mark.parametrize("places", [BY_ROUTE, BY_ZONE], ids=["routes", "zones"])
def test_places_and_periods_of_the_spec_are_further_grids_and_no_hexagons(
    places: tuple[tuple[str, str], ...], tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert home.is_dir()
    spec = write_labelled_city(tmp_path / "city", (*TOKENS, *places, PERIODS))
    found = told(capsys, asked(spec))
    kinds = {(one["resolution"] > 0, "periods" in one) for one in found["grids"]}
    assert kinds == {(True, True), (True, False), (False, True), (False, False)}
    of_spec = next(one for one in found["grids"] if not one["resolution"] and "periods" in one)
    assert of_spec == found["own"], "the same plan, error and cost"
    named = [found[role] for role in ("finest", "balanced", "most_exact")]
    assert all(named)
    assert not any(one["resolution"] for one in named), "what is recommended is of the places asked for"
    assert main(asked(spec)) == 0
    text = capsys.readouterr().out
    assert "hexagon" not in text.lower()
    assert "places" in text
    assert "further" in text
    assert f"{of_spec['error_raw']:.2f}" in text


def test_periods_of_hexagons_are_compared_with_slots(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert home.is_dir()
    found = told(capsys, asked(write_city(tmp_path / "city", edit=(*TOKENS, PERIODS))))
    assert {(one["resolution"], "periods" in one) for one in found["grids"]} >= {(7, True), (7, False)}
    assert all(one["resolution"] for one in found["grids"])
