"""Percentiles from the shares of ranges that tile the bounds (city-release 14).

Everything is post-processing of released shares. Between the edges of ranges a curve is a straight line; the
ends of an interval lie on edges, where shares say what is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.statistics.antitonic import antitonic
from core.statistics.ranges import Ranges

_FINE = 10**9
"""Shares are made increasing for percentiles as whole numbers of this part of 1: that is exact."""
_PERCENT = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPercentiles:
    """Of G HATs and Q percentiles, shape (G, Q) each, in thousandths above the lower bound."""

    values: Floats
    lows: Floats
    highs: Floats


def increasing(curves: Floats) -> Floats:
    """The closest curves that never fall, row by row, cut to [0, 1]; shape (G, K)."""
    rows = [
        [-float(one) / _FINE for one in antitonic([round(-share * _FINE) for share in row])]
        for row in curves.tolist()
    ]
    return np.clip(np.array(rows, np.float64).reshape(curves.shape), 0.0, 1.0)


def percentiles_of(
    ranges: Ranges, curves: Floats, lows: Floats, highs: Floats, asked: Sequence[float]
) -> FoundPercentiles:
    """Where curves reach each percentile, with 95 % intervals.

    ranges: J that tile; curves, lows, highs: shape (G, J - 1), the share below the upper end of each range
    but the last, never falling, and its pointwise interval; asked: percentiles, ascending, each between 0
    and 100. The true percentile lies at or above an edge exactly if the share below it is smaller: these
    statements are nested, so of a sequence of tests that stops at the first failure only one can be the
    first to be wrong.
    """
    edges = np.array(ranges.edges, np.float64)
    full = np.hstack((np.zeros((curves.shape[0], 1)), curves, np.ones((curves.shape[0], 1))))
    shares = np.array(asked, np.float64) / _PERCENT
    values = np.column_stack([_reached(full, edges, share, ranges) for share in shares.tolist()])
    ends = [_ends(lows, highs, edges, share) for share in shares.tolist()]
    below, above = (np.column_stack([pair[side] for pair in ends]) for side in (0, 1))
    return FoundPercentiles(values=values, lows=np.minimum(below, values), highs=np.maximum(above, values))


def _reached(full: Floats, edges: Floats, share: float, ranges: Ranges) -> Floats:
    """Where each curve reaches a share, shape (G,); among those who stand it is the lower bound."""
    right = np.clip((full < share).sum(axis=1), 1, edges.size - 1)
    rows = np.arange(right.size)
    before, after = full[rows, right - 1], full[rows, right]
    along = np.divide(share - before, after - before, out=np.zeros_like(before), where=after > before)
    found = edges[right - 1] + along * (edges[right] - edges[right - 1])
    if ranges.begins_standing:
        found = np.where(right == 1, edges[0], found)
    return np.asarray(found, np.float64)


def _ends(lows: Floats, highs: Floats, edges: Floats, share: float) -> tuple[Floats, Floats]:
    """Both ends of each interval, shape (G,): the last edge of an unbroken row of tests from either side."""
    from_below = np.cumprod(highs < share, axis=1).sum(axis=1)
    from_above = np.cumprod((lows >= share)[:, ::-1], axis=1).sum(axis=1)
    return edges[from_below], edges[edges.size - 1 - from_above]
