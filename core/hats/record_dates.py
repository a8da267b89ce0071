"""The dates on which a data set has records, as ranges: where a window starts from."""

from __future__ import annotations

import datetime as dt

import numpy as np

from core.hats.window import DateRange, Window, build_window
from core.records.records import Records

_EPOCH = dt.date(1970, 1, 1)
_WHOLE_DAY = ("00:00", "24:00")
_HOUR = 60


def date_ranges_of(records: Records) -> tuple[DateRange, ...]:
    """Runs of consecutive local dates with records, in order; none without records."""
    runs = np.split(records.days, np.flatnonzero(np.diff(records.days) > 1) + 1)
    return tuple(
        (_EPOCH + dt.timedelta(days=int(run[0])), _EPOCH + dt.timedelta(days=int(run[-1])))
        for run in runs
        if run.size
    )


def all_hours(records: Records) -> Window:
    """All dates with records and all hours, in slots of an hour."""
    return build_window(date_ranges_of(records), _WHOLE_DAY, _HOUR)


def clip_ranges(ranges: tuple[DateRange, ...], first: dt.date, last: dt.date) -> tuple[DateRange, ...]:
    """The parts of the ranges that lie within [first, last]; empty when none does."""
    return tuple((max(a, first), min(b, last)) for a, b in ranges if max(a, first) <= min(b, last))
