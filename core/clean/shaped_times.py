"""Times in text read shape by shape: years of two digits, weekdays, days of service (method 2.2).

Every rule looks at one cell alone, so no row can change how another is read.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.clean.calendar_days import days_of
from core.clean.number_times import decimal_times, whole_times
from core.clean.read_times import MISSING, ReadTimes, nothing_read
from core.clean.text_columns import Grid, digits_as_nines, one_width, swap_bytes
from core.clean.time_formats import TimeLayout, layout_of
from core.records.zones import localise

_ZERO = ord("0")


def _pairs() -> NDArray[np.int16]:
    """The number that each two digits are; 0 for other characters."""
    table = np.zeros(1 << 16, np.int16)
    for number in range(100):
        table[np.frombuffer(f"{number:02d}".encode(), np.uint16)[0]] = number
    return table


_PAIRS = _pairs()
_SHORT_YEAR = 2
"""Digits of a short year in a time's text: it is of this century."""
_MOST_HOURS = 47
"""Hours in a time of a day of service, which ends on the day after its date."""
_MONDAY = 3
"""Add it to days since 1970-01-01, a Thursday, to look weekdays up: Mondays are multiples of 7."""


def read_shaped(text: pa.Array, date_order: str = "", decimal: str = ".") -> ReadTimes:
    """Read every format of `TIME_FORMATS`.

    text: shape (n,), trimmed. date_order: `dmy` or `mdy`; without it no format that needs one is read.
    decimal: the mark of epoch numbers. Milliseconds of clocks are cut, those of epochs rounded.
    """
    result = nothing_read(len(text))
    for shape, rows in _by_shape(text):
        layout = layout_of(shape, date_order, decimal)
        if layout is None:
            continue
        if rows is None:
            return _read(text, layout)
        found = _read(text.take(pa.array(rows)), layout)
        for name in ReadTimes.__dataclass_fields__:
            getattr(result, name)[rows] = getattr(found, name)
    return result


def _by_shape(text: pa.Array) -> Iterator[tuple[str, NDArray[np.intp] | None]]:
    """Each shape with its rows; None: all rows. Null cells have none."""
    encoded = digits_as_nines(text).dictionary_encode()
    shapes = encoded.dictionary.to_pylist()
    if len(shapes) == 1 and not text.null_count:
        yield shapes[0], None
        return
    codes = encoded.indices.fill_null(len(shapes)).to_numpy(zero_copy_only=False)
    if len(shapes) < np.iinfo(np.int16).max:
        codes = codes.astype(np.int16)  # sorted by digits, not by comparisons
    rows = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(shapes)))
    for shape, start, end in zip(shapes, (0, *ends[:-1]), ends, strict=False):
        yield shape, rows[start:end]


def _read(cells: pa.Array, layout: TimeLayout) -> ReadTimes:
    """Cells of one shape."""
    if layout.decimal is not None:
        return _read_numbers(cells, layout.decimal)
    grid = one_width(cells)
    days, read = _days(grid, layout)
    seconds, on_clock = _seconds(grid, layout)
    ahead, known = _ahead(grid, layout)
    total = (days * 86_400 + (seconds - ahead.astype(np.int32) * 60)) * 1000 + _fraction(grid, layout)
    read &= on_clock & known
    if layout.zone:
        placed = localise(total, read, layout.zone)
        ahead, total = ((total - placed) // 60_000).astype(np.int16), placed
    if not read.all():
        total[~read] = MISSING
        ahead[~read] = 0
    nowhere = np.zeros(grid.rows, bool)
    naive, has_offset = (nowhere, read) if layout.has_offset else (read, nowhere)
    return ReadTimes(ms=total, naive=naive, has_offset=has_offset, minutes=ahead)


def _read_numbers(cells: pa.Array, decimal: str) -> ReadTimes:
    if decimal:
        numbers = swap_bytes(cells, {decimal: "."}).cast(pa.float64())
        ms, naive = decimal_times(numbers.to_numpy(zero_copy_only=False))
    else:
        if len(cells) and not cells[0].as_py().isdecimal():
            cells = pc.replace_substring_regex(cells, r"^\D*(\d+).*$", r"\1")
        whole = cells.cast(pa.uint64()).to_numpy(zero_copy_only=False).view(np.int64)
        ms, naive = whole_times(whole)
        ms[whole < 0] = MISSING  # 19 digits may be more than 63 bits hold
    nowhere = np.zeros(len(cells), bool)
    return ReadTimes(ms=ms, naive=naive, has_offset=nowhere, minutes=np.zeros(len(cells), np.int16))


def _number(grid: Grid, layout: TimeLayout, field: str) -> NDArray[np.int16]:
    """A field of one, two or four digits; 0 where the shape has none."""
    if field not in layout.places:
        return np.zeros(grid.rows, np.int16)
    at, width = layout.places[field]
    if width == 1:
        return (grid.byte(at) - np.uint8(_ZERO)).astype(np.int16)
    number: NDArray[np.int16] = _PAIRS.take(grid.pair(at))
    return number if width == 2 else number * np.int16(100) + _PAIRS.take(grid.pair(at + 2))


def _days(grid: Grid, layout: TimeLayout) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Days since 1970-01-01, and where the date is one, of the weekday it names."""
    day = _number(grid, layout, "day")
    month = _number(grid, layout, "month") if not layout.month else np.int16(layout.month)
    year = _number(grid, layout, "year")
    if layout.places["year"][1] == _SHORT_YEAR:
        year = year + np.int16(2000)
    days, read = days_of(year, month, day)
    if layout.weekday is not None:
        read &= (days + _MONDAY) % 7 == layout.weekday
    return days, read


def _seconds(grid: Grid, layout: TimeLayout) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Seconds since midnight, and where the clock is one; the second 60 is none."""
    hour, minute, second = (_number(grid, layout, field) for field in ("hour", "minute", "second"))
    read = (minute <= 59) & (second <= 59)
    if layout.half:
        read &= (hour >= 1) & (hour <= 12)
        hour = hour % np.int16(12) + np.int16(12 if layout.half == "P" else 0)
    read &= hour <= (23 if layout.has_offset else _MOST_HOURS)  # an instant has no day of service
    return hour.astype(np.int32) * 3600 + minute.astype(np.int32) * 60 + second, read


def _fraction(grid: Grid, layout: TimeLayout) -> NDArray[np.int64]:
    """Whole milliseconds after the second."""
    at, width = layout.places.get("fraction", (0, 0))
    ms = np.zeros(grid.rows, np.int64)
    for place in range(min(width, 3)):
        ms += (grid.byte(at + place) - np.uint8(_ZERO)).astype(np.int64) * 10 ** (2 - place)
    return ms


def _ahead(grid: Grid, layout: TimeLayout) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """Minutes ahead of UTC, and where they are at most 23:59."""
    hour, minute = _number(grid, layout, "ahead"), _number(grid, layout, "ahead_minutes")
    ahead = hour * np.int16(60) + minute + np.int16(layout.abbreviated or 0)
    return -ahead if layout.west else ahead, (hour <= 23) & (minute <= 59)
