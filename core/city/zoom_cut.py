"""What a second look misses because it cuts vehicles' means to its ranges (city-release 8).

By the public model the means of a HAT's vehicles lie around the HAT's own mean, and this around what the
first look found. Cutting pulls the second look towards the middle of its range. The values that are published
keep that pull and allow for it; intervals of smoothed values go by values that are corrected for it, because
their model knows from the first look where that middle is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from core.arrays import Floats
from core.city.city_bias import spread_squared
from core.city.city_pairs import CityPairs
from core.mechanisms.public_model import scaled

_DENSITY = 1.0 / np.sqrt(2.0 * np.pi)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Of each HAT, shape (G,): the law of `cut mean - mean`; km/h."""

    middle: Floats
    """What the first look expects the mean to be."""
    shift: Floats
    """Expected."""
    slope: Floats
    """How much of a distance from `middle` is cut away, 0 to 1."""
    rest: Floats
    """Standard deviation of what neither of them explains."""
    whole: Floats
    """Root mean square of all of it."""
    at_worst: Floats
    """Largest |cut mean - mean| over all values in [0, U]."""

    def corrected(self, cut: Floats) -> Floats:
        """What was seen of the cut means, without shift and slope; shape (G,)."""
        undone: Floats = self.middle + (cut - self.shift - self.middle) / self.rest_share
        return undone

    @property
    def rest_share(self) -> Floats:
        """1 - slope: what is left of a distance; noise grows by its inverse where it is undone."""
        rest_share: Floats = 1.0 - self.slope
        return rest_share


def cut_of(
    pairs: CityPairs,
    weights: Floats,
    ends: tuple[Floats, Floats],
    first: tuple[Floats, Floats],
    upper_kmh: float,
) -> Cut:
    """weights: v, shape (n,); ends: of the ranges; first: mean and deviation that the first look left; (G,).

    Nothing is cut at 0 and at U, where no value lies beyond.
    """
    low, high = ends
    middle, deviation = first
    spread = spread_squared(pairs) * scaled(1.0, upper_kmh) ** 2
    around = np.sqrt(spread + deviation[pairs.hat] ** 2)
    below = np.where(low > 0.0, low - middle, -np.inf)[pairs.hat] / around
    above = np.where(high < upper_kmh, high - middle, np.inf)[pairs.hat] / around
    lost_below, lost_above = _beyond(-below), _beyond(above)
    outside = lost_below[0] + lost_above[0]
    mean = around * (lost_below[1] - lost_above[1])
    square = around**2 * (lost_below[2] + lost_above[2])
    between, own = pairs.by_hat(weights * outside), pairs.by_hat(weights**2 * outside * spread)
    varied = deviation**2 + pairs.by_hat(weights**2 * spread)
    shift = pairs.by_hat(weights * mean)
    slope = (deviation**2 * between + own) / varied
    unexplained = square - mean**2 - (outside * around) ** 2
    rest = np.sqrt(np.maximum(pairs.by_hat(weights**2 * unexplained), 0.0))
    return Cut(
        middle=middle,
        shift=shift,
        slope=slope,
        rest=rest,
        whole=np.sqrt(rest**2 + shift**2 + slope**2 * varied),
        at_worst=np.maximum(low, upper_kmh - high),
    )


def _beyond(end: Floats) -> tuple[Floats, Floats, Floats]:
    """`P(Z > t)`, `E (Z - t)+` and its square, of a standard normal Z; t may be infinite; shape (n,)."""
    tail = scipy.special.ndtr(-end)
    density = _DENSITY * np.exp(-(end**2) / 2.0)
    finite = np.where(np.isfinite(end), end, 0.0)
    return tail, density - finite * tail, (1.0 + finite**2) * tail - finite * density
