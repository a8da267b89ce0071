"""Times as UTC milliseconds: from 2000 to 2100, from text, numbers or timestamps (method 2.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.clean.number_times import decimal_times, whole_times
from core.clean.read_times import MISSING, ReadTimes
from core.clean.shaped_times import read_shaped
from core.clean.text_columns import cell_bytes, from_bytes, is_valid, to_text
from core.read.file_format import AS_FOUND, DATE_ORDERS, FileFormat
from core.records.zones import DAY_MS, known_zones, offsets_of

EARLIEST_MS = 946_684_800_000
"""Times before 2000-01-01 UTC are faults of a clock."""
_PLAUSIBLE_UNTIL_MS = 4_102_444_800_000
"""2100-01-01 UTC: the offset of a later time tells nothing about the zone."""
_TICKS_A_MS = {"ms": 1, "us": 1_000, "ns": 1_000_000}
_ISO = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.(?P<fraction>\d{1,9}))?)?(?P<offset>Z|[+-]\d\d(:?\d\d)?)?",
    re.ASCII,
)
_TO_MINUTE = 16
_YEAR_ONE_MS = -62_135_596_800_000
_DAY_MS = 86_400_000


def cast_iso(text: pa.Array) -> ReadTimes | None:
    """The times of a column whose cells are ISO 8601, all with one offset or all with none, or empty or null.

    text: shape (n,). None where any cell is otherwise: Arrow reads all cells or none, and does not tell
    their offsets. Milliseconds are cut, not rounded.
    """
    edges, data = cell_bytes(text)
    widths = np.diff(edges)
    filled = is_valid(text) & (widths > 0)
    if not filled.any():
        return None
    if not filled.all():
        text = from_bytes(edges, data, np.packbits(filled, bitorder="little"))
        widths = widths[filled]
    sample = _ISO.fullmatch(text[int(filled.argmax())].as_py())
    offset = sample["offset"] or "" if sample else ""
    # Arrow takes a date for its midnight and an hour for its first minute
    if sample is None or widths.min() < _TO_MINUTE + len(offset):
        return None
    if offset and not pc.all(pc.ends_with(text, offset)).as_py():
        return None
    unit, ticks = ("ns", 1_000_000) if len(sample["fraction"] or "") > 6 else ("us", 1_000)
    try:
        cast = text.cast(pa.timestamp(unit, "UTC" if offset else None)).cast(pa.int64())
    except pa.ArrowInvalid:
        return None
    if pc.min(cast).as_py() // ticks < _YEAR_ONE_MS + _DAY_MS:
        return None  # Arrow has a year 0
    ms = cast.fill_null(0).to_numpy(zero_copy_only=False) // ticks
    ms[~filled] = MISSING
    naive, has_offset = (np.zeros(len(text), bool), filled) if offset else (filled, np.zeros(len(text), bool))
    minutes = np.where(has_offset, np.int16(_minutes(offset)), np.int16(0))
    return ReadTimes(ms=ms, naive=naive, has_offset=has_offset, minutes=minutes)


def _minutes(offset: str) -> int:
    """Minutes ahead of UTC of `Z`, `+05`, `+0530` or `+05:30`."""
    if len(offset) < 3:
        return 0
    ahead = int(offset[1:3]) * 60 + int(offset[3:].removeprefix(":") or 0)
    return -ahead if offset[0] == "-" else ahead


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


def parse_times(column: pa.Array, file_format: FileFormat = AS_FOUND) -> ParsedTimes:
    """Read a column of text, numbers or timestamps, plain or dictionary-encoded.

    A date without a time of day, as text or of a date type, cannot be read: it names no slot.
    """
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_timestamp(column.type):
        return _from_timestamps(column)
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return _from_numbers(column)
    return _from_text(to_text(column), file_format)


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
    return ParsedTimes(
        instants=instants, naive=naive, present=present, offsets=_offsets_of_zone(column, instants)
    )


def _offsets_of_zone(column: pa.Array, instants: NDArray[np.int64]) -> frozenset[tuple[int, int]]:
    """Of timestamps of a zone, such as those that pandas has localised: what they are shown with."""
    found = instants[(instants >= EARLIEST_MS) & (instants < _PLAUSIBLE_UNTIL_MS)]
    zone = column.type.tz
    if zone == "UTC" or zone not in known_zones() or not found.size:
        return frozenset()
    ahead = offsets_of(zone, int(found.min()), int(found.max())).at(found)
    minutes = (ahead // 60_000).astype(np.int16)
    every = np.ones(found.size, bool)
    return _offsets(ReadTimes(ms=found, naive=~every, has_offset=every, minutes=minutes))


def _from_numbers(column: pa.Array) -> ParsedTimes:
    present = is_valid(column)
    if pa.types.is_integer(column.type) and column.type != pa.uint64():
        whole = column.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
        instants, naive = whole_times(whole)
        instants[~present] = MISSING
    else:
        numbers = column.cast(pa.float64(), safe=False).fill_null(float("nan"))
        instants, naive = decimal_times(numbers.to_numpy(zero_copy_only=False))
    return ParsedTimes(
        instants=instants, naive=naive & (instants != MISSING), present=present, offsets=frozenset()
    )


def _from_text(text: pa.Array, file_format: FileFormat) -> ParsedTimes:
    """By Arrow where it can read the whole column, else cell by cell."""
    found = cast_iso(text)
    if found is not None:
        present = found.ms != MISSING
    else:
        cells = pc.utf8_trim_whitespace(text)
        found = read_shaped(cells, file_format.date_order, file_format.decimal)
        present = is_valid(cells) & (np.diff(cell_bytes(cells)[0]) > 0)
    return ParsedTimes(instants=found.ms, naive=found.naive, present=present, offsets=_offsets(found))


def _offsets(found: ReadTimes) -> frozenset[tuple[int, int]]:
    instants = found.ms
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
