"""Times as UTC milliseconds: ISO 8601 with or without offset, epoch numbers, local forms (SPEC 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.clean.fixed_times import MILLISECONDS_FROM, FixedTimes, read_fixed, read_whole_epochs
from core.clean.local_times import as_iso, without_blank
from core.clean.text_columns import is_filled, is_valid, swap_bytes, to_text
from core.read.file_format import AS_FOUND, DATE_ORDERS, FileFormat
from core.records.zones import DAY_MS, offsets_of

EARLIEST_MS = 946_684_800_000
"""2000-01-01 UTC: earlier instants are faults of a clock."""
_PLAUSIBLE_UNTIL_MS = 4_102_444_800_000
"""2100-01-01 UTC: the offset of a later time tells nothing about the zone."""
_TICKS_A_MS = {"ms": 1, "us": 1_000, "ns": 1_000_000}

MISSING = np.int64(np.iinfo(np.int64).min)
"""Stands for a time that is absent or cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedTimes:
    """instants: shape (n,), UTC milliseconds, `MISSING` where there is none.

    Where `naive`, the number is the local wall clock instead and still needs the zone.
    """

    instants: NDArray[np.int64]
    naive: NDArray[np.bool_]
    present: NDArray[np.bool_]
    """False where the cell was empty (as against unreadable)."""
    offsets: frozenset[tuple[int, int]]
    """Pairs (offset in minutes, instant): the first and last plausible one of each offset and UTC day.

    No fewer: a zone may fit the edges of a year and not its summer, and which rows stand at the edges of
    a batch must not decide.
    """


def parse_times(column: pa.Array, form: FileFormat = AS_FOUND) -> ParsedTimes:
    """Read a column of text, numbers or timestamps, plain or dictionary-encoded.

    A date without a time of day, as text or of a date type, cannot be read: it names no slot.
    """
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_timestamp(column.type):
        return _from_timestamps(column)
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return _from_numbers(column)
    return _from_text(to_text(column), form)


