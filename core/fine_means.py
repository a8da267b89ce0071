"""Means of exact sums as integers of 2^-30 km/h, for whole arrays.

Source: method 11 (fixed point of the noise).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.fixed_point import FINE_BITS, THOUSAND

_HALF_BITS = FINE_BITS // 2


def fine_means(sums: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Means of thousandths as integers of 2^-30 km/h, each rounded to the nearest.

    sums: shape (K,), thousandths of km/h, non-negative; counts: shape (K,), 1..2^37.
    Rounding is monotone, so that a mean in [0, U] stays at most `fine_ceil(U)`.
    """
    divisor = counts.astype(np.int64) * THOUSAND
    whole, rest = np.divmod(sums, divisor)
    # long division in two steps of 15 bits: rest < divisor < 2^47, so that nothing leaves 63 bits
    upper, rest = np.divmod(rest << _HALF_BITS, divisor)
    lower = ((rest << _HALF_BITS) + divisor // 2) // divisor
    fine: NDArray[np.int64] = (whole << FINE_BITS) + (upper << _HALF_BITS) + lower
    return fine
