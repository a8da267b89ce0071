"""How much a box hides: the variance of true means inside it that a public prior expects (city-release 10).

The prior is that of smoothing with spreads for whole regions. A box of records q (shares of its HATs) has
variance `sum q_g K_gg - sum q_g K_gh q_h` around its own mean. K is a sum of products of a part in space and
a part in time, so that boxes of a million pairs of HATs cost no more than their cells and slots.
"""

from __future__ import annotations

import numpy as np

from core.arrays import Floats, Ints
from core.city.region_boxes import Boxes
from core.city.smoothing_model import HatPlaces, covariance

REGION_SPREADS = np.array([7.0, 1.5, 2.0, 2.0])
"""Place, hour of the day, place and hour, HAT; km/h where U is 65."""
_PLACE, _HOUR, _LOCAL, _OWN = np.diag(REGION_SPREADS)
_NEAR = np.array([0.0, 0.0, 1.0, 0.0])
"""The part in space of place and hour, alone."""


def unevenness(boxes: Boxes) -> tuple[tuple[Floats, ...], ...]:
    """M W of every box: its records times the variance inside it, in the papers' units.

    By level in space, then in time; shape (boxes,) each. 0 for a box of one HAT, and for an empty one.
    """
    grid = boxes.grid
    counts = boxes.levels[-1][-1].totals.reshape(grid.cells.size, -1).astype(np.float64)
    in_time = HatPlaces.of(np.repeat(grid.cells[:1], grid.hours.size), grid.hours)
    hourly = covariance(in_time, _HOUR, shared=0.0)
    local = covariance(in_time, _LOCAL, shared=0.0)
    by_space = []
    for first in grid.first_cell:
        placed, near = _PLACE @ _PLACE * counts, counts.copy()  # what a cell shares with itself
        for place in np.flatnonzero(np.diff(first) > 1).tolist():
            some = slice(*first[place : place + 2].tolist())
            cells = grid.cells[some]
            in_space = HatPlaces.of(cells, np.zeros(cells.size))
            placed[some] = covariance(in_space, _PLACE, shared=0.0) @ counts[some]
            near[some] = covariance(in_space, _NEAR, shared=0.0) @ counts[some]
        by_space.append(
            tuple(_of_blocks(counts, placed, near, first, block, hourly, local) for block in grid.first_slot)
        )
    return tuple(by_space)


def _of_blocks(
    counts: Floats,
    placed: Floats,
    near: Floats,
    first_cell: Ints,
    first_slot: Ints,
    hourly: Floats,
    local: Floats,
) -> Floats:
    """M W of the boxes of one level in space and one in time; shape (places * blocks,).

    counts, placed, near: shape (C, T), the records, and what each cell shares with them in its place.
    """
    starts = first_cell[:-1]
    alone = float(REGION_SPREADS @ REGION_SPREADS)
    made = np.zeros((starts.size, first_slot.size - 1))
    for block, (begin, end) in enumerate(zip(first_slot[:-1].tolist(), first_slot[1:].tolist(), strict=True)):
        within = slice(begin, end)
        own = counts[:, within]
        by_hour = np.add.reduceat(own, starts)
        total = by_hour.sum(axis=1)
        shared = np.add.reduceat(own.sum(axis=1) * placed[:, within].sum(axis=1), starts)
        shared += ((by_hour @ hourly[within, within]) * by_hour).sum(axis=1)
        shared += np.add.reduceat(((near[:, within] @ local[within, within]) * own).sum(axis=1), starts)
        shared += _OWN @ _OWN * np.add.reduceat((own**2).sum(axis=1), starts)
        made[:, block] = alone * total - np.divide(shared, total, out=np.zeros_like(total), where=total > 0)
    # a box of one HAT hides nothing: what is left is rounding
    return np.maximum(made.ravel(), 0.0)
