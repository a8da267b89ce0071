"""ui.ledger.words: dates and plans as people say them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from core.accounting.ledger import Ledger
from core.accounting.series_plan import SeriesPlan, plan_series
from core.progress import silent
from core.release.series import PeriodLength, length_of
from tests.ui.languages import spoken
from tests.ui.ledger_story import BUSES, TRAMS, month, pay
from ui.language.translation import catalogue_of
from ui.ledger.spending import Spending, spending_of
from ui.ledger.words import balance_in_words, covered, due_in_words, plan_in_words

DAY = dt.timedelta(days=1)
FIRST = dt.date(2022, 1, 3)


@pytest.mark.parametrize(
    ("dates", "told"),
    [
        ([FIRST], "2022-01-03"),
        ([FIRST + step * DAY for step in range(7)], "2022-w01"),
        (month(2), "2022-02"),
        ([FIRST, FIRST + DAY], "2022-01-03 to 2022-01-04"),
        ([FIRST, FIRST + 3 * DAY], "2022-01-03 to 2022-01-06, 2 days of it"),
    ],
)
def test_dates_are_told_shortly(dates: list[dt.date], told: str) -> None:
    assert covered(dates) == told


def _plan(
    *, count: int = 12, fits: int = 12, spent: str = "10", limit: str | None = "120", by_day: bool = False
) -> SeriesPlan:
    return SeriesPlan(
        count=count,
        cost=Decimal(108),
        spent=Decimal(spent),
        total=Decimal(108) + Decimal(spent),
        limit=None if limit is None else Decimal(limit),
        fits=fits,
        stopped_by_day=by_day,
    )


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (_plan(), "12 such months cost 108; with what is spent that is 118 of 120."),
        (_plan(spent="0"), "12 such months cost 108 of 120."),
        (
            _plan(fits=4),
            "12 such months cost 108; with what is spent that is 118 of 120. The limit takes 4 of them.",
        ),
        (
            _plan(fits=0, spent="0"),
            "12 such months cost 108 of 120. Not one of them fits.",
        ),
        (
            _plan(fits=0, spent="0", by_day=True),
            "12 such months cost 108 of 120. Not even one fits: it would exceed the daily limit per vehicle.",
        ),
        (_plan(limit=None), "12 such months cost 108. Set a limit first."),
    ],
)
def test_a_plan_is_told_in_words(plan: SeriesPlan, told: str) -> None:
    assert plan_in_words(plan, PeriodLength.MONTH) == told


def test_a_series_of_no_calendar_period_is_one_of_releases() -> None:
    assert plan_in_words(_plan(spent="0"), None).startswith("12 such releases cost")


def test_in_hindi_releases_that_cost_something_are_oblique(qapp: QApplication) -> None:
    with spoken(qapp, catalogue_of("hi")):
        assert plan_in_words(_plan(spent="0"), PeriodLength.MONTH) == "ऐसे 12 महीनों की लागत 120 में से 108 है।"
        assert plan_in_words(_plan(count=1, fits=1, spent="0"), None) == "ऐसे 1 प्रकाशन की लागत 120 में से 108 है।"


def _spending(folder: Path, *, limit: str, per_day: str) -> Spending:
    """Ten days are paid for, then the limit is changed."""
    ledger = Ledger.open(folder / "ledger.sqlite")
    ledger.set_limit(TRAMS, per_vehicle=Decimal(8))
    pay(ledger, TRAMS, month(3)[:10], per_day, bundle="trams-1.0.0")
    ledger.set_limit(TRAMS, per_vehicle=Decimal(limit))
    [population] = ledger.populations()
    return spending_of(population, silent)


def test_what_is_spent_and_what_is_left_never_read_as_more_than_the_limit(tmp_path: Path) -> None:
    """Of whole tokens nobody pays the last: what reads as all of the limit leaves nothing to read."""
    told = balance_in_words(_spending(tmp_path, limit="8", per_day="0.7999996"))
    assert told.startswith("Each vehicle has 0 left of 8: 8 are spent.")
    (tmp_path / "less").mkdir()
    told = balance_in_words(_spending(tmp_path / "less", limit="8", per_day="0.7123456"))
    assert told.startswith("Each vehicle has 0.876 left of 8: 7.124 are spent.")


def test_why_gaussian_noise_costs_less_than_its_epsilons_is_said_where_some_was_bought(
    tmp_path: Path,
) -> None:
    """Two of epsilon 5 left more than 10 of 20, and nothing said why."""
    reason = "Costs with Gaussian noise add up more slowly than their epsilons."
    assert reason not in balance_in_words(_spending(tmp_path, limit="8", per_day="0.1"))
    ledger = Ledger.open(tmp_path / "gaussian.sqlite")
    ledger.set_limit(TRAMS, per_vehicle=Decimal(20), delta=Decimal("1e-6"))
    for number in (3, 4):
        pay(ledger, TRAMS, month(number)[:1], "0", rho="0.2", bundle=f"trams-{number}.0.0")
    [population] = ledger.populations()
    assert balance_in_words(spending_of(population, silent)).endswith(f"\n{reason}")


@pytest.mark.parametrize(
    ("limit", "per_day", "told"),
    [
        ("6", "0.7", "7 are spent, more than the limit of 6: nothing new is released until it is raised."),
        (
            "7",
            "0.7",
            "Each vehicle has 0 left of 7: 7 are spent.\n"
            "That is less than one more release like the last one.",
        ),
    ],
)
def test_a_limit_that_is_passed_is_told_so(tmp_path: Path, limit: str, per_day: str, told: str) -> None:
    assert balance_in_words(_spending(tmp_path, limit=limit, per_day=per_day)) == told


def test_what_a_day_does_not_allow_is_not_promised_of_what_is_left(tmp_path: Path) -> None:
    """The plan of a series says beside it that none fits."""
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(TRAMS, per_vehicle=Decimal(100))
    pay(ledger, TRAMS, month(3)[:10], "0.7", bundle="trams-1.0.0")
    ledger.set_limit(TRAMS, per_vehicle=Decimal(100), per_vehicle_day=Decimal("0.5"))
    [population] = ledger.populations()
    left, more, _ = balance_in_words(spending_of(population, silent)).split("\n")
    assert left == "Each vehicle has 93 left of 100: 7 are spent."
    assert more == "One more release like the last one would exceed the limit per vehicle and day."


def test_a_population_of_weeks_is_told_in_weeks(tmp_path: Path) -> None:
    """Neither its dates nor the plan of its series are days."""
    week = [FIRST + step * DAY for step in range(7)]
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        ledger.set_limit(BUSES, per_vehicle=Decimal(50))
        pay(ledger, BUSES, week, "1", bundle="week-1.0.0")
        (population,) = ledger.populations()
    (entry,) = population.entries
    assert covered(entry.dates) == "2022-w01"
    told = plan_in_words(plan_series(population, entry.charge, 12), length_of(entry.dates))
    assert told.startswith("12 such weeks cost 84;")
    assert "day" not in told


@pytest.mark.parametrize(
    ("today", "told"),
    [
        (dt.date(2022, 3, 31), ""),
        (dt.date(2022, 4, 1), "Due: a release of 2022-03."),
        (dt.date(2022, 6, 1), "Due: releases from 2022-03 on."),
    ],
)
def test_what_is_due_is_said(tmp_path: Path, today: dt.date, told: str) -> None:
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        ledger.set_limit(BUSES, per_vehicle=Decimal(50))
        pay(ledger, BUSES, month(2), "0.1", bundle="month-1.0.0")
        (population,) = ledger.populations()
    assert due_in_words(population.entries, today) == told
