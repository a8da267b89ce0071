"""One figure for each timeslot, of what a map shows of its HATs: their median, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotFigure:
    """One slot. As public or confidential as the values that it is made of."""

    slot: int
    median: float | None
    """Of the HATs that have a number; None where none has."""
    numbers: int
    """HATs with a number."""
    suppressed: int
    """HATs that are chosen and have none."""


def slot_figures(
    slots: Sequence[int],
    of_hats: NDArray[np.int64],
    values: NDArray[np.float64],
    suppressed: NDArray[np.bool_],
) -> tuple[SlotFigure, ...]:
    """A figure for each of `slots`, in their order.

    of_hats, values, suppressed: shape (n,), of every HAT its slot, its number (NaN without one) and whether
    it is suppressed; HATs of other slots are left out.
    """
    order = np.argsort(of_hats, kind="stable")
    ranked, numbers, bare = of_hats[order], values[order], suppressed[order]
    ends = [np.searchsorted(ranked, slots, side=side) for side in ("left", "right")]
    figures = []
    for slot, first, last in zip(slots, ends[0].tolist(), ends[1].tolist(), strict=True):
        finite = numbers[first:last]
        finite = finite[np.isfinite(finite)]
        figures.append(
            SlotFigure(
                slot=slot,
                median=float(np.median(finite)) if finite.size else None,
                numbers=int(finite.size),
                suppressed=int(bare[first:last].sum()),
            )
        )
    return tuple(figures)
