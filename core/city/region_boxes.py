"""Boxes that regions are made of: an H3 index parent times a block of hours (city-release 10).

Boxes nest: each is the whole of its finer boxes in space, and of its shorter ones in time. A parent stands
for the finest cells below it in H3's numbering, which is also how it is drawn: as their union.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from h3.api import basic_int
from numpy.typing import NDArray

from core.arrays import Ints
from core.city.city_pairs import CityPairs
from core.hats.window import Window
from core.progress import Progress, silent

COARSEST_RESOLUTION = 6
"""Of the H3 index parents that regions are made of; cells that are coarser themselves stay what they are."""
BLOCK_HOURS = (1, 2, 4, 8, 24)
"""Lengths of blocks, each a multiple of the one before; a slot is the shortest block."""
_HOUR = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxGrid:
    """The nested places and blocks of a city; in both, level 0 is the coarsest."""

    cells: Ints
    """Shape (C,): the finest cells with records, rising, so that the cells of a parent lie together."""
    first_cell: tuple[Ints, ...]
    """Of each level in space: place -> its first cell, and C."""
    first_slot: tuple[Ints, ...]
    """Of each level in time: block -> its first slot, counted from the window's first, and T."""
    hours: NDArray[np.float64]
    """Shape (T,): hour of the day at the middle of each slot."""

    def places(self, space: int) -> int:
        return self.first_cell[space].size - 1

    def blocks(self, time: int) -> int:
        return self.first_slot[time].size - 1

    def places_within(self, space: int, place: int, finer: int) -> tuple[int, int]:
        """First and last + 1 of the places of a finer level that make up a place."""
        return _parts(self.first_cell[space], self.first_cell[finer], place)

    def blocks_within(self, time: int, block: int, shorter: int) -> tuple[int, int]:
        """First and last + 1 of the blocks of a shorter level that make up a block."""
        return _parts(self.first_slot[time], self.first_slot[shorter], block)

    def cells_of(self, space: int, place: int) -> slice:
        """Of a place, in `cells`."""
        return slice(*self.first_cell[space][place : place + 2].tolist())

    def slots_of(self, time: int, block: int) -> range:
        """Of a block, counted from the window's first slot."""
        return range(*self.first_slot[time][block : block + 2].tolist())


def box_grid(cells: NDArray[np.uint64], window: Window) -> BoxGrid:
    """The grid of a city whose HATs have these cells, of one resolution; shape (any,), not empty."""
    finest = np.unique(cells.astype(np.int64))
    resolution = basic_int.get_resolution(int(finest[0]))
    levels = range(min(COARSEST_RESOLUTION, resolution), resolution + 1)
    slots = len(window.slots)
    in_slots = reversed(block_lengths(slots, 0 if window.groups else window.slot_minutes))
    return BoxGrid(
        cells=finest,
        first_cell=tuple(_first_cells(finest, level) for level in levels),
        first_slot=tuple(np.append(np.arange(0, slots, length), slots) for length in in_slots),
        hours=np.array([window.grid.middle(slot) for slot in window.slots]),
    )


def block_lengths(slots: int, slot_minutes: int) -> tuple[int, ...]:
    """Lengths of blocks in slots, rising, in a window of so many; the longest is the whole window.

    slot_minutes: 0 where slots are periods, each of which is a block by itself.
    """
    if not slot_minutes:
        return (1,)
    lengths = {hours * _HOUR for hours in BLOCK_HOURS if hours * _HOUR > slot_minutes} | {slot_minutes}
    # where two lengths reach over the whole window, both are one block
    return tuple(sorted({min(length // slot_minutes, slots) for length in lengths}))


def _first_cells(cells: Ints, resolution: int) -> Ints:
    """Place -> its first cell, and their number; H3 numbers the cells of a parent one after the other."""
    parents = np.array([basic_int.cell_to_parent(cell, resolution) for cell in cells.tolist()])
    return np.append(np.flatnonzero(np.diff(parents, prepend=-1)), cells.size)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxLevel:
    """All boxes of one level in space and one in time, empty ones too, with their vehicles.

    Box `place * blocks + block`. A row is a (box, vehicle), sorted so.
    """

    first: Ints
    """Shape (boxes + 1,): box -> its first row."""
    vehicle: NDArray[np.int32]
    """Shape (rows,)."""
    records: Ints
    """Shape (rows,)."""

    @property
    def vehicles(self) -> Ints:
        """Shape (boxes,): how many vehicles were in each box."""
        return np.diff(self.first)

    @property
    def totals(self) -> Ints:
        """Shape (boxes,): records of each box."""
        return np.diff(np.concatenate(([0], np.cumsum(self.records)))[self.first])

    @property
    def box(self) -> Ints:
        """Shape (rows,)."""
        return np.repeat(np.arange(self.first.size - 1), self.vehicles)


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Every box of a city with its public counts."""

    grid: BoxGrid
    vehicles: int
    """L: vehicles are numbered from 0."""
    levels: tuple[tuple[BoxLevel, ...], ...]
    """By level in space, then in time."""


def boxes_of(
    grid: BoxGrid, pairs: CityPairs, cell: NDArray[np.uint64], slot: Ints, progress: Progress = silent
) -> Boxes:
    """Count every box.

    pairs: of HATs; cell, slot: of each HAT, shape (G,), slots counted from the window's first. Raises what
    `progress` raises.
    """
    rows = _Rows(
        cell=np.searchsorted(grid.cells, cell.astype(np.int64))[pairs.hat],
        slot=slot[pairs.hat],
        vehicle=pairs.vehicle,
        records=pairs.records,
    )
    levels = []
    for number, first_cell in enumerate(grid.first_cell):
        progress(number / len(grid.first_cell), "Counting in larger and longer boxes")
        levels.append(
            tuple(_level(rows, first_cell, first_slot, pairs.vehicles) for first_slot in grid.first_slot)
        )
    return Boxes(grid=grid, vehicles=pairs.vehicles, levels=tuple(levels))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """A cell, a slot and a vehicle each, by number, with its records; shapes (rows,)."""

    cell: Ints
    slot: Ints
    vehicle: NDArray[np.int32]
    records: Ints


def _level(rows: _Rows, first_cell: Ints, first_slot: Ints, vehicles: int) -> BoxLevel:
    """The rows of one level in space and one in time: records of equal (box, vehicle) added up."""
    blocks = first_slot.size - 1
    box = _holding(first_cell)[rows.cell] * blocks + _holding(first_slot)[rows.slot]
    key = box * vehicles + rows.vehicle
    order = np.argsort(key, kind="stable")
    key = key[order]
    begins = np.flatnonzero(np.diff(key, prepend=-1))
    boxes = np.arange((first_cell.size - 1) * blocks + 1)
    return BoxLevel(
        first=np.searchsorted(key[begins], boxes * vehicles),
        vehicle=rows.vehicle[order[begins]],
        records=np.add.reduceat(rows.records[order], begins),
    )


def _holding(first: Ints) -> Ints:
    """The place of each cell, or the block of each slot; first: as `BoxGrid` has them."""
    holding: Ints = np.repeat(np.arange(first.size - 1), np.diff(first))
    return holding


def _parts(coarse: Ints, fine: Ints, number: int) -> tuple[int, int]:
    first, last = np.searchsorted(fine, coarse[number : number + 2]).tolist()
    return first, last
