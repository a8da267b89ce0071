"""Which records of a protected unit count: its first HATs, and its first days, by keyed hash (method 12.2).

What is retained of a unit is a function of the unit's records, of public constants and of the population's
key. No other vehicle has a part in it, so that to add or remove one unit changes nothing of the others.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Ints
from core.bounding.candidates import CandidateHats
from core.bounding.constants import BoundingConstants
from core.bounding.keyed_hash import HashWords, keyed_words, pair_hashes
from core.contributions import Contributions, PairTable
from core.contributions.table import changes
from core.privacy import Confidential, Unit

_VEHICLE, _DATE, _HAT = "vehicle", "date", "hat"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RetainedRows(Confidential):
    """Rows of a contribution table that count, in its order: by (column, vehicle, day); shapes (n,)."""

    row: Ints
    column: Ints
    """The candidate HAT."""
    unit: Ints
    """Number of the protected unit."""

    def only(self, retained: NDArray[np.bool_]) -> RetainedRows:
        """Some of them; retained: shape (n,)."""
        return RetainedRows(row=self.row[retained], column=self.column[retained], unit=self.unit[retained])


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Entries(Confidential):
    """What counts once each: a unit in a HAT, or one of its days there; by column, shapes (n,)."""

    column: Ints
    unit: Ints
    records: Ints
    """At least 1."""
    sums: Ints
    """Of their values, thousandths."""
    maxima: Ints
    """The largest of their values, thousandths."""


def candidate_rows(contributions: Contributions, candidates: CandidateHats, unit: Unit) -> RetainedRows:
    """All rows in candidate HATs; whatever lies outside of them is ignored."""
    column = candidates.columns_of(contributions)[contributions.hat]
    row = np.flatnonzero(column >= 0)
    number = contributions.vehicle[row].astype(np.int64)
    if unit is Unit.VEHICLE_DAY:
        number = number * contributions.window.days + contributions.day[row]
    return RetainedRows(row=row, column=column[row], unit=number)


def rows_in_columns(rows: RetainedRows, columns: Ints) -> RetainedRows:
    """The same rows in columns that several candidates may share; columns: shape (G,), -1: in none."""
    column = columns[rows.column]
    order = np.flatnonzero(column >= 0)
    order = order[np.lexsort((rows.unit[order], column[order]))]
    return RetainedRows(row=rows.row[order], column=column[order], unit=rows.unit[order])


def bounded_rows(
    contributions: Contributions,
    candidates: CandidateHats,
    constants: BoundingConstants,
    key: bytes,
    *,
    by_day: bool,
) -> RetainedRows:
    """The rows of at most `constants.hats` candidate HATs of each unit, the first by keyed hash.

    by_day: whether a unit's days count apart; then those of the first `constants.days` days stay first,
    of all days that the unit has in candidate HATs. key: of the population.
    """
    rows = candidate_rows(contributions, candidates, constants.unit)
    vehicles = keyed_words(key, _VEHICLE, contributions.vehicles)
    dates = keyed_words(key, _DATE, (date.isoformat() for date in contributions.window.dates))
    if by_day and constants.unit is Unit.VEHICLE:
        rows = _first_days(rows, contributions, vehicles, dates, constants.days)
    vehicle, day = contributions.vehicle[rows.row], contributions.day[rows.row]
    words = vehicles[vehicle]
    if constants.unit is Unit.VEHICLE_DAY:
        words = pair_hashes(words, dates[day])
    new = changes(rows.column, rows.unit)
    first = np.flatnonzero(new)
    hats = keyed_words(key, _HAT, candidates.names)[rows.column[first]]
    retained = first_by_hash(rows.unit[first], pair_hashes(words[first], hats), constants.hats)
    return rows.only(retained[np.cumsum(new) - 1])


def _first_days(
    rows: RetainedRows, contributions: Contributions, vehicles: HashWords, dates: HashWords, most: int
) -> RetainedRows:
    """Rows of the first days of each vehicle; vehicles, dates: their words."""
    number = rows.unit * contributions.window.days + contributions.day[rows.row]
    distinct, place = np.unique(number, return_inverse=True)
    vehicle, day = np.divmod(distinct, contributions.window.days)
    return rows.only(first_by_hash(vehicle, pair_hashes(vehicles[vehicle], dates[day]), most)[place])


def first_by_hash(group: Ints, hashes: HashWords, most: int) -> NDArray[np.bool_]:
    """Shape (n,): of each group the items with the `most` smallest hashes; of equal ones the first.

    group: numbers from 0, shape (n,); hashes: of the items, shape (n,).
    """
    retained = np.ones(group.size, bool)
    crowded = np.flatnonzero(np.bincount(group)[group] > most) if group.size else group
    order = crowded[np.lexsort((hashes[crowded], group[crowded]))]
    starts = np.flatnonzero(changes(group[order]))
    rank = np.arange(order.size) - np.repeat(starts, np.diff(starts, append=order.size))
    retained[order[rank >= most]] = False
    return retained


def unit_entries(rows: RetainedRows, pairs: PairTable) -> Entries:
    """One entry for each unit in each HAT, of all its records there; pairs: of the same contributions."""
    return _entries(rows, pairs, np.flatnonzero(changes(rows.column, rows.unit)))


def pair_entries(rows: RetainedRows, pairs: PairTable) -> Entries:
    """One entry for each vehicle and day in each HAT."""
    return _entries(rows, pairs, np.arange(rows.row.size))


def _entries(rows: RetainedRows, pairs: PairTable, first: Ints) -> Entries:
    counts, sums, maxima = (
        column[rows.row] for column in (pairs.pairs.counts, pairs.pairs.sums, pairs.pairs.maxima)
    )
    if not first.size:
        return Entries(column=rows.column, unit=rows.unit, records=counts, sums=sums, maxima=maxima)
    return Entries(
        column=rows.column[first],
        unit=rows.unit[first],
        records=np.add.reduceat(counts, first),
        sums=np.add.reduceat(sums, first),
        maxima=np.maximum.reduceat(maxima, first),
    )


def first_values(
    contributions: Contributions, columns: Ints, begin: Ints, records: Ints, retained: Ints
) -> NDArray[np.int32]:
    """The first values of each unit in each HAT, one after the other; a HAT's values lie together."""
    found = [np.zeros(0, np.int32)]
    starts = np.flatnonzero(changes(columns)).tolist()
    for one, end in itertools.pairwise([*starts, columns.size]):
        low, high = int(begin[one]), int(begin[end - 1] + records[end - 1])
        taken = retained[one:end]
        number = np.arange(int(taken.sum())) - np.repeat(np.cumsum(taken) - taken, taken)
        found.append(contributions.values[low:high][np.repeat(begin[one:end] - low, taken) + number])
    return np.concatenate(found)
