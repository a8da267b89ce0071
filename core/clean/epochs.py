"""Numbers of seconds, milliseconds, microseconds or nanoseconds since 1970, distinguished by their size.

Each unit begins where it reads 1973-03-03, and the one before ends beyond the year 5000: the instants
that are retained, 2000 to 2100, have one reading each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.clean.read_times import MISSING

_UNITS = ((10**11, 1), (10**14, 1_000), (10**17, 1_000_000))
"""Pairs (first number of the unit, its ticks a millisecond); what is smaller are seconds."""
_LEAST, _MOST = -(10**15), 9.2e18


def whole_epochs(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """UTC milliseconds, the nearest ones; `MISSING` for seconds beyond all counting. Shapes (n,)."""
    ms = np.where(numbers > _LEAST, numbers * 1000, MISSING)
    for first, ticks in _UNITS:
        inside = numbers >= first
        if not inside.any():
            break
        whole, rest = np.divmod(numbers[inside], ticks)
        ms[inside] = whole + (2 * rest + (whole & 1) > ticks)  # halves to the even one, as rint does
    return ms


def decimal_epochs(numbers: NDArray[np.float64]) -> NDArray[np.int64]:
    """UTC milliseconds, the nearest ones; `MISSING` for what is no number or beyond counting. Shapes (n,)."""
    sane = np.isfinite(numbers) & (numbers > _LEAST) & (numbers < _MOST)
    filled = np.where(sane, numbers, 0.0)
    ms = filled * 1000.0
    for first, ticks in _UNITS:
        ms = np.where(filled >= first, filled / ticks, ms)
    return np.where(sane, np.rint(ms).astype(np.int64), MISSING)
