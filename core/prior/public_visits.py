"""Which units are thought to give how many records where: what a timetable tells (method 12.9)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Ints
from core.bounding.public_counts import PublicCounts
from core.city.city_pairs import CityPairs


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicVisits:
    """One row for each (candidate HAT, unit), sorted; shapes (n,), n above 0."""

    hats: int
    """G: how many candidates there are, visited or not."""
    column: Ints
    unit: Ints
    """Numbers from 0 without gaps."""
    records: Ints
    """At least 1."""

    @property
    def fleet(self) -> int:
        """How many units visit a candidate."""
        return int(self.unit.max()) + 1

    @property
    def visited(self) -> NDArray[np.bool_]:
        """Shape (G,): candidates that a plan can be made for."""
        return np.bincount(self.column, minlength=self.hats) > 0

    def counts(self) -> PublicCounts:
        """Units of each candidate, and their records in the mean, rounded up; shapes (G,)."""
        units = np.bincount(self.column, minlength=self.hats)
        records = np.zeros(self.hats, np.int64)
        np.add.at(records, self.column, self.records)
        each = -(-records // np.maximum(units, 1))
        return PublicCounts(units=units, records=np.maximum(each, 1), fleet=self.fleet)

    def pairs(self) -> CityPairs:
        """The same table for a plan: the visited candidates, numbered anew."""
        number = np.cumsum(self.visited) - 1
        return CityPairs(
            hat=number[self.column].astype(np.int32),
            vehicle=self.unit.astype(np.int32),
            code=self.unit.astype(np.int32),
            records=self.records,
        )
