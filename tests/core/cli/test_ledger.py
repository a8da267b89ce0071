"""`ledger`: what is shown of it, its limits, and damage."""

from __future__ import annotations

import json
import shutil
from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting import ledger_rules
from core.accounting.ledger import Ledger
from core.cli import main
from core.errors import BudgetRefused
from core.privacy import Relation
from tests.city import POPULATION, write_city
from tests.commands import limit, release, snapshot
from tests.core.accounting.ledger_cases import DAY, ZONE, charge_of, request_of


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


def test_entries_of_a_day_are_told_apart_by_their_releases(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit("20")
    assert home.is_dir()
    city, out = tmp_path / "city", tmp_path / "out"
    assert release(write_city(city), out) == 0
    assert release(write_city(city, edit=(('"1.0.0"', '"1.1.0"'), ('"6"', '"5"'))), out) == 0
    charge = charge_of({DAY: "0.5"})
    Ledger.open(home / "ledger.sqlite").reserve(
        request_of(population=POPULATION, charge=charge, zone="Asia/Kolkata")
    )
    assert main(["ledger", "show"]) == 0
    entries = [line for line in capsys.readouterr().out.splitlines() if line.startswith("    entry ")]
    ends = ["published: test-speed-1.0.0", "published: test-speed-1.1.0", "reserved"]
    assert [line.rsplit(", ", 1)[1] for line in entries] == ends


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


def test_every_limit_is_answered(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those that stay as they were set too."""
    set_limit = ["ledger", "set-limit", POPULATION, "--per-vehicle"]
    assert main([*set_limit, "10", "--per-vehicle-day", "0.5", "--delta", "1e-6"]) == 0
    assert main([*set_limit, "20"]) == 0
    assert main([*set_limit, "20", "--per-vehicle-day", "none", "--delta", "0"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "The limits of 'Test buses': 10 per vehicle, 0.5 per vehicle and day, delta 0.000001.",
        "The limits of 'Test buses': 20 per vehicle, 0.5 per vehicle and day, delta 0.000001.",
        "The limits of 'Test buses': 20 per vehicle, none per vehicle and day, delta 0.",
    ]
    assert home.is_dir()


def test_the_zone_is_shown_and_another_is_refused(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit("20")
    assert release(write_city(tmp_path / "city"), tmp_path / "out") == 0
    assert main(["ledger", "show"]) == 0
    assert "Test buses (relation values, zone Asia/Kolkata)" in capsys.readouterr().out
    other = write_city(tmp_path / "city", edit=(('"Asia/Kolkata"', '"Asia/Colombo"'), ('"1.0.0"', '"1.1.0"')))
    (tmp_path / "city" / "records.csv").unlink()
    before = snapshot(home)
    assert release(other, tmp_path / "out") == 3
    what, where, mend = capsys.readouterr().err.strip().splitlines()
    assert 'in the zone "Asia/Kolkata"' in what
    assert "data.zone" in where
    assert 'choose the zone "Asia/Kolkata"' in mend
    assert snapshot(home) == before


def test_a_link_tells_what_is_spent_together_and_over_the_limit_nothing_is_released(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit("6")
    assert release(write_city(tmp_path / "city"), tmp_path / "out") == 0
    assert main(["ledger", "set-limit", "Same buses", "--per-vehicle", "5"]) == 0
    capsys.readouterr()
    assert main(["ledger", "link", "Same buses", POPULATION]) == 0
    told = capsys.readouterr().out
    assert "spent 6 of 5, left 0" in told
    assert "linked to Test buses: the sum of all, and the smallest limit" in told
    assert "over the limit: nothing is released until it is raised" in told
    assert main(["ledger", "show"]) == 0
    assert "entry 1 (Test buses) of " in capsys.readouterr().out
    before = snapshot(home)
    other = write_city(tmp_path / "city", edit=(('"Test buses"', '"Same buses"'), ('"6"', '"0.1"')))
    assert release(other, tmp_path / "other") == 3
    what, _, mend = capsys.readouterr().err.strip().splitlines()
    assert "spent more than its limit" in what
    assert 'ledger set-limit "Same buses" --per-vehicle' in mend
    assert snapshot(home) == before
    assert release(write_city(tmp_path / "city"), tmp_path / "again") == 0  # stored draws cost nothing


def test_populations_of_different_things_are_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limit()
    assert main(["ledger", "set-limit", "Sensors", "--per-vehicle", "5"]) == 0
    assert main(["ledger", "different", "Sensors", POPULATION]) == 0
    assert "no longer refused because ids look alike" in capsys.readouterr().out
    assert main(["ledger", "show"]) == 0
    assert "different things from Sensors, whatever their ids look like" in capsys.readouterr().out
    assert main(["ledger", "check"]) == 0
    assert main(["ledger", "different", POPULATION, "Nobody"]) == 3
    assert main(["ledger", "different", POPULATION, POPULATION]) == 2
    assert home.is_dir()


def test_linking_needs_two_populations(home: Path) -> None:
    limit()
    assert home.is_dir()
    assert main(["ledger", "link", POPULATION, "Nobody"]) == 3


def test_gaussian_noise_is_shown_beside_epsilon_and_needs_its_delta(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_limit = ["ledger", "set-limit", POPULATION, "--per-vehicle", "10"]
    assert main([*set_limit, "--delta", "1e-6"]) == 0
    assert main(["ledger", "show"]) == 0
    assert "    delta 0.000001\n" in capsys.readouterr().out
    charge = charge_of({DAY: "0.5"}, rho={DAY: "0.125"})
    Ledger.open(home / "ledger.sqlite").reserve(request_of(population=POPULATION, charge=charge))
    assert main(["ledger", "show"]) == 0
    told = capsys.readouterr().out
    assert "per vehicle: spent 3.22 of 10" in told
    assert "of Gaussian noise: pure epsilon 0.5 and rho 0.125, at delta 0.000001" in told
    assert ": 0.5 and rho 0.125 per vehicle, unit vehicle" in told
    assert main([*set_limit, "--delta", "0"]) == 0
    assert "nothing is released until a delta is set (--delta)" in capsys.readouterr().out
    assert main(["ledger", "show"]) == 0
    assert "Gaussian noise was spent and delta is 0: nothing is released" in capsys.readouterr().out
    assert main(["ledger", "show", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["populations"][0]["spent_per_vehicle"] is None


def test_a_limit_that_is_not_named_stays_as_it_was_set(home: Path) -> None:
    """Whoever raises the epsilon means neither to forbid Gaussian noise nor to drop the limit of a day."""

    def set_limit(*more: str) -> tuple[str, str, str]:
        assert main(["ledger", "set-limit", POPULATION, *more]) == 0
        (found,) = Ledger.open(home / "ledger.sqlite").populations()
        return str(found.own_per_vehicle), str(found.own_per_vehicle_day), str(found.delta)

    assert set_limit("--per-vehicle", "4") == ("4", "None", "0")
    assert set_limit("--per-vehicle", "5", "--per-vehicle-day", "2", "--delta", "1e-3") == ("5", "2", "0.001")
    assert set_limit("--per-vehicle", "8") == ("8", "2", "0.001")
    assert set_limit("--per-vehicle", "8", "--delta", "0") == ("8", "2", "0")
    assert set_limit("--per-vehicle", "8", "--per-vehicle-day", "none") == ("8", "None", "0")


def test_a_delta_above_a_thousandth_is_refused_and_one_above_one_in_all_vehicles_warned_of(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_limit = ["ledger", "set-limit", POPULATION, "--per-vehicle", "10", "--delta"]
    assert main([*set_limit, "0.9"]) == 2
    told = capsys.readouterr().err
    assert "Delta is above 0.001" in told
    assert "1e-6" in told
    assert main([*set_limit, "1e-3"]) == 0
    assert not capsys.readouterr().err
    vehicles = [str(number) for number in range(1001)]
    ledger = Ledger.open(home / "ledger.sqlite")
    ledger.reserve(request_of("1", population=POPULATION, vehicles=vehicles))
    assert main([*set_limit, "1e-3"]) == 0
    assert "above one divided by the 1,001 vehicles that the ledger has seen" in capsys.readouterr().err
    assert main([*set_limit, "1e-6"]) == 0
    assert not capsys.readouterr().err


def test_of_relation_user_no_count_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_limit = ["ledger", "set-limit", POPULATION, "--per-vehicle", "10", "--delta", "1e-3"]
    assert main(set_limit) == 0
    asked = request_of("1", population=POPULATION, relation=Relation.USER, vehicles=map(str, range(1001)))
    Ledger.open(home / "ledger.sqlite").reserve(asked)
    assert main(set_limit) == 0
    assert not capsys.readouterr().err


def test_a_delta_of_before_there_was_a_largest_one_stops_releases_until_it_is_lowered(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As older programs let one be set. Ledger and limits stay as they are."""
    ledger = Ledger.open(home / "ledger.sqlite")
    with monkeypatch.context() as older:
        older.setattr(ledger_rules, "LARGEST_DELTA", Decimal(1))
        ledger.set_limit(POPULATION, per_vehicle=Decimal(10), delta=Decimal("0.9"))
    with pytest.raises(BudgetRefused, match=r"has a delta of 0\.9, above 0\.001") as refused:
        ledger.reserve(request_of("1", population=POPULATION))
    assert (refused.value.exit_code, "--delta 0.000001" in refused.value.mend) == (3, True)
    with pytest.raises(BudgetRefused, match="above"):
        ledger.check_known(POPULATION, Relation.VALUES, ZONE, per_vehicle=Decimal(1), least=Decimal(1))
    assert main(["ledger", "show"]) == 0
    assert "delta is above 0.001: nothing is released until it is lowered" in capsys.readouterr().out
    assert main(["ledger", "set-limit", POPULATION, "--per-vehicle", "9"]) == 0
    assert "Its delta is above 0.001" in capsys.readouterr().out
    assert main(["ledger", "set-limit", POPULATION, "--per-vehicle", "9", "--delta", "1e-6"]) == 0
    assert ledger.reserve(request_of("1", population=POPULATION)).entry == 1
