"""The candidate HATs: a public list, whatever the data hold (method 12.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.arrays import Ints
from core.bounding.constants import BoundingConstants
from core.contributions import Contributions
from core.errors import InternalError
from core.hats.groups import labels_in_order
from core.hats.places import HEXAGONS, PlaceIds
from core.hats.window import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateHats:
    """HATs sorted by (cell, slot); each is a column of what is published, with records or not."""

    window: Window
    cell: NDArray[np.uint64]
    """Shape (G,)."""
    slot: NDArray[np.int16]
    """Shape (G,): numbers of slots in `window.grid`."""
    places: PlaceIds = HEXAGONS

    def __len__(self) -> int:
        return int(self.cell.size)

    @property
    def names(self) -> tuple[str, ...]:
        """The id text of each, for instance `20 8742d9d69ffffff`."""
        return tuple(
            self.places.hat_id(self.window.grid, slot, cell)
            for cell, slot in zip(self.cell.tolist(), self.slot.tolist(), strict=True)
        )

    @property
    def in_rows(self) -> Ints:
        """Shape (G,): their columns in the order of rows in files, where ids stand as no formula."""
        place_in_files = {place: number for number, place in enumerate(labels_in_order(self.places.ids))}
        rank = np.array([place_in_files[place] for place in self.places.ids], np.int64)
        cells = self.cell if self.places.hexagons else rank[self.cell.astype(np.int64)]
        order: Ints = np.lexsort((self.slot, cells))
        return order

    def columns_of(self, contributions: Contributions) -> Ints:
        """HAT of the contributions -> its column, -1 outside of the list; shape (HATs with records,).

        Raises InternalError for contributions of another window: their slots would mean other hours.
        """
        if contributions.window != self.window:
            raise InternalError("contributions of another window than that of the candidates")
        return self.columns_at(contributions.cell, contributions.slot)

    def columns_at(self, cell: NDArray[np.uint64], slot: NDArray[np.int16]) -> Ints:
        """The column of each (cell, slot), -1 outside of the list; shapes (n,)."""
        cells = np.unique(self.cell)
        place = np.minimum(np.searchsorted(cells, cell), cells.size - 1)
        each = self.window.slots.stop
        known = np.searchsorted(cells, self.cell) * each + self.slot
        wanted = place * each + slot
        column = np.minimum(np.searchsorted(known, wanted), known.size - 1)
        same = (self.cell[column] == cell) & (self.slot[column] == slot)
        columns: Ints = np.where(same, column, -1)
        return columns

    @classmethod
    def every_slot(cls, cells: tuple[int, ...], window: Window, places: PlaceIds = HEXAGONS) -> CandidateHats:
        """Every slot of the window for each of the cells, in any order."""
        slots, listed = np.array(window.slots, np.int16), np.unique(np.array(cells, np.uint64))
        cell, slot = np.repeat(listed, slots.size), np.tile(slots, listed.size)
        return cls(window=window, cell=cell, slot=slot, places=places)

    def only(self, retained: NDArray[np.bool_]) -> CandidateHats:
        """Some of them, in their order; retained: shape (G,)."""
        return replace(self, cell=self.cell[retained], slot=self.slot[retained])


def candidate_hats(constants: BoundingConstants) -> CandidateHats:
    """Every slot of the window for each of the cells, or those that are listed."""
    if not constants.listed:
        return CandidateHats.every_slot(constants.cells, constants.window, constants.places)
    cell, slot = zip(*constants.listed, strict=True)
    return CandidateHats(
        window=constants.window,
        cell=np.array(cell, np.uint64),
        slot=np.array(slot, np.int16),
        places=constants.places,
    )
