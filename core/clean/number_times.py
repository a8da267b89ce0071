"""Numbers that are times: counted since 1970, written as the digits of a date, or days of a spreadsheet.

What a number is follows from its size alone: as an instant counted since 1970, each number of another kind
would lie before 2000 or after 2600, where no record is retained.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.clean.calendar_days import days_of
from core.clean.epochs import decimal_epochs, whole_epochs
from core.clean.read_times import MISSING

Times = tuple[NDArray[np.int64], NDArray[np.bool_]]
"""Milliseconds, `MISSING` where there is no time, and where they are a wall clock's instead of UTC."""
_FIRST_YEAR, _LAST_YEAR = 2000, 2100
_DIGITS = ((10**8, 100_000), (10**10, 1_000), (10**13, 1))
"""Pairs (numbers a year, milliseconds in the last digit): to the minute, the second and the millisecond."""
_DAY_MS = 86_400_000
_FIRST_DAY, _LAST_DAY = 36_526.0, 73_051.0
"""2000-01-01 and 2100-01-01 in days since 1899-12-30."""
_DAYS_BEFORE_1970 = 25_569
_CUT_OFF = 50
"""Milliseconds that a spreadsheet's day is rounded by: six decimals of it leave as many of a whole second."""


def whole_times(numbers: NDArray[np.int64]) -> Times:
    """Shapes (n,)."""
    ms, naive = whole_epochs(numbers), np.zeros(numbers.size, bool)
    if not numbers.size or int(numbers.max()) < _FIRST_YEAR * _DIGITS[0][0]:
        return ms, naive
    for below_year, _ in _DIGITS:
        inside = (numbers >= _FIRST_YEAR * below_year) & (numbers < _LAST_YEAR * below_year)
        if inside.any():
            ms[inside] = _calendar(numbers[inside], below_year)
            naive |= inside & (ms != MISSING)
    return ms, naive


def decimal_times(numbers: NDArray[np.float64]) -> Times:
    """Shapes (n,)."""
    ms, naive = decimal_epochs(numbers), (numbers >= _FIRST_DAY) & (numbers < _LAST_DAY)
    if naive.any():
        found = np.rint((numbers[naive] - _DAYS_BEFORE_1970) * _DAY_MS).astype(np.int64)
        second = (found + 500) // 1000 * 1000
        ms[naive] = np.where(np.abs(found - second) <= _CUT_OFF, second, found)
    below_year = _DIGITS[1][0]  # more digits than seconds need no float holds
    inside = (numbers >= _FIRST_YEAR * below_year) & (numbers < _LAST_YEAR * below_year)
    if inside.any():
        ms[inside] = _calendar(numbers[inside].astype(np.int64), below_year)
        naive |= inside & (ms != MISSING)
    return ms, naive


def _calendar(numbers: NDArray[np.int64], below_year: int) -> NDArray[np.int64]:
    """Wall-clock milliseconds of a date's digits; `MISSING` where calendar or clock has no such ones."""
    year, rest = np.divmod(numbers, below_year)
    rest = rest * dict(_DIGITS)[below_year]
    fields = []
    for size in (1000, 100, 100, 100, 100):
        rest, field = np.divmod(rest, size)
        fields.append(field)
    thousandths, second, minute, hour, day = fields
    days, read = days_of(year, rest, day)
    read &= (hour <= 23) & (minute <= 59) & (second <= 59)
    clock = ((hour * 60 + minute) * 60 + second) * 1000 + thousandths
    return np.where(read, days * _DAY_MS + clock, MISSING)
