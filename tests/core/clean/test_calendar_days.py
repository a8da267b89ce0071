"""Days of the calendar, against the standard library."""

from __future__ import annotations

import datetime as dt

import numpy as np

from core.clean.calendar_days import days_of

EPOCH = dt.date(1970, 1, 1)


def test_days_are_those_of_the_calendar_and_no_others() -> None:
    dates = [dt.date(1, 1, 1), dt.date(2000, 2, 29), dt.date(9999, 12, 31)]
    fields = [(date.year, date.month, date.day) for date in dates] + [(2023, 2, 29), (2023, 13, 1), (0, 1, 1)]
    days, read = days_of(*np.array(fields, np.int16).T)
    assert read.tolist() == [True] * 3 + [False] * 3
    assert days[:3].tolist() == [(date - EPOCH).days for date in dates]
