"""The two readings of dates like 03/04/2019, side by side, for a person to decide (confidential)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from core.clean.read_times import MISSING
from core.clean.times import parse_times
from core.counted import count_of
from core.privacy import Confidential
from core.read.file_format import DATE_ORDERS, FileFormat
from core.records.zones import DAY_MS
from core.texts import text_of

_EPOCH = dt.date(1970, 1, 1)
_NAMES = {"dmy": "day first", "mdy": "month first"}
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
)
_DATES = tuple("{day_number} " + month + " {year_number}" for month in _MONTHS)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DateReading(Confidential):
    """What a column of times says in one order of day and month."""

    order: str
    """`dmy` or `mdy`."""
    cells: int
    """So many of them are times in this order."""
    sample: dt.date
    """What the first cell is that the other order reads as another date."""
    first: dt.date
    last: dt.date
    dates: int
    """Different ones."""

    @property
    def text(self) -> str:
        """The reading as a person can judge it."""
        span = (
            _day(self.first)
            if self.dates == 1
            else text_of(
                "{first_date} to {last_date}", first_date=_day(self.first), last_date=_day(self.last)
            )
        )
        return text_of(
            "{names} ({order}): the first unclear date is {sample}; {counted_dates}, {span}",
            order=self.order,
            names=_NAMES[self.order],
            sample=_day(self.sample),
            counted_dates=count_of(self.dates, "date"),
            span=span,
        )


def date_readings(texts: Sequence[str]) -> tuple[DateReading, ...]:
    """Both readings of the cells of a preview, by `DATE_ORDERS`; one that reads none is left out.

    Cells that need no order, such as ISO 8601, count in both.
    """
    column = pa.array(texts, pa.string())
    read = {order: parse_times(column, FileFormat(date_order=order)).instants for order in DATE_ORDERS}
    doubtful = np.flatnonzero(np.logical_and.reduce([one != MISSING for one in read.values()]))
    different = [index for index in doubtful.tolist() if len({int(one[index]) for one in read.values()}) > 1]
    readings = []
    for order, instants in read.items():
        days = instants[instants != MISSING] // DAY_MS
        if days.size:
            sample = int(instants[different[0]] // DAY_MS) if different else int(days[0])
            readings.append(
                DateReading(
                    order=order,
                    cells=int(days.size),
                    sample=_date(sample),
                    first=_date(int(days.min())),
                    last=_date(int(days.max())),
                    dates=int(np.unique(days).size),
                )
            )
    return tuple(readings)


def _date(day: int) -> dt.date:
    return _EPOCH + dt.timedelta(days=day)


def _day(date: dt.date) -> str:
    """With the month as a word, whatever the computer's language: no order can be mistaken."""
    return text_of(_DATES[date.month - 1], day_number=date.day, year_number=date.year)
