"""A city cut into blocks of cells that are solved together, each with its neighbourhood (city-release 9).

One factor of all HATs costs the cube of their number. What lies beyond a few kilometres tells a HAT little
that its own block does not tell as well, so larger cities are solved block by block.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from core.arrays import Floats, Ints
from core.city.smoothing_model import HatPlaces

SOLVED_TOGETHER = 5_000
"""HATs of one block of cells, with its neighbourhood: they are solved together."""
_OWN_SHARE = 0.5
"""Of the HATs solved together about so many are the block's own where there are several; the others lie
around.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellBlock:
    """Some cells with all of their HATs."""

    own: Ints
    """HATs of the block: each HAT is one block's own. Sorted."""
    around: Ints
    """HATs of the nearest other cells, which help to solve them. Sorted."""


def cell_blocks(places: HatPlaces, most: int = SOLVED_TOGETHER) -> list[CellBlock]:
    """Blocks of about `most` HATs, those around included; one block where all fit, none of none.

    The cells are halved across their wider side, and the halves again, so that no cell is cut. Blocks are
    within one cell's HATs of equal.
    """
    if places.size == 0:
        return []
    if places.size <= most:
        return [CellBlock(own=np.arange(places.size), around=np.zeros(0, np.int64))]
    hats = np.bincount(places.cell, minlength=len(places.centres))
    blocks = []
    number = math.ceil(places.size / (most * _OWN_SHARE))
    for cells in _parts(places.centres, hats, np.arange(hats.size), number):
        around = _around(places.centres, hats, cells, most)
        blocks.append(CellBlock(own=_hats_of(places, cells), around=_hats_of(places, around)))
    return blocks


def _parts(centres: Floats, hats: Ints, cells: Ints, number: int) -> Iterator[Ints]:
    """The cells in so many parts, or as many as there are cells, with much the same number of HATs."""
    number = min(number, cells.size)
    if number == 1:
        yield cells
        return
    widest = int(np.argmax(np.ptp(centres[cells], axis=0)))
    ordered = cells[np.argsort(centres[cells, widest], kind="stable")]
    reached = np.cumsum(hats[ordered])
    first = number // 2
    cut = int(np.argmin(np.abs(reached * number - reached[-1] * first))) + 1
    cut = min(max(cut, first), ordered.size - (number - first))
    yield from _parts(centres, hats, np.sort(ordered[:cut]), first)
    yield from _parts(centres, hats, np.sort(ordered[cut:]), number - first)


def _around(centres: Floats, hats: Ints, cells: Ints, most: int) -> Ints:
    """The cells nearest to some, whole, while the HATs of all are at most `most`."""
    others = np.setdiff1d(np.arange(hats.size), cells)
    distance, _ = scipy.spatial.KDTree(centres[cells]).query(centres[others])
    nearest = others[np.argsort(distance, kind="stable")]
    return np.asarray(nearest[np.cumsum(hats[nearest]) <= most - hats[cells].sum()], np.int64)


def _hats_of(places: HatPlaces, cells: Ints) -> Ints:
    return np.flatnonzero(np.isin(places.cell, cells))
