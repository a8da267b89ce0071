"""How many changes are chance: 5 % of intervals miss, 5 % of retained ones are none (method 14.8).

Of changes that are none one in twenty is larger than the noise by chance. The procedure of Y. Benjamini
and Y. Hochberg (Controlling the false discovery rate: a practical and powerful approach to multiple testing,
Journal of the Royal Statistical Society B 57, 1995, Theorem 1) keeps the strongest, so many that on average
at most one in twenty of those retained is none.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.noise.laplace_normal import LN_20, erfc_of

MISSED = 0.05
"""Share of all 95 % intervals that miss, which chance is judged by."""
FALSE_DISCOVERIES = 0.05
"""Share of the changes that are retained which may be none."""
_NORMAL_95 = 1.959964

Flags = NDArray[np.bool_]


def p_values(change: Floats, reach: Floats, *, normal: bool) -> Floats:
    """The probability, at most, that no change would look like this one; 1 where it is above 0.05.

    change: difference of two noisy numbers before they were cut to their range. reach: what it stays within
    with a probability of 95 % where nothing has changed. normal: both noises are.
    """
    ratio = np.divide(np.abs(change), reach, out=np.zeros_like(change), where=reach > 0.0)
    ratio = np.where((reach <= 0.0) & (change != 0.0), np.inf, ratio)
    tail = erfc_of(ratio * _NORMAL_95 / math.sqrt(2.0)) if normal else np.exp(-LN_20 * ratio)
    return np.asarray(np.where(ratio >= 1.0, np.minimum(tail, MISSED), 1.0), dtype=np.float64)


def retained_discoveries(p: Floats, rate: float = FALSE_DISCOVERIES) -> Flags:
    """Which of them Benjamini and Hochberg keep, at most `rate` of them false on average; shapes (n,)."""
    ordered = np.sort(p)
    allowed = rate * np.arange(1, p.size + 1) / max(p.size, 1)
    met = np.flatnonzero(ordered <= allowed)
    threshold = ordered[met[-1]] if met.size else -1.0
    return np.asarray(p <= threshold)
