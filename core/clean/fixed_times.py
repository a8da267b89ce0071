"""Dates and times whose fields stand at fixed places of a cell, read column by column of characters.

Every rule looks at one cell alone, so no row can change how another is read.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.clean.text_columns import Grid, grids
from core.privacy import Confidential

_SHORTEST, _LONGEST = 16, 35
_TO_MINUTE, _TO_SECOND, _FRACTION = 16, 19, 20
_ZERO = ord("0")
_SIGNS = (ord("+"), ord("-"))
_EPOCH_WIDTHS = range(9, 14)
MILLISECONDS_FROM = 100_000_000_000
"""Epoch numbers from here on are milliseconds: as seconds they would lie beyond the year 5000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """Where a date has its fields, and what may stand between them."""

    year: int
    month: int
    day: int
    marks: tuple[int, int]
    between: str
    """One character: between the fields of the date."""
    before_time: str
    """Any of these stands between date and time."""


_YEAR_FIRST = (
    _Layout(year=0, month=5, day=8, marks=(4, 7), between="-", before_time="T "),
    _Layout(year=0, month=5, day=8, marks=(4, 7), between="/", before_time=" "),
)
_LOCAL = {
    order: tuple(
        _Layout(year=6, month=month, day=day, marks=(2, 5), between=mark, before_time=" ") for mark in "/-."
    )
    for order, month, day in (("dmy", 3, 0), ("mdy", 0, 3))
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FixedTimes(Confidential):
    """Times of cells; shape (n,)."""

    ms: NDArray[np.int64]
    """UTC milliseconds; by the wall clock where `naive`; 0 where not `read`."""
    read: NDArray[np.bool_]
    naive: NDArray[np.bool_]
    has_offset: NDArray[np.bool_]
    """Whether the cell names its offset from UTC, `Z` included."""
    minutes: NDArray[np.int16]
    """That offset; 0 where there is none."""


def _pairs(first: int, last: int) -> NDArray[np.int16]:
    """The value of each two characters: a number from first to last, or -1."""
    table = np.full(1 << 16, -1, np.int16)
    for number in range(first, last + 1):
        table[np.frombuffer(f"{number:02d}".encode(), np.uint16)[0]] = number
    return table


_ANY, _MONTH, _DAY, _HOUR, _SIXTY = _pairs(0, 99), _pairs(1, 12), _pairs(1, 31), _pairs(0, 23), _pairs(0, 59)
_MONTH_STARTS = (
    np.arange(-1970 * 12, 8030 * 12 + 1).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
)
"""Days since 1970-01-01 of each month from January of year 0."""
_MONTH_LENGTHS = np.diff(_MONTH_STARTS).astype(np.int16)
_MONTH_LENGTHS[:12] = 0  # there is no year 0


def read_fixed(text: pa.Array, date_order: str = "") -> FixedTimes:
    """Read ISO 8601, `2023/12/31 10:15`, with a date order also `31.12.2023 10:15`; hours of two digits.

    text: shape (n,), untrimmed cells are not read. Seconds, a fraction of up to nine digits and an
    offset (`Z`, `+0530`, `+05:30`) may follow. Milliseconds are cut, not rounded.
    """
    result = _nothing(len(text))
    for mask, grid in grids(text, range(_SHORTEST, _LONGEST + 1)):
        found = _read_grid(grid, (*_YEAR_FIRST, *_LOCAL.get(date_order, ())))
        if mask.all():
            return found
        _place(result, mask, found)
    return result


def read_whole_epochs(text: pa.Array) -> FixedTimes:
    """Read seconds or milliseconds since 1970 that are 9 to 13 digits and nothing else."""
    result = _nothing(len(text))
    for mask, grid in grids(text, _EPOCH_WIDTHS):
        number = np.zeros(grid.rows, np.int64)
        read = np.ones(grid.rows, bool)
        for at in range(grid.width):
            digit = grid.byte(at) - np.uint8(_ZERO)
            read &= digit <= 9
            number = number * 10 + digit
        ms = np.where(number >= MILLISECONDS_FROM, number, number * 1000)
        found = _nothing(grid.rows)
        found.ms[read] = ms[read]
        found.read[:] = read
        _place(result, mask, found)
    return result


def _nothing(rows: int) -> FixedTimes:
    return FixedTimes(
        ms=np.zeros(rows, np.int64),
        read=np.zeros(rows, bool),
        naive=np.zeros(rows, bool),
        has_offset=np.zeros(rows, bool),
        minutes=np.zeros(rows, np.int16),
    )


def _place(into: FixedTimes, mask: NDArray[np.bool_], found: FixedTimes) -> None:
    for name in FixedTimes.__dataclass_fields__:
        getattr(into, name)[mask] = getattr(found, name)


def _read_grid(grid: Grid, layouts: tuple[_Layout, ...]) -> FixedTimes:
    result = _nothing(grid.rows)
    for length, of_length in _suffixes(grid):
        for layout in layouts:
            first, second = (grid.byte(at) == ord(layout.between) for at in layout.marks)
            mask = of_length & first & second
            if mask.all():
                return _read_layout(grid, length, layout)
            if mask.any():
                _place(result, mask, _read_layout(grid.where(mask), length, layout))
    return result


def _suffixes(grid: Grid) -> list[tuple[int, NDArray[np.bool_]]]:
    """The lengths that what follows the clock may have, each with its rows; each row in one."""
    colon = _signed(grid, 6) & (grid.byte(grid.width - 3) == ord(":"))
    if colon.all():
        return [(6, colon)]
    utc = (grid.byte(grid.width - 1) == ord("Z")) & ~colon
    plain = _signed(grid, 5) & ~(utc | colon)
    return [(6, colon), (1, utc), (5, plain), (0, ~(utc | colon | plain))]


def _signed(grid: Grid, from_end: int) -> NDArray[np.bool_]:
    mark = grid.byte(grid.width - from_end)
    found: NDArray[np.bool_] = (mark == _SIGNS[0]) | (mark == _SIGNS[1])
    return found


def _read_layout(grid: Grid, suffix: int, layout: _Layout) -> FixedTimes:
    clock = grid.width - suffix
    if clock not in (_TO_MINUTE, _TO_SECOND) and clock <= _FRACTION:
        return _nothing(grid.rows)
    days, read = _days(grid, layout)
    read &= np.logical_or.reduce([grid.byte(10) == ord(mark) for mark in layout.before_time])
    seconds, on_clock = _seconds(grid, clock)
    ms, decimal = _fraction(grid, clock)
    minutes, known = _offset(grid, suffix)
    read &= on_clock & decimal & known
    seconds -= minutes.astype(np.int32) * 60
    total = (days * 86_400 + seconds) * 1000 + ms
    if not read.all():
        total[~read] = 0
        minutes[~read] = 0
    told, untold = read.copy(), np.zeros(grid.rows, bool)
    has_offset, naive = (told, untold) if suffix else (untold, told)
    return FixedTimes(ms=total, read=read, naive=naive, has_offset=has_offset, minutes=minutes)


def _days(grid: Grid, layout: _Layout) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Days since 1970-01-01, and where the date is one."""
    century, year = _ANY.take(grid.pair(layout.year)), _ANY.take(grid.pair(layout.year + 2))
    month, day = _MONTH.take(grid.pair(layout.month)), _DAY.take(grid.pair(layout.day))
    months = century.astype(np.int32) * 1200 + year.astype(np.int32) * 12 + (month - np.int16(1))
    read = (century | year | month | day) >= 0
    read &= day <= _MONTH_LENGTHS.take(months, mode="clip")
    return _MONTH_STARTS.take(months, mode="clip") + (day - np.int16(1)), read


def _seconds(grid: Grid, clock: int) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Seconds since midnight, and where the clock is one; the second 60 is none."""
    hour, minute = _HOUR.take(grid.pair(11)), _SIXTY.take(grid.pair(14))
    seconds = hour.astype(np.int32) * 3600 + minute.astype(np.int32) * 60
    signs = hour | minute
    read = grid.byte(13) == ord(":")
    if clock > _TO_MINUTE:
        second = _SIXTY.take(grid.pair(17))
        seconds += second
        signs |= second
        read &= grid.byte(16) == ord(":")
    read &= signs >= 0
    return seconds, read


def _fraction(grid: Grid, clock: int) -> tuple[NDArray[np.int64] | int, NDArray[np.bool_] | bool]:
    """Whole milliseconds after the second, and where there is a point with digits or nothing."""
    if clock <= _TO_SECOND:
        return 0, True
    if clock > _FRACTION + 9:
        return 0, False
    read = grid.byte(_TO_SECOND) == ord(".")
    ms = np.zeros(grid.rows, np.int64)
    for place, at in enumerate(range(_FRACTION, clock)):
        digit = grid.byte(at) - np.uint8(_ZERO)
        read &= digit <= 9
        if place < 3:
            ms += digit.astype(np.int64) * 10 ** (2 - place)
    return ms, read


def _offset(grid: Grid, suffix: int) -> tuple[NDArray[np.int16], NDArray[np.bool_] | bool]:
    """Minutes ahead of UTC, and where they are at most 23:59."""
    if suffix < 5:
        return np.zeros(grid.rows, np.int16), True
    hour, minute = _HOUR.take(grid.pair(grid.width - suffix + 1)), _SIXTY.take(grid.pair(grid.width - 2))
    ahead = hour * np.int16(60) + minute
    west = grid.byte(grid.width - suffix) == ord("-")
    return np.where(west, -ahead, ahead), (hour | minute) >= 0
