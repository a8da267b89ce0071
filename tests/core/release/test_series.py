"""core.release.series: which period comes next, and what its release is called."""

from __future__ import annotations

import datetime as dt
import tomllib
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.ledger_events import Published, Spent
from core.accounting.ledger_fold import fold
from core.accounting.ledger_report import PopulationSummary, summarise_populations
from core.errors import InputError
from core.release.series import (
    Period,
    PeriodLength,
    length_of,
    next_in_series,
    period_called,
    period_with,
    year_of,
)
from core.release_texts import SeriesTexts
from core.spec import ReleaseSpec
from tests.city import POPULATION, SPEC
from tests.core.accounting.ledger_cases import charge_of, reserved_of, start_of

TODAY = dt.date(2022, 6, 10)
lengths = st.sampled_from(list(PeriodLength))
days = st.dates(dt.date(1970, 1, 1), dt.date(2200, 1, 1))


def template(dates: object = "next month", title: str = "Speeds, {period}") -> dict[str, Any]:
    document = tomllib.loads(SPEC)
    document["hats"]["dates"] = dates
    document["release"]["title"] = title
    return document


def ledger_with(*bundles: str, population: str = POPULATION) -> tuple[PopulationSummary, ...]:
    events = list(start_of(population, per_vehicle="100"))
    for number, bundle in enumerate(bundles, start=1):
        events += [
            reserved_of(number, charge_of({dt.date(2022, 1, 3): "1"}), population=population),
            Spent(entry=number, draws="{}"),
            *([Published(entry=number, bundle=bundle, manifest_sha256="0" * 64)] if bundle else []),
        ]
    return summarise_populations(fold(events))


def found(
    *bundles: str, begin: str | None = None, dates: object = "next month", today: dt.date = TODAY
) -> tuple[ReleaseSpec, Period]:
    return next_in_series(template(dates), Path(), ledger_with(*bundles), begin=begin, today=today)


@given(lengths, days)
def test_periods_follow_each_other_without_gap_and_their_labels_tell_them(
    length: PeriodLength, day: dt.date
) -> None:
    periods = [period_with(length, day)]
    for _ in range(14):
        periods.append(periods[-1].following)
    assert periods[0].first <= day <= periods[0].last
    for one, next_one in pairwise(periods):
        assert next_one.first - one.last == dt.timedelta(days=1)
    for one in periods:
        assert period_called(length, one.label, where="") == one
        assert period_with(length, one.first) == period_with(length, one.last) == one
    assert len({one.label for one in periods}) == len(periods)


def test_labels() -> None:
    day = dt.date(2021, 1, 2)
    assert [period_with(length, day).label for length in PeriodLength] == [
        "2021-01-02",
        "2020-w53",
        "2021-01",
    ]


def test_the_first_is_named_and_the_next_follows() -> None:
    spec, period = found(begin="2022-01")
    assert (spec.texts.folder, spec.texts.title) == ("test-speed-2022-01-1.0.0", "Speeds, 2022-01")
    assert spec.texts.series == SeriesTexts(name="test-speed", title="Speeds", every="month")
    assert spec.window.date_ranges == ((dt.date(2022, 1, 1), dt.date(2022, 1, 31)),)
    assert period.length is PeriodLength.MONTH
    spec, _ = found("test-speed-2022-01-1.0.0", "test-speed-2022-02-1.0.1", "other-2022-04-1.0.0")
    assert spec.texts.name == "test-speed-2022-03"


def test_what_was_drawn_and_not_published_is_the_next_again() -> None:
    assert found("test-speed-2022-01-1.0.0", "")[1].label == "2022-02"


@pytest.mark.parametrize(
    "bundle", ["test-speed-2022-01-05-1.0.0", "test-speed-x-2022-01-1.0.0", "test-speed-1.0.0"]
)
def test_a_series_begins_after_what_the_population_released_otherwise(bundle: str) -> None:
    """The entry is of January 3rd: February is the first month after it, the 10th the first Monday."""
    assert found(bundle)[1].label == "2022-02"
    assert found("other-2021-1.0.0", dates="next week")[1].label == "2022-w02"
    assert found("other-2021-1.0.0", dates="next day")[1].label == "2022-01-04"


def test_without_any_release_nothing_tells_where_it_begins() -> None:
    others = ledger_with("test-speed-2022-01-1.0.0", population="Others")
    for populations in ((), others, ledger_with(), ledger_with("")):
        with pytest.raises(InputError, match="Nothing of the series"):
            next_in_series(template(), Path(), populations, begin=None, today=TODAY)


