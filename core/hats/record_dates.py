"""The dates on which a data set has records, as ranges: where a window starts from."""

from __future__ import annotations

import datetime as dt

import numpy as np

from core.hats.window import DateRange
from core.records.records import Records

_EPOCH = dt.date(1970, 1, 1)


def date_ranges_of(records: Records) -> tuple[DateRange, ...]:
    """Runs of consecutive local dates with records, in order."""
    runs = np.split(records.days, np.flatnonzero(np.diff(records.days) > 1) + 1)
    return tuple(
        (_EPOCH + dt.timedelta(days=int(run[0])), _EPOCH + dt.timedelta(days=int(run[-1]))) for run in runs
    )


def clip_ranges(ranges: tuple[DateRange, ...], first: dt.date, last: dt.date) -> tuple[DateRange, ...]:
    """The parts of the ranges that lie within [first, last]; empty when none does."""
    return tuple((max(a, first), min(b, last)) for a, b in ranges if max(a, first) <= min(b, last))
