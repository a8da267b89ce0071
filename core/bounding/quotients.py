"""A noisy sum over a noisy weight, and what interval both bounds give together (method 12.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotients:
    """Means of HATs, thousandths above the lower bound; shapes (G,)."""

    value: Ints
    """In [0, U]."""
    unclamped: Ints
    low: Ints
    high: Ints
    informative: NDArray[np.bool_]
    """False where the interval is all of [0, U], as the weight may be none."""


def quotients(
    sums: Floats,
    weights: Floats,
    *,
    reach: tuple[float, float],
    least: Floats | float,
    centre: float,
    upper: int,
) -> Quotients:
    """`centre + sums / weights` of each HAT.

    sums: thousandths times weight, around the centre; reach: what their noise, and that of the weights, stays
    within with probability 0.975 each; least: weights are no smaller, above 0; upper: U in thousandths. The
    interval is made of the extremes of the quotient while both noises stay within reach, which they do with
    probability 0.95, cut to [0, U] and rounded outwards.
    """
    unclamped = np.rint(centre + sums / np.maximum(weights, least)).astype(np.int64)
    value = unclamped.clip(0, upper)
    lightest, heaviest = weights - reach[1], weights + reach[1]
    known = lightest > 0.0
    lightest = np.where(known, lightest, 1.0)
    below, above = sums - reach[0], sums + reach[0]
    low = np.floor(centre + np.minimum(below / lightest, below / heaviest))
    high = np.ceil(centre + np.maximum(above / lightest, above / heaviest))
    known &= (high >= 0) & (low <= upper)
    low, high = (
        np.where(known, end.clip(0, upper), far).astype(np.int64) for end, far in ((low, 0), (high, upper))
    )
    return Quotients(
        value=value,
        unclamped=unclamped,
        low=np.minimum(low, value),
        high=np.maximum(high, value),
        informative=known,
    )
