"""Counts with all the published facts of the papers' HAT: how the bundled file was made (method 10).

The papers print facts of the ITMS counts, not the counts. A log-normal with the published median, bent
upwards above it and cut at the published largest count, meets them all for one choice of its slopes.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

USERS = 217
REPLICA_RECORDS = 17_166
REPLICA_MOST = 417
LEAST = 1
REPLICA_MEDIAN = 46
"""Of the counts, by rule (a). Source of all of these: P1 Sec. IV-B, P3 Sec. IV-B."""

_LOWER_SLOPE = 0.72
_BEND = 0.52
"""Found on a grid of 0.01 over slopes 0.5..0.9 and bends 0.1..0.6: the smallest bend that meets all facts."""
_HALVINGS = 60


def make_counts() -> NDArray[np.int64]:
    """m_l of 217 users, non-increasing: the quantiles `46 exp(slope z + bend z^2)`, cut and summing up.

    The upper slope is the one that brings the sum just to 17,166 records or beyond it; the rest is
    taken, one record each, from the busiest users that have room above the next.
    """
    low, high = 0.0, 3.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if _quantiles(middle).sum() < REPLICA_RECORDS else (low, middle)
    counts = _quantiles(high)
    room = np.flatnonzero(counts[1 : USERS // 2] > counts[2 : USERS // 2 + 1]) + 1
    counts[room[: int(counts.sum()) - REPLICA_RECORDS]] -= 1
    return counts


def _quantiles(upper_slope: float) -> NDArray[np.int64]:
    """Counts for an upper slope, non-increasing."""
    normal = NormalDist()
    z = np.array([normal.inv_cdf((USERS - user - 0.5) / USERS) for user in range(USERS)])
    exponent = np.where(z > 0, upper_slope, _LOWER_SLOPE) * z + _BEND * np.maximum(z, 0.0) ** 2
    smooth = np.clip(np.rint(REPLICA_MEDIAN * np.exp(exponent)), LEAST, REPLICA_MOST)
    counts: NDArray[np.int64] = smooth.astype(np.int64)
    counts[0], counts[-1] = REPLICA_MOST, LEAST
    return counts
