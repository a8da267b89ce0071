"""What Query 1 and 2 need of every (HAT, vehicle, day): records, sum and largest value (TR III.E)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.contributions.table import Contributions
from core.privacy import Confidential


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

    def hat(self, index: int, retained: NDArray[np.bool_] | None = None) -> HatPairs:
        """The pairs of one HAT; retained: shape (P,), rows that are not suppressed; None: all."""
        first, last = int(self.first[index]), int(self.first[index + 1])
        rows = slice(first, last) if retained is None else first + np.flatnonzero(retained[first:last])
        pairs = self.pairs
        return HatPairs(
            vehicle=pairs.vehicle[rows],
            counts=pairs.counts[rows],
            sums=pairs.sums[rows],
            maxima=pairs.maxima[rows],
        )


def pairs_of(contributions: Contributions) -> PairTable:
    """Sums and maxima of every (HAT, vehicle, day)."""
    start, rows = contributions.start, contributions.hat.size
    sums, maxima = np.empty(rows, np.int64), np.empty(rows, np.int64)
    for block in contributions.row_blocks():
        first = int(start[block.start])
        values = contributions.values[first : int(start[block.stop])].astype(np.int64)
        begin = start[block] - first
        sums[block] = np.add.reduceat(values, begin)
        maxima[block] = np.maximum.reduceat(values, begin)
    return PairTable(
        pairs=HatPairs(
            vehicle=contributions.vehicle,
            counts=contributions.counts,
            sums=sums,
            maxima=maxima,
        ),
        first=contributions.rows_before(),
    )
