"""Days of records in order without repeats: sizes of blocks, one vehicle at two places (method 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.privacy import Confidential
from core.records.records import DEGREE
from core.store.spill import Spill

BLOCK_ROWS = 1 << 20
"""Days are sorted together up to so many records: larger blocks outgrow the caches."""
LARGEST_PART = 1 << 22
"""A day of more is sorted part by part, each with the records from one vehicle and instant to another."""
_FAR_M = 200.0
"""A vehicle is not at two places so far apart at one instant: two have one id."""
_METRES_PER_DEGREE = 111_195.0
_SAMPLE_OF_PIECE = 1 << 10
_TIME_BITS = 28
"""Times (ms since the UTC midnight of the local date) reach 16 hours to either side of the day: 2^28 apart
at most, so that what is packed above them keeps its order though some are negative."""
_MOST_OWNERS = 1 << (63 - _TIME_BITS)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DayBlock(Confidential):
    """Records of some whole days, sorted by (day, vehicle, time), no repeats; columns of shape (n,)."""

    days: NDArray[np.int32]
    """Shape (k,)."""
    counts: NDArray[np.int64]
    """Shape (k,): records of each day."""
    vehicle: NDArray[np.int32]
    time: NDArray[np.int32]
    """Milliseconds since the UTC midnight of the local day's date."""
    latitude: NDArray[np.int32]
    longitude: NDArray[np.int32]
    value: NDArray[np.int32]
    labels: tuple[NDArray[np.int32], ...] = ()
    """Codes of the label columns, in the order of their names."""
    repeats: int = 0
    """How many were removed."""
    repeats_far: int = 0
    """Those of them that lie far from the record that stayed."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Unsorted(Confidential):
    """Records of some whole days as they came."""

    days: NDArray[np.int32]
    counts: NDArray[np.int64]
    columns: NDArray[np.int32]
    """Shape (5 and labels, n), as the spill keeps them."""
    repeats: int = 0
    """How many were left out already."""


def unsorted_blocks(
    spill: Spill, codes: NDArray[np.int32], *, block_rows: int = BLOCK_ROWS, most_rows: int = LARGEST_PART
) -> Iterator[Unsorted]:
    """All days of a spill in order, together up to `block_rows` records; a larger day comes alone.

    A day of more than `most_rows` comes in parts, in order of (vehicle, time): memory must not grow with what
    one vehicle sends on one day. codes: as of `sort_block`.
    """
    vehicles = max(len(spill.names), 1)
    group: list[int] = []
    counts: list[int] = []
    for day, count in spill.days.items():
        if count > most_rows:
            if group:
                yield _read(spill, group, counts)
            group, counts = [], []
            yield from _parts(spill, day, codes, most_rows)
            continue
        if group and (sum(counts) + count > block_rows or (len(group) + 1) * vehicles > _MOST_OWNERS):
            yield _read(spill, group, counts)
            group, counts = [], []
        group.append(day)
        counts.append(count)
    if group:
        yield _read(spill, group, counts)


def _read(spill: Spill, days: Sequence[int], counts: Sequence[int]) -> Unsorted:
    return Unsorted(
        days=np.array(days, np.int32), counts=np.array(counts, np.int64), columns=spill.read(days)
    )


def _parts(spill: Spill, day: int, codes: NDArray[np.int32], most_rows: int) -> Iterator[Unsorted]:
    """One day in parts of about half of `most_rows`; what shares a vehicle and an instant is in one part.

    Where very many do, repeats are left out as soon as they are too many, and counted.
    """
    whole = sum(piece.shape[1] for piece in spill.pieces(day))
    limits = _limits(spill, day, codes, parts=-(-2 * whole // most_rows))
    for low, high in zip([None, *limits], [*limits, None], strict=True):
        retained: list[NDArray[np.int32]] = []
        repeats = 0
        for piece in spill.pieces(day):
            key = _keys(piece, codes)
            inside = np.ones(key.size, bool) if low is None else key >= low
            if high is not None:
                inside &= key < high
            retained.append(piece[:, inside])
            size = sum(columns.shape[1] for columns in retained)
            if size > most_rows:
                retained = [_once(np.concatenate(retained, axis=1))]
                repeats += size - retained[0].shape[1]
        columns = np.concatenate(retained, axis=1)
        yield Unsorted(
            days=np.array([day], np.int32),
            counts=np.array([columns.shape[1]], np.int64),
            columns=columns,
            repeats=repeats,
        )


def _limits(spill: Spill, day: int, codes: NDArray[np.int32], parts: int) -> list[int]:
    """Keys that cut a day's records into parts of about the same size, as a sample of them tells."""
    sampled = []
    for piece in spill.pieces(day):
        keys = np.sort(_keys(piece, codes))
        sampled.append(keys[:: max(1, keys.size // _SAMPLE_OF_PIECE)])
    keys = np.sort(np.concatenate(sampled))
    return sorted({int(keys[keys.size * part // parts]) for part in range(1, parts)})


def _keys(columns: NDArray[np.int32], codes: NDArray[np.int32]) -> NDArray[np.int64]:
    """One number for each (vehicle, time) of a day, in their order; shape (n,)."""
    key: NDArray[np.int64] = codes[columns[0]].astype(np.int64) << _TIME_BITS
    key += columns[1]
    return key


def _once(columns: NDArray[np.int32]) -> NDArray[np.int32]:
    """The records without repeats: of several with one (vehicle, time) the smallest; in any order."""
    order = np.lexsort(columns[::-1])
    ordered = columns[:, order]
    first = np.ones(order.size, bool)
    first[1:] = (ordered[:2, 1:] != ordered[:2, :-1]).any(axis=0)
    return ordered[:, first]


def sort_block(block: Unsorted, codes: NDArray[np.int32]) -> DayBlock:
    """Sort records by (day, vehicle, time); of several with one (vehicle, time) the smallest stays.

    codes: vehicle in order of appearance -> vehicle in order of ids. The smallest is that of the
    smallest (latitude, longitude), then value, then labels: the order of rows never decides.
    """
    appeared, time, latitude, longitude, value, *labels = block.columns
    owner = _owners(block, codes)
    order = _order(owner, time, block.counts)
    owner, time = owner[order], time[order]
    again = (time[1:] == time[:-1]) & (owner[1:] == owner[:-1])
    repeats = int(np.count_nonzero(again))
    counts, far = block.counts, 0
    if repeats:
        _smallest_first(order, again, (latitude, longitude, value, *labels))
        keep = np.concatenate(([True], ~again))
        removed = np.flatnonzero(~keep)
        stayed = order[np.maximum.accumulate(np.where(keep, np.arange(keep.size), 0))[removed]]
        far = _far_apart(latitude, longitude, order[removed], stayed)
        day = np.repeat(np.arange(block.days.size), block.counts)
        counts = np.bincount(day[keep], minlength=block.days.size).astype(np.int64)
        order, time = order[keep], time[keep]
    return DayBlock(
        days=block.days,
        counts=counts,
        vehicle=codes[appeared[order]],
        time=time,
        latitude=latitude[order],
        longitude=longitude[order],
        value=value[order],
        labels=tuple(column[order] for column in labels),
        repeats=repeats + block.repeats,
        repeats_far=far,
    )


def _far_apart(
    latitude: NDArray[np.int32],
    longitude: NDArray[np.int32],
    one: NDArray[np.intp],
    other: NDArray[np.intp],
) -> int:
    """How many of these pairs of records lie more than `_FAR_M` apart."""
    north = latitude[one].astype(np.float64) - latitude[other]
    east = (longitude[one].astype(np.float64) - longitude[other]) * np.cos(np.radians(latitude[one] / DEGREE))
    return int(np.count_nonzero(np.hypot(north, east) * (_METRES_PER_DEGREE / DEGREE) > _FAR_M))


def _owners(block: Unsorted, codes: NDArray[np.int32]) -> NDArray[Any]:
    """One number for each (day, vehicle), in their order; two bytes where they suffice."""
    narrow = block.days.size * codes.size <= 1 << 16
    kind: type[np.unsignedinteger[Any]] = np.uint16 if narrow else np.uint64
    owner: NDArray[Any] = codes.astype(kind)[block.columns[0]]
    if block.days.size > 1:
        owner += np.repeat((np.arange(block.days.size) * codes.size).astype(kind), block.counts)
    return owner


def _order(owner: NDArray[Any], time: NDArray[np.int32], counts: NDArray[np.int64]) -> NDArray[np.intp]:
    """Indices in order of (owner, time); of equal ones any may come first."""
    if owner.itemsize == 2:
        earlier = time[1:] < time[:-1]
        earlier[np.cumsum(counts)[:-1] - 1] = False
        if not earlier.any():
            # days in time order already: two-byte integers are sorted in time proportional to their number
            return np.argsort(owner, kind="stable")
    key = owner.astype(np.int64) << _TIME_BITS
    key += time
    return np.argsort(key)


def _smallest_first(
    order: NDArray[np.intp], again: NDArray[np.bool_], columns: Sequence[NDArray[np.int32]]
) -> None:
    """Put records with one owner and time into the order of `columns`; changes `order` in place."""
    tied = np.zeros(order.size, bool)
    tied[1:] |= again
    tied[:-1] |= again
    places = np.flatnonzero(tied)
    members = order[places]
    group = np.cumsum(np.concatenate(([True], ~again)))[places]
    keys = [column[members].astype(np.int64) for column in reversed(columns)]
    order[places] = members[np.lexsort(np.stack([*keys, group]))]
