"""Days with next to no records: a day of a failed feed costs a vehicle as much as any other (method 3.4)."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import numpy as np

from core.contributions import Contributions
from core.privacy import Confidential

SPARSE = 0.05
"""Of the records of the median day: with fewer, a day has next to none."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SparseDay(Confidential):
    """A day of the window that may be left out."""

    date: dt.date
    records: int


def sparse_days(table: Contributions) -> tuple[SparseDay, ...]:
    """Days with less than a twentieth of the median day's records, in their order.

    By counts of records, which relation `values` calls public.
    """
    dates = table.window.dates
    records = np.bincount(table.day, weights=table.counts, minlength=len(dates))
    few = records < SPARSE * np.median(records)
    found = zip(dates, records.tolist(), few.tolist(), strict=True)
    return tuple(SparseDay(date=date, records=int(n)) for date, n, is_few in found if is_few)
