"""Regions of a release: hexagons and hours that share one number (city-release 10)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.city.region_boxes import BoxGrid
from core.city.region_search import RegionBox

_LEAST_DIGITS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """One region, by public counts."""

    id: str
    """`r001`; ids rise with the first cell, then the first slot."""
    cells: tuple[int, ...]
    """The finest cells with records in its hours, by the public counts; rising."""
    slots: range
    """Numbers of its slots in the window's grid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Regions:
    """The published regions, and which HAT is in which."""

    listed: tuple[Region, ...]
    of_hat: Ints
    """Shape (G,): HAT of the data, or candidate -> its place in `listed`, -1 where in none."""
    promised_error: float
    """Of the noise of each, in the value's unit."""
    record_share: float
    """Of the window's records, or those that public counts expect: what the regions hold."""
    spreads: Floats
    """Shape (regions,): deviation of the true means inside each that a public prior expects; km/h."""


def regions_of(
    published: Iterable[RegionBox], grid: BoxGrid, cell: Ints, slot: Ints, first_slot: int
) -> tuple[tuple[Region, ...], tuple[RegionBox, ...], Ints]:
    """Regions in the order of their ids, the box of each, and the place of each HAT's region; -1: in none.

    cell, slot: of each HAT, shape (n,), slots counted from the window's first, which is `first_slot` of the
    window's grid.
    """
    place, found = np.searchsorted(grid.cells, cell), []
    for box in published:
        number, block = divmod(box.number, grid.blocks(box.time))
        cells, slots = grid.cells_of(box.space, number), grid.slots_of(box.time, block)
        within = (place >= cells.start) & (place < cells.stop)
        within &= (slot >= slots.start) & (slot < slots.stop)
        hats = np.flatnonzero(within)
        found.append((np.unique(cell[hats]).tolist(), slots, hats, box))
    found.sort(key=lambda one: (one[0][0], one[1].start))
    of_hat = np.full(cell.size, -1)
    for number, (_, _, hats, _) in enumerate(found):
        of_hat[hats] = number
    digits = max(_LEAST_DIGITS, len(str(len(found))))
    listed = tuple(
        Region(
            id=f"r{number:0{digits}d}",
            cells=tuple(cells),
            slots=range(first_slot + slots.start, first_slot + slots.stop),
        )
        for number, (cells, slots, _, _) in enumerate(found, start=1)
    )
    return listed, tuple(box for *_, box in found), of_hat
