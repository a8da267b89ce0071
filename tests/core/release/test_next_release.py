"""core.release.next_release: the release after the last one, and what is due."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.accounting.ledger_report import EntrySummary
from core.draft.draft import Draft
from core.errors import InputError
from core.release.next_release import MOST_DUE, due_periods, next_release, period_of
from tests.ui.ledger_story import BUSES, month, pay

FIRST, LAST = dt.date(2015, 6, 1), dt.date(2015, 6, 30)
JUNE = Draft(
    date_ranges=((FIRST, LAST),),
    title="Bus speeds in Austin, June 2015",
    name="austin-bus-speeds-2015-06",
    version="1.2.0",
    confirmed=True,
)
TODAY = dt.date(2015, 8, 3)


def test_the_next_one_has_new_dates_and_names_and_is_else_the_same() -> None:
    found = next_release(JUNE, TODAY)
    assert found.date_ranges == ((dt.date(2015, 7, 1), dt.date(2015, 7, 31)),)
    assert (found.title, found.name) == ("Bus speeds in Austin, July 2015", "austin-bus-speeds-2015-07")
    assert found.version == "1.0.0"
    same = {name: getattr(JUNE, name) for name in ("date_ranges", "title", "name", "version")}
    assert dataclasses.replace(found, **same) == JUNE


@pytest.mark.parametrize(
    ("ranges", "title", "name", "told"),
    [
        (((FIRST, LAST),), "Speeds 2015-06", "speeds-2015-06", ("Speeds 2015-07", "speeds-2015-07")),
        (
            ((FIRST, LAST),),
            "Speeds, June 2015",
            "speeds-june-2015",
            ("Speeds, July 2015", "speeds-july-2015"),
        ),
        (((dt.date(2015, 6, 8), dt.date(2015, 6, 14)),), "Week 2015-w24", "week", ("Week 2015-w25", "")),
        (((LAST, LAST),), "On 2015-06-30", "day-2015-06-30", ("On 2015-07-01", "day-2015-07-01")),
        (((FIRST, LAST),), "Speeds of this summer", "speeds", ("", "")),
    ],
)
def test_titles_and_names_tell_the_new_period_or_are_asked_for(
    ranges: tuple[tuple[dt.date, dt.date], ...], title: str, name: str, told: tuple[str, str]
) -> None:
    """A title that went on telling the old month would be published."""
    draft = dataclasses.replace(JUNE, date_ranges=ranges, title=title, name=name)
    found = next_release(draft, TODAY)
    assert (found.title, found.name) == told


def test_a_period_that_is_not_over_is_refused_and_so_are_dates_that_are_none() -> None:
    with pytest.raises(InputError, match="2015-07 is not over yet") as early:
        next_release(JUNE, dt.date(2015, 7, 31))
    assert early.value.mend == "release it from 2015-08-01 on"
    for ranges in ((), ((FIRST, dt.date(2015, 6, 10)),), ((FIRST, FIRST), (LAST, LAST))):
        with pytest.raises(InputError, match="not a whole day, week or month"):
            next_release(dataclasses.replace(JUNE, date_ranges=ranges), TODAY)
        assert period_of(dataclasses.replace(JUNE, date_ranges=ranges)) is None


def _entries(
    folder: Path, dates: Sequence[list[dt.date]], *, published: bool = True
) -> tuple[EntrySummary, ...]:
    with Ledger.open(folder / "ledger.sqlite") as ledger:
        ledger.set_limit(BUSES, per_vehicle=Decimal(500))
        for number, days in enumerate(dates):
            pay(ledger, BUSES, days, "0.1", bundle=f"b-{number}-1.0.0" if published else "")
        (population,) = ledger.populations()
    return population.entries


def test_what_followed_the_newest_release_is_due_once_it_is_over(tmp_path: Path) -> None:
    """A correction of an older month, made last, does not begin the series anew."""
    entries = _entries(tmp_path, [month(1), month(3), month(2)])
    for today, due in (
        (dt.date(2022, 4, 30), []),
        (dt.date(2022, 5, 1), ["2022-04"]),
        (dt.date(2022, 7, 2), ["2022-04", "2022-05", "2022-06"]),
    ):
        assert [period.label for period in due_periods(entries, today)] == due
    assert len(due_periods(entries, dt.date(2922, 1, 1))) == MOST_DUE


def test_nothing_is_due_of_what_was_never_published_or_of_no_period(tmp_path: Path) -> None:
    later = dt.date(2023, 1, 1)
    assert due_periods((), later) == ()
    assert due_periods(_entries(tmp_path / "drawn", [month(1)], published=False), later) == ()
    assert due_periods(_entries(tmp_path / "odd", [month(1)[:10]]), later) == ()
