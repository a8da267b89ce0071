"""Who contributed what to which HAT: the only thing that mechanisms need of the records (SPEC 4)."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.hats.cells import cell_text, require_resolution
from core.hats.slots import hat_id
from core.hats.tile_table import cells_of
from core.hats.window import Window
from core.ingest.records import Records
from core.ingest.zones import local_days_and_ms
from core.privacy import Confidential, Unit
from core.progress import Progress, part, silent

EVALUATION_TIE_KEY = bytes(32)
"""Orders ties where nothing is released; a release uses the population's own key (SPEC 4)."""
_EPOCH_ORDINAL = 719_163
_MINUTE_MS = 60_000
_HALF_SQUARE = 31


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Contributions(Confidential):
    """A table with one row per (HAT, vehicle, day), sorted so, and the values in that order.

    Values of one row are in (instant, latitude, longitude, value) order. The table is a function
    of the records alone.
    """

    window: Window
    resolution: int
    zone: str
    """IANA name of the data set's zone."""
    upper_bound: int
    """U in thousandths of km/h."""
    vehicles: tuple[str, ...]
    cell: NDArray[np.uint64]
    """Shape (G,): the HATs' cells, sorted by (cell, slot)."""
    slot: NDArray[np.int16]
    """Shape (G,): number of the slot, counted from midnight."""
    hat: NDArray[np.int32]
    """Shape (P,): row -> HAT."""
    vehicle: NDArray[np.int32]
    """Shape (P,): row -> vehicle."""
    day: NDArray[np.int16]
    """Shape (P,): row -> index into `window.dates`."""
    start: NDArray[np.int64]
    """Shape (P + 1,): row -> its first value."""
    values: NDArray[np.int32]
    """Shape (n,): thousandths of km/h."""

    @property
    def hats(self) -> int:
        """G, the number of HATs with records."""
        return int(self.cell.size)

    @property
    def counts(self) -> NDArray[np.int64]:
        """Shape (P,): records of each row."""
        return np.diff(self.start)

    def hat_name(self, index: int) -> str:
        """The id text of a HAT."""
        return hat_id(int(self.slot[index]), self.window.slot_minutes, cell_text(self.cell[index]))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HatData(Confidential):
    """One HAT's users by non-increasing count (ties by keyed hash), and where their values are."""

    counts: NDArray[np.int64]
    """Shape (L,): m_l."""
    starts: NDArray[np.int64]
    """Shape (L,): each user's first value in `values`."""
    values: NDArray[np.int32]
    """Thousandths of km/h; a user's values are consecutive and in time order."""
    upper_bound: int
    """U in thousandths of km/h."""

    def sums_of(
        self, user: NDArray[np.int64], first: NDArray[np.int64], taken: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Sums of segments: `taken` values of `user` from their `first` on; shapes (S,), thousandths."""
        return _segment_sums(self.values, self.starts[user] + first, taken)

    def sums(self) -> NDArray[np.int64]:
        """Sum of all values of each user, thousandths of km/h; shape (L,)."""
        everyone = np.arange(self.counts.size)
        return self.sums_of(everyone, np.zeros_like(everyone), self.counts)

    def first_records(self, most: int) -> HatData:
        """The same users with the first `most` records of each at most."""
        return dataclasses.replace(self, counts=np.minimum(self.counts, most))

    def sum_of_squares(self) -> int:
        """Sum of the squares of all users' values, in squared thousandths: exact for any number of them."""
        squares = self.values.astype(np.int64) ** 2
        # a square has up to 62 bits: its upper and its lower 31 bits are summed apart
        upper = int(_segment_sums(squares >> _HALF_SQUARE, self.starts, self.counts).sum())
        squares &= (1 << _HALF_SQUARE) - 1
        return (upper << _HALF_SQUARE) + int(_segment_sums(squares, self.starts, self.counts).sum())


def _segment_sums(
    values: NDArray[np.int32] | NDArray[np.int64], start: NDArray[np.int64], taken: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Sums of `taken` values from `start` on, shapes (S,); all values together must fit 63 bits."""
    cumulative = np.concatenate(([0], np.cumsum(values, dtype=np.int64)))
    sums: NDArray[np.int64] = cumulative[start + taken] - cumulative[start]
    return sums


def contributions_of(
    records: Records, resolution: int, window: Window, progress: Progress = silent
) -> Contributions:
    """Index the records of the window and sort them by (HAT, vehicle, day).

    Raises InputError when the window holds no record.
    """
    require_resolution(resolution)
    dates = np.array([date.toordinal() - _EPOCH_ORDINAL for date in window.dates])
    local_day, local_ms = local_days_and_ms(records.instants(), records.zone)
    minute = local_ms // _MINUTE_MS
    position = np.minimum(np.searchsorted(dates, local_day), dates.size - 1)
    inside = (dates[position] == local_day) & (minute >= window.start) & (minute < window.end)
    kept = np.flatnonzero(inside)
    if not kept.size:
        raise InputError(
            "The window holds no record.",
            where=f"{window.dates[0]} to {window.dates[-1]}, {window.hours[0]} to {window.hours[1]}",
            mend="compare the dates, the hours and the zone with the ingest report (`inspect`)",
        )
    cell = cells_of(records.latitude[kept], records.longitude[kept], resolution, part(progress, 0.1, 0.7))
    progress(0.7, "Sorting contributions")
    slot = (minute[kept] // window.slot_minutes).astype(np.int64)
    cells, cell_code = np.unique(cell, return_inverse=True)
    hats, hat = np.unique(cell_code * 256 + slot, return_inverse=True)
    # records come sorted by (day, vehicle, instant, ...), which a stable sort keeps for each of these
    order = np.lexsort((position[kept], records.vehicle[kept], hat))
    columns = {
        "hat": hat[order].astype(np.int32),
        "vehicle": records.vehicle[kept][order].astype(np.int32),
        "day": position[kept][order].astype(np.int16),
    }
    start = np.flatnonzero(_changes(*columns.values()))
    progress(1.0, "Contributions ready")
    return Contributions(
        window=window,
        resolution=resolution,
        zone=records.zone,
        upper_bound=records.upper_bound,
        vehicles=records.vehicles,
        cell=cells[hats // 256],
        slot=(hats % 256).astype(np.int16),
        start=np.append(start, kept.size),
        values=records.value[kept][order],
        **{name: column[start] for name, column in columns.items()},
    )


def _changes(*columns: NDArray[np.int32]) -> NDArray[np.bool_]:
    """True where a row differs from the one before in any column, and at the first row."""
    changes = np.ones(columns[0].size, bool)
    changes[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return changes


def tie_ranks(vehicles: tuple[str, ...], key: bytes) -> NDArray[np.int64]:
    """Shape (vehicles,): rank of each vehicle by a keyed hash of its id, to order equal counts."""
    hashes = [hmac.digest(key, name.encode(), hashlib.sha256) for name in vehicles]
    ranks = np.empty(len(vehicles), np.int64)
    ranks[sorted(range(len(vehicles)), key=hashes.__getitem__)] = np.arange(len(vehicles))
    return ranks


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HatPairs(Confidential):
    """One HAT's (vehicle, day) pairs, by vehicle and day; all shapes (N,)."""

    vehicle: NDArray[np.int32]
    counts: NDArray[np.int64]
    """Records of the pair."""
    sums: NDArray[np.int64]
    """Of its values, thousandths of km/h."""
    maxima: NDArray[np.int64]
    """Its largest value, thousandths of km/h."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PairTable(Confidential):
    """The contribution table by (HAT, vehicle, day), with what Query 1 and 2 need of each row."""

    pairs: HatPairs
    first: NDArray[np.int64]
    """Shape (G + 1,): HAT -> its first row."""

    def hat(self, index: int) -> HatPairs:
        """The pairs of one HAT."""
        rows = slice(int(self.first[index]), int(self.first[index + 1]))
        pairs = self.pairs
        return HatPairs(
            vehicle=pairs.vehicle[rows],
            counts=pairs.counts[rows],
            sums=pairs.sums[rows],
            maxima=pairs.maxima[rows],
        )


def pairs_of(contributions: Contributions) -> PairTable:
    """Sums and maxima of every (HAT, vehicle, day)."""
    begin = contributions.start[:-1]
    values = contributions.values.astype(np.int64)
    return PairTable(
        pairs=HatPairs(
            vehicle=contributions.vehicle,
            counts=contributions.counts,
            sums=np.add.reduceat(values, begin),
            maxima=np.maximum.reduceat(values, begin),
        ),
        first=np.searchsorted(contributions.hat, np.arange(contributions.hats + 1)),
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UserTable(Confidential):
    """The contribution table by users of a unit: one row per (HAT, user), sorted by HAT.

    Within a HAT users come by non-increasing count, ties by (keyed hash of the vehicle, day).
    """

    unit: Unit
    hat: NDArray[np.int32]
    vehicle: NDArray[np.int32]
    place: NDArray[np.int64]
    """Shape (rows,): place of the row's user in the keyed order; equal in all HATs of a vehicle, or of
    a vehicle-day with the smaller units."""
    counts: NDArray[np.int64]
    starts: NDArray[np.int64]
    first: NDArray[np.int64]
    """Shape (G + 1,): HAT -> its first row."""
    values: NDArray[np.int32]
    upper_bound: int

    def hat_counts(self, index: int, kept: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """Public counts of one HAT, m_l in order: shape (L,).

        kept: which rows of the table are not suppressed; None: all.
        """
        return self.counts[self._rows(index, kept)]

    def hat_data(self, index: int, kept: NDArray[np.bool_] | None = None) -> HatData:
        """One HAT with its own slice of the values; `kept` as for `hat_counts`."""
        rows = self._rows(index, kept)
        starts = self.starts[rows]
        begin, end = int(starts.min()), int((starts + self.counts[rows]).max())
        return HatData(
            counts=self.counts[rows],
            starts=starts - begin,
            values=self.values[begin:end],
            upper_bound=self.upper_bound,
        )

    def _rows(self, index: int, kept: NDArray[np.bool_] | None) -> slice | NDArray[np.int64]:
        first, last = int(self.first[index]), int(self.first[index + 1])
        return slice(first, last) if kept is None else first + np.flatnonzero(kept[first:last])


def users_of(contributions: Contributions, unit: Unit, key: bytes) -> UserTable:
    """Group the table by the unit that is protected (SPEC 5) and order the users (SPEC 4)."""
    by_vehicle = unit is Unit.VEHICLE
    columns = (contributions.hat, contributions.vehicle)
    new_user = _changes(*columns) if by_vehicle else np.ones(contributions.hat.size, bool)
    row = np.flatnonzero(new_user)
    starts = contributions.start[row]
    counts = np.diff(np.append(starts, contributions.start[-1]))
    hat, vehicle = contributions.hat[row], contributions.vehicle[row]
    day = contributions.day[row]
    rank = tie_ranks(contributions.vehicles, key)[vehicle]
    order = np.lexsort((day, rank, -counts, hat))
    return UserTable(
        unit=unit,
        hat=hat[order],
        vehicle=vehicle[order],
        place=(rank if by_vehicle else rank * contributions.window.days + day)[order],
        counts=counts[order],
        starts=starts[order],
        first=np.searchsorted(hat, np.arange(contributions.hats + 1)),
        values=contributions.values,
        upper_bound=contributions.upper_bound,
    )
