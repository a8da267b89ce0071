"""Who contributed what to which HAT: values in blocks, and which slots are nights (method 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.clean.record_filter import RecordFilter
from core.contributions.values import Values
from core.hats.places import HEXAGON_CHOICE, HEXAGONS, PlaceChoice, PlaceIds
from core.hats.window import Window
from core.privacy import Confidential
from core.quantity import SPEED, Measured
from core.records.id_folds import OtherTexts

BLOCK_VALUES = 1 << 20
"""Values that a block of rows of contributions holds at most, unless one row alone holds more."""
_BUSY = 10
"""A slot with fewer records than the fullest by more than this factor is a night, when a few stand about."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Contributions(Confidential):
    """A table with one row per (HAT, vehicle, day), sorted so, and the values in that order.

    Values of one row are in (instant, latitude, longitude, value) order. The table is a function
    of the records alone.
    """

    window: Window
    resolution: int
    """Of hexagons; 0 for other places."""
    zone: str
    """IANA name of the data set's zone."""
    upper_bound: int
    """U in thousandths of the value's unit."""
    vehicles: tuple[str, ...]
    cell: NDArray[np.uint64]
    """Shape (G,): the HATs' cells, or numbers of other places; sorted by (cell, slot)."""
    slot: NDArray[np.int16]
    """Shape (G,): number of the slot in `window.grid`."""
    hat: NDArray[np.int32]
    """Shape (P,): row -> HAT."""
    vehicle: NDArray[np.int32]
    """Shape (P,): row -> vehicle."""
    day: NDArray[np.int16]
    """Shape (P,): row -> index into `window.dates`."""
    start: NDArray[np.int64]
    """Shape (P + 1,): row -> its first value."""
    values: Values
    """n of them, thousandths of km/h."""
    measured: Measured = SPEED.measured
    """What the values are; they count from its lower bound."""
    derived: bool | None = False
    """They follow from positions: only relation user may release them (method 2); None: not known."""
    other_texts: OtherTexts = field(default_factory=dict)
    """As `Records` have them: how ids were read that were written otherwise."""
    derived_by_day: bool = False
    """They were derived, each from positions of the same local day: a vehicle-day decides about itself."""
    filters: tuple[RecordFilter, ...] = ()
    """Which records a table was made of; of records their rules say it."""
    limits_known: bool = field(default=True, compare=False)
    """Which values were dropped as impossible; False where a table's file keeps silent on that: of the file,
    and no part of the table."""
    visits: NDArray[np.int32] | None = None
    """Shape (P,): how often the vehicle came to the HAT that day (method 4); None where that is not known,
    or tells nothing of its speed."""
    choice: PlaceChoice = HEXAGON_CHOICE
    places: PlaceIds = HEXAGONS
    """What `cell` numbers."""

    @property
    def hats(self) -> int:
        """G, the number of HATs with records."""
        return int(self.cell.size)

    @property
    def first_busy_slot(self) -> int | None:
        """The first slot of the window with a tenth of the records of the fullest; None without records.

        Confidential.
        """
        if not self.slot.size:
            return None
        records = np.bincount(self.slot, weights=self.records)
        return int(np.argmax(_BUSY * records >= records.max()))

    @property
    def counts(self) -> NDArray[np.int64]:
        """Shape (P,): records of each row."""
        return np.diff(self.start)

    @property
    def records(self) -> NDArray[np.int64]:
        """Shape (G,): records of each HAT."""
        return np.diff(self.start[self.rows_before()])

    def hat_name(self, index: int) -> str:
        """The id text of a HAT."""
        return self.places.hat_id(self.window.grid, int(self.slot[index]), int(self.cell[index]))

    def hat_text(self, index: int) -> str:
        """The same as people read it."""
        text = self.places.id_text(int(self.cell[index]))
        return self.window.grid.hat_text(int(self.slot[index]), text)

    def row_blocks(self, part: slice | None = None) -> Iterator[slice]:
        """All rows, or those of a part, in blocks of a bounded number of values; a row is never cut."""
        begin, rows, _ = (part or slice(None)).indices(self.hat.size)
        while begin < rows:
            last = int(np.searchsorted(self.start, self.start[begin] + BLOCK_VALUES, side="right")) - 1
            end = min(max(last, begin + 1), rows)
            yield slice(begin, end)
            begin = end

    def starts_vehicle(self) -> NDArray[np.bool_]:
        """Shape (P,): whether a row is the first of its (HAT, vehicle)."""
        return changes(self.hat, self.vehicle)

    def vehicle_days(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
        """HAT, vehicle and number of days of each (HAT, vehicle), in the order of the rows."""
        first = np.flatnonzero(self.starts_vehicle())
        return self.hat[first], self.vehicle[first], np.diff(first, append=self.hat.size)

    def rows_before(self) -> NDArray[np.int64]:
        """Shape (G + 1,): HAT -> its first row, and the number of rows."""
        rows = np.zeros(self.hats + 1, np.int64)
        np.cumsum(np.bincount(self.hat, minlength=self.hats), out=rows[1:])
        return rows


def changes(*columns: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """True where a row differs from the one before in any column, and at the first row; shape (rows,)."""
    found = np.zeros(columns[0].size, bool)
    found[:1] = True
    for column in columns:
        found[1:] |= column[1:] != column[:-1]
    return found


def distinct(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers in their order, each once, as `numpy.unique` has them.

    That keeps Python's lock for a second where a million differ, and takes ten times as long.
    """
    ordered = np.sort(numbers, axis=None)
    return ordered[changes(ordered)]
