"""The release after the last one, by its dates: a whole day, week or month, or none (method 16.1)."""

from __future__ import annotations

import calendar
import dataclasses
import datetime as dt
from collections.abc import Sequence

from core.accounting.ledger_report import EntrySummary
from core.draft.draft import Draft
from core.errors import InputError
from core.release.series import Period, PeriodLength, length_of, period_with

MOST_DUE = 1000
_ONE_DAY = dt.timedelta(days=1)


def period_of(draft: Draft) -> Period | None:
    """The day, whole week or whole month that a draft's dates are; None for any others."""
    dates = [
        first + step * _ONE_DAY
        for first, last in draft.date_ranges
        for step in range((last - first).days + 1)
    ]
    length = length_of(dates) if dates else None
    return None if length is None else period_with(length, dates[0])


def due_periods(entries: Sequence[EntrySummary], today: dt.date) -> tuple[Period, ...]:
    """Those after the newest published one that are over, the oldest first; empty where that was no period.

    At most `MOST_DUE`.
    """
    published = [entry for entry in entries if entry.bundles]
    if not published:
        return ()
    dates = max((entry.dates for entry in published), key=max)
    length = length_of(dates)
    due: list[Period] = []
    if length is None:
        return ()
    period = period_with(length, dates[0]).following
    while period.last < today and len(due) < MOST_DUE:
        due.append(period)
        period = period.following
    return tuple(due)


def next_release(draft: Draft, today: dt.date) -> Draft:
    """The same release of the period after its own, its first version.

    Title and name have the new period where they had the old one, else the title is empty, and the name
    follows it. Raises InputError where the dates are no period, or the next one is not over.
    """
    period = period_of(draft)
    if period is None:
        raise InputError(
            "These dates are not a whole day, week or month, so no period follows.",
            where="hats.dates",
            mend="choose the dates of the next release yourself",
        )
    following = period.following
    following.require_over(today)
    title = _retold(draft.title, period, following)
    return dataclasses.replace(
        draft,
        date_ranges=((following.first, following.last),),
        title=title,
        name=_retold(draft.name, period, following) if title else "",
        version=Draft().version,
    )


def _retold(text: str, period: Period, following: Period) -> str:
    """With the new period in the place of the old one; empty where the text does not have it."""
    for before, after in zip(_called(period), _called(following), strict=True):
        if before in text:
            return text.replace(before, after)
    return ""


def _called(period: Period) -> tuple[str, ...]:
    """What a period is called in titles and names."""
    if period.length is not PeriodLength.MONTH:
        return (period.label,)
    name = calendar.month_name[period.first.month]
    return period.label, f"{name} {period.first.year}", f"{name.lower()}-{period.first.year}"