@pytest.mark.parametrize(("today", "over"), [(dt.date(2022, 5, 31), False), (dt.date(2022, 6, 1), True)])
def test_a_period_has_to_be_over(today: dt.date, *, over: bool) -> None:
    if over:
        assert found(begin="2022-05", today=today)[1].label == "2022-05"
    else:
        with pytest.raises(InputError, match="not over yet") as told:
            found(begin="2022-05", today=today)
        assert "2022-06-01" in told.value.mend


@pytest.mark.parametrize("label", ["2022", "2022-13", "2022-w03", "2022-01-01", "", "2022-1"])
def test_what_is_no_period_is_refused(label: str) -> None:
    with pytest.raises(InputError, match="is not a period of a series"):
        found(begin=label)


@pytest.mark.parametrize("begin", ["2022-01", "2022-02"])
def test_a_series_begins_once(begin: str) -> None:
    with pytest.raises(InputError, match="its last period is 2022-02"):
        found("test-speed-2022-02-1.0.0", begin=begin)


def test_periods_that_nobody_can_release_are_passed_over_by_naming_a_later_one() -> None:
    """A day without any record would hold up a series for good."""
    assert found("test-speed-2022-02-1.0.0", begin="2022-05")[1].label == "2022-05"


@pytest.mark.parametrize(("kind", "label"), [("weekday", "2022-01-10"), ("weekend", "2022-01-08")])
def test_a_period_without_any_day_of_the_kind_is_passed_over(kind: str, label: str) -> None:
    """January 7th, 2022, is a Friday: nobody has to run a daily series of weekdays past a Saturday."""
    document = template("next day")
    document["hats"]["days"] = kind
    ledger = ledger_with("test-speed-2022-01-07-1.0.0")
    spec, period = next_in_series(document, Path(), ledger, begin=None, today=TODAY)
    assert period.label == label
    assert spec.window.date_ranges == ((period.first, period.last),)


def test_weeks_and_months_without_a_listed_day_are_passed_over_until_one_is_not_over(tmp_path: Path) -> None:
    (tmp_path / "holidays.txt").write_text("2022-01-26\n2022-05-16\n2022-07-05\n")
    labels = []
    for dates, newest in (("next month", "2022-01"), ("next month", "2022-05"), ("next week", "2022-w04")):
        document = template(dates)
        document["hats"]["days"] = "holidays.txt"
        ledger = ledger_with(f"test-speed-{newest}-1.0.0")
        try:
            labels.append(next_in_series(document, tmp_path, ledger, begin=None, today=TODAY)[1].label)
        except InputError as error:
            labels.append(error.what)
    assert labels == ["2022-05", "The period 2022-06 is not over yet.", "2022-w20"]


@pytest.mark.parametrize("dates", [["2022-01-03", "2022-01-04"], "next year", 3, None])
def test_a_spec_with_dates_is_no_template(dates: object) -> None:
    with pytest.raises(InputError, match="not a template"):
        found(begin="2022-01", dates=dates)


@pytest.mark.parametrize("missing", ["release", "privacy"])
def test_a_template_with_a_table_missing_is_refused_like_any_spec(missing: str) -> None:
    document = template()
    del document[missing]
    with pytest.raises(InputError) as told:
        next_in_series(document, Path(), ledger_with(), begin="2022-01", today=TODAY)
    assert missing in told.value.where


@given(lengths, days)
def test_dates_of_a_whole_period_are_told_and_no_others(length: PeriodLength, day: dt.date) -> None:
    period = period_with(length, day)
    dates = [period.first + dt.timedelta(days=step) for step in range((period.last - period.first).days + 1)]
    assert length_of(dates) is length
    if len(dates) > 2:
        assert length_of(dates[1:]) is None
        assert length_of(dates[:1] + dates[2:]) is None


@pytest.mark.parametrize(
    ("first", "last", "length", "total"),
    [
        (dt.date(2022, 6, 1), dt.date(2022, 6, 30), PeriodLength.MONTH, "120"),
        (dt.date(2022, 6, 6), dt.date(2022, 6, 12), PeriodLength.WEEK, "520"),
        (dt.date(2022, 6, 6), dt.date(2022, 6, 6), PeriodLength.DAY, "3650"),
    ],
)
def test_a_year_of_such_releases_needs_so_much(
    first: dt.date, last: dt.date, length: PeriodLength, total: str
) -> None:
    dates = [first + dt.timedelta(days=n) for n in range((last - first).days + 1)]
    found = year_of(dates, charge_of({first: "10"}), Decimal(0))
    assert found is not None
    assert (found.length, found.epsilon) == (length, Decimal(total))
    assert year_of([*dates, last + dt.timedelta(days=9)], charge_of({first: "10"}), Decimal(0)) is None
