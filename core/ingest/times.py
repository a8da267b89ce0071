"""Times as UTC milliseconds: ISO 8601 with or without offset, epoch seconds or milliseconds (SPEC 2)."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_DATE_TIME = r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?"
_WITH_OFFSET = rf"^{_DATE_TIME} ?(Z|[+-]\d{{2}}:?\d{{2}})$"
_WITHOUT_OFFSET = rf"^{_DATE_TIME}$"
_EPOCH = r"^\d{9,13}(\.\d+)?$"
_OFFSET = r"(?P<offset>Z|[+-]\d{2}:?\d{2})$"
EARLIEST_MS = 946_684_800_000
"""2000-01-01 UTC: earlier instants are faults of a clock."""
_PLAUSIBLE_UNTIL_MS = 4_102_444_800_000
"""2100-01-01 UTC: the offset of a later time tells nothing about the zone."""
_MILLISECONDS_FROM = 1e11
"""Epoch numbers from here on are milliseconds: as seconds they would lie beyond the year 5000."""

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
    """Pairs (offset in minutes, one plausible instant that carried it)."""


def parse_times(column: pa.Array) -> ParsedTimes:
    """Read a column of text, numbers or timestamps."""
    if pa.types.is_timestamp(column.type):
        return _from_timestamps(column)
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return _from_numbers(column)
    return _from_text(pc.utf8_trim_whitespace(column.cast(pa.string())))


def _from_timestamps(column: pa.Array) -> ParsedTimes:
    present = column.is_valid().to_numpy(zero_copy_only=False)
    ticks = pc.cast(column, pa.timestamp("ms", tz=column.type.tz), safe=False).cast(pa.int64())
    instants = ticks.fill_null(int(MISSING)).to_numpy(zero_copy_only=False)
    naive = np.full(len(column), column.type.tz is None) & present
    return ParsedTimes(instants=instants, naive=naive, present=present, offsets=frozenset())


def _from_numbers(column: pa.Array) -> ParsedTimes:
    present = column.is_valid().to_numpy(zero_copy_only=False)
    numbers = column.cast(pa.float64(), safe=False).fill_null(float("nan")).to_numpy(zero_copy_only=False)
    return ParsedTimes(
        instants=_epoch(numbers),
        naive=np.zeros(len(column), bool),
        present=present,
        offsets=frozenset(),
    )


def _epoch(numbers: NDArray[np.float64]) -> NDArray[np.int64]:
    sane = np.isfinite(numbers) & (np.abs(numbers) < 1e15)
    filled = np.where(sane, numbers, 0.0)
    ms = np.where(filled >= _MILLISECONDS_FROM, filled, filled * 1000.0)
    return np.where(sane, np.rint(ms).astype(np.int64), MISSING)


def _from_text(text: pa.Array) -> ParsedTimes:
    size = len(text)
    present = pc.fill_null(pc.not_equal(text, ""), False).to_numpy(zero_copy_only=False)
    instants = np.full(size, MISSING, np.int64)
    with_offset = _matches(text, _WITH_OFFSET)
    without = _matches(text, _WITHOUT_OFFSET)
    epoch = _matches(text, _EPOCH)
    if with_offset.any():
        instants[with_offset] = _iso(text.filter(pa.array(with_offset)), "UTC")
    if without.any():
        instants[without] = _iso(text.filter(pa.array(without)), None)
    if epoch.any():
        numbers = text.filter(pa.array(epoch)).cast(pa.float64()).to_numpy(zero_copy_only=False)
        instants[epoch] = _epoch(numbers)
    return ParsedTimes(
        instants=instants,
        naive=without & (instants != MISSING),
        present=present,
        offsets=_offsets(text, instants, with_offset),
    )


def _matches(text: pa.Array, pattern: str) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = pc.fill_null(pc.match_substring_regex(text, pattern), False).to_numpy(
        zero_copy_only=False
    )
    return found


def _iso(text: pa.Array, zone: str | None) -> NDArray[np.int64]:
    """ISO texts as milliseconds; one impossible date makes the whole block go the slow way."""
    kind = pa.timestamp("ns", tz=zone)
    try:
        ticks = text.cast(kind).cast(pa.timestamp("ms", tz=zone), safe=False).cast(pa.int64())
    except pa.ArrowInvalid:
        return np.array([_iso_one(item, zone) for item in text.to_pylist()], np.int64)
    result: NDArray[np.int64] = ticks.to_numpy(zero_copy_only=False)
    return result


def _iso_one(text: str, zone: str | None) -> int:
    try:
        moment = dt.datetime.fromisoformat(text.replace(" +", "+").replace(" -", "-").replace(" Z", "Z"))
    except ValueError:
        return int(MISSING)
    moment = moment if zone else moment.replace(tzinfo=dt.UTC)
    return (moment - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) // dt.timedelta(milliseconds=1)


def _offsets(
    text: pa.Array, instants: NDArray[np.int64], with_offset: NDArray[np.bool_]
) -> frozenset[tuple[int, int]]:
    usable = with_offset & (instants >= EARLIEST_MS) & (instants < _PLAUSIBLE_UNTIL_MS)
    if not usable.any():
        return frozenset()
    suffixes = pc.struct_field(pc.extract_regex(text.filter(pa.array(usable)), _OFFSET), "offset")
    encoded = suffixes.dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    names = encoded.dictionary.to_pylist()
    moments = instants[usable]
    pairs = set()
    for code, name in enumerate(names):
        of_offset = moments[codes == code]
        pairs |= {
            (_minutes(name), int(of_offset.min())),
            (_minutes(name), int(of_offset.max())),
        }
    return frozenset(pairs)


def _minutes(offset: str) -> int:
    if offset == "Z":
        return 0
    digits = offset[1:].replace(":", "")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    return -minutes if offset[0] == "-" else minutes


def localise(instants: NDArray[np.int64], naive: NDArray[np.bool_], zone: str) -> NDArray[np.int64]:
    """Turn naive wall-clock numbers into instants of `zone`.

    Of the repeated autumn hour the first is taken (both fall in one slot); a wall-clock time that
    the spring change skips moves forward.
    """
    if not naive.any():
        return instants
    wall = pa.array(instants[naive], type=pa.timestamp("ms"))
    placed = pc.assume_timezone(wall, zone, ambiguous="earliest", nonexistent="latest").cast(pa.int64())
    result = instants.copy()
    result[naive] = placed.to_numpy(zero_copy_only=False)
    return result
