"""Which regions keep a promised error, or that not even the largest ones do (city-release 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.accounting.epsilon_rounding import plain
from core.arrays import Floats, Ints
from core.city.city_pairs import CityPairs
from core.city.region_boxes import Boxes, box_grid, boxes_of
from core.city.region_search import Promise, RegionBox, hidden_by, search_regions
from core.city.region_spread import unevenness
from core.city.regions import Region, regions_of
from core.errors import InputError
from core.hats.window import Window
from core.progress import Progress, part, silent

_COUNTING = 0.5
"""Part of the work on regions with a promised error: what precedes the search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionChoice:
    """The regions that leave least unsaid, and the noise that allows them."""

    promise: Promise
    """The one of those that were tried which the regions keep."""
    listed: tuple[Region, ...]
    """At least one, in the order of their ids."""
    of_hat: Ints
    """Shape (G,): HAT -> its place in `listed`, -1 where it is in none."""
    spreads: Floats
    """Shape (regions,): deviation of the true means inside each that a public prior expects, in the papers'
    units."""


def choose_regions(
    pairs: CityPairs,
    cell: NDArray[np.uint64],
    slot: NDArray[np.int16],
    window: Window,
    promises: Sequence[Promise],
    progress: Progress = silent,
) -> RegionChoice | None:
    """Search with each promise, one for each kind of noise; None where no region keeps any.

    pairs: public counts of the HATs; cell, slot: of each HAT, shape (G,), slots as the window's grid numbers
    them. Raises what `progress` raises.
    """
    first_slot, cells = window.slots.start, cell.astype(np.int64)
    counted = slot.astype(np.int64) - first_slot
    grid = box_grid(cell, window)
    boxes = boxes_of(grid, pairs, cell, counted, part(progress, 0.0, _COUNTING))
    uneven = unevenness(boxes)
    best: tuple[float, Promise, tuple[RegionBox, ...]] | None = None
    for number, promise in enumerate(promises):
        searching = part(part(progress, _COUNTING, 1.0), number / len(promises), (number + 1) / len(promises))
        published = search_regions(boxes, uneven, promise, searching)
        hidden = hidden_by(boxes, uneven, published)
        if published and (best is None or hidden < best[0]):
            best = hidden, promise, published
    if best is None:
        return None
    _, promise, published = best
    listed, inside, of_hat = regions_of(published, grid, cells, counted, first_slot)
    return RegionChoice(
        promise=promise, listed=listed, of_hat=of_hat, spreads=_spreads(boxes, uneven, inside)
    )


def _spreads(boxes: Boxes, uneven: tuple[tuple[Floats, ...], ...], published: Sequence[RegionBox]) -> Floats:
    """Root of the variance inside each box; shape (boxes,)."""
    hidden = [float(uneven[box.space][box.time][box.number]) for box in published]
    records = [int(boxes.levels[box.space][box.time].totals[box.number]) for box in published]
    spreads: Floats = np.sqrt(np.array(hidden) / np.array(records))
    return spreads


def no_region_keeps(promised_error: float, total: Decimal) -> InputError:
    """What the error says where `choose_regions` finds none."""
    return InputError(
        "With a total of {total} not even the largest regions keep an error of {promised_error}.",
        total=plain(total),
        promised_error=f"{promised_error:g}",
        where="query.parameters, promised_error",
        mend="promise a larger error, raise the total, or choose more dates",
    )


def no_part_in_regions(key: str, mend: str) -> InputError:
    """What the error says of a parameter that regions leave no room for."""
    return InputError(
        "Regions cannot be combined with this {key}.", key=key, where=f"query.parameters, {key}", mend=mend
    )