def ordered_dates(texts: Sequence[str]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which texts are times with the day first, and which with the month first; shapes (n,).

    What is a time without a named order too, such as ISO 8601, is neither.
    """
    column = pa.array(texts, pa.string())
    plain = parse_times(column).instants != MISSING
    day_first, month_first = (
        parse_times(column, FileFormat(date_order=order)).instants != MISSING for order in DATE_ORDERS
    )
    return day_first & ~plain, month_first & ~plain


def order_evidence(texts: Sequence[str]) -> tuple[int, int]:
    """How many texts are times only with the day first, and how many only with the month first.

    Both above 0: the texts mix orders, and no one order may be chosen for them.
    """
    day_first, month_first = ordered_dates(texts)
    return int((day_first & ~month_first).sum()), int((month_first & ~day_first).sum())


def _from_timestamps(column: pa.Array) -> ParsedTimes:
    present = is_valid(column)
    ticks = column.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
    if column.type.unit == "s":
        countable = np.abs(ticks.astype(np.float64)) < 9e15
        instants = np.where(present & countable, ticks * 1000, MISSING)
    else:
        instants = np.where(present, ticks // _TICKS_A_MS[column.type.unit], MISSING)
    naive = np.full(len(column), column.type.tz is None) & (instants != MISSING)
    return ParsedTimes(instants=instants, naive=naive, present=present, offsets=frozenset())


def _from_numbers(column: pa.Array) -> ParsedTimes:
    numbers = column.cast(pa.float64(), safe=False).fill_null(float("nan")).to_numpy(zero_copy_only=False)
    return ParsedTimes(
        instants=_epoch(numbers),
        naive=np.zeros(len(column), bool),
        present=is_valid(column),
        offsets=frozenset(),
    )


def _epoch(numbers: NDArray[np.float64]) -> NDArray[np.int64]:
    sane = np.isfinite(numbers) & (np.abs(numbers) < 1e15)
    filled = np.where(sane, numbers, 0.0)
    ms = np.where(filled >= MILLISECONDS_FROM, filled, filled * 1000.0)
    return np.where(sane, np.rint(ms).astype(np.int64), MISSING)


def _from_text(text: pa.Array, form: FileFormat) -> ParsedTimes:
    """The usual forms as they stand; only what is none of them is trimmed and looked at again."""
    found = read_fixed(text, form.date_order)
    if found.read.all():
        instants, present = found.ms, np.ones(len(text), bool)
    else:
        instants, present = np.where(found.read, found.ms, MISSING), is_valid(text)
        rest = np.flatnonzero(present & ~found.read)
        cells = pc.utf8_trim_whitespace(text.take(pa.array(rest)))
        filled = is_filled(cells)
        present[rest] = filled
        rest, cells = rest[filled], cells.filter(pa.array(filled))
        for read in _other_forms(form):
            if not rest.size:
                break
            other = read(cells)
            rows = rest[other.read]
            instants[rows] = other.ms[other.read]
            for name in ("naive", "has_offset", "minutes"):
                getattr(found, name)[rows] = getattr(other, name)[other.read]
            rest, cells = rest[~other.read], cells.filter(pa.array(~other.read))
    return ParsedTimes(
        instants=instants, naive=found.naive, present=present, offsets=_offsets(instants, found)
    )


def _other_forms(form: FileFormat) -> tuple[Callable[[pa.Array], FixedTimes], ...]:
    """Readers of trimmed cells; a cell has the form of one of them at most."""
    return (
        read_whole_epochs,
        lambda cells: read_fixed(without_blank(cells), form.date_order),
        lambda cells: read_fixed(as_iso(cells, form.date_order)),
        lambda cells: _broken_epochs(cells, form.decimal),
    )


def _broken_epochs(cells: pa.Array, decimal: str) -> FixedTimes:
    """Epoch numbers with a fraction."""
    matches = pc.match_substring_regex(cells, rf"^\d{{9,13}}[{decimal}]\d+$")
    numbers = pc.if_else(matches, cells, None)
    if decimal != ".":
        numbers = swap_bytes(numbers, {decimal: "."})
    instants = _epoch(numbers.cast(pa.float64()).fill_null(float("nan")).to_numpy(zero_copy_only=False))
    none = np.zeros(len(cells), bool)
    return FixedTimes(
        ms=instants,
        read=instants != MISSING,
        naive=none,
        has_offset=none,
        minutes=np.zeros(len(cells), np.int16),
    )


def _offsets(instants: NDArray[np.int64], found: FixedTimes) -> frozenset[tuple[int, int]]:
    usable = found.has_offset & (instants >= EARLIEST_MS) & (instants < _PLAUSIBLE_UNTIL_MS)
    if not usable.any():
        return frozenset()
    moments, minutes = (
        (instants, found.minutes) if usable.all() else (instants[usable], found.minutes[usable])
    )
    if minutes.min() == minutes.max():
        return _edges(int(minutes[0]), moments)
    return frozenset().union(
        *(_edges(offset, moments[minutes == offset]) for offset in np.unique(minutes).tolist())
    )


def _edges(offset: int, moments: NDArray[np.int64]) -> frozenset[tuple[int, int]]:
    days = moments // DAY_MS
    first = int(days.min())
    if first == days.max():
        return frozenset({(offset, int(moments.min())), (offset, int(moments.max()))})
    days -= first
    low, high = np.full((2, int(days.max()) + 1), MISSING)
    low[days] = moments
    np.minimum.at(low, days, moments)
    np.maximum.at(high, days, moments)
    edges = np.concatenate((low[high != MISSING], high[high != MISSING]))
    return frozenset((offset, edge) for edge in edges.tolist())


def localise(instants: NDArray[np.int64], naive: NDArray[np.bool_], zone: str) -> NDArray[np.int64]:
    """Turn naive wall-clock numbers into instants of `zone`.

    Of the repeated autumn hour the first is taken (both fall in one slot); a wall-clock time that
    the spring change skips moves forward, to the moment of the change.
    """
    if not naive.any():
        return instants
    wall = instants[naive]
    table = offsets_of(zone, int(wall.min()) - DAY_MS, int(wall.max()) + DAY_MS)
    ends = table.starts[1:] + table.offset_ms[:-1]  # by the wall clock before each change
    period = np.searchsorted(ends, wall, side="right")
    result = instants.copy()
    result[naive] = np.maximum(wall - table.offset_ms[period], table.starts[period])
    return result
