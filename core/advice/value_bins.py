"""A histogram of numbers that are not whole, such as errors: round widths of bars, an axis of counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.charts.ticks import linear_scale
from core.privacy import Confidential

_MOST_BARS = 24
_LEAST_COUNTS = 8
"""The axis of a histogram's counts is so long that no two of its ticks are less than 1 apart."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ValueBins(Confidential):
    """Bar i holds the numbers from `edges[i]` on, below `edges[i + 1]`; the last its upper edge too."""

    edges: NDArray[np.float64]
    """Shape (B + 1,), ascending."""
    bar: NDArray[np.int64]
    """Shape (n,): the bar of every number, -1 of one that is none."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """Shape (B,): how many numbers each bar holds."""
        return np.bincount(self.bar[self.bar >= 0], minlength=self.edges.size - 1)

    def between(self, first: int, last: int) -> NDArray[np.int64]:
        """The places of the numbers in these bars, both inclusive."""
        return np.flatnonzero((self.bar >= first) & (self.bar <= last))


def value_bins(values: NDArray[np.float64], *, whole: bool = False) -> ValueBins:
    """Bars over finite numbers, from 0 on where that leaves most of the room to them.

    values: shape (n,); NaN is in no bar. whole: no bar is narrower than 1.
    """
    finite = np.isfinite(values)
    known = values[finite]
    if not known.size:
        return ValueBins(edges=np.array([0.0, 1.0]), bar=np.full(values.size, -1, np.int64))
    least, most = float(known.min()), float(known.max())
    if whole:
        most = max(most, least + _LEAST_COUNTS)
    scale = linear_scale([least, most], from_zero=0 <= least <= most / 2)
    width = scale.ticks[1] - scale.ticks[0]
    pieces = _pieces(width, len(scale.ticks) - 1, whole=whole)
    edges = np.linspace(scale.low, scale.high, (len(scale.ticks) - 1) * pieces + 1)
    bar = np.full(values.size, -1, np.int64)
    bar[finite] = np.clip(np.searchsorted(edges, known, side="right") - 1, 0, edges.size - 2)
    return ValueBins(edges=edges, bar=bar)


def _pieces(width: float, ticks: int, *, whole: bool) -> int:
    """Into how many bars the room between two ticks is cut: 5, 2 or 1, as many as can be read."""
    for pieces in (5, 2):
        fits = not whole or (width / pieces) == round(width / pieces)
        if ticks * pieces <= _MOST_BARS and fits:
            return pieces
    return 1
