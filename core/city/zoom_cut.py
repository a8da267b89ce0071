"""What a second look misses because it cuts vehicles' means to its ranges (city-release 8).

By the public model the means of a HAT's vehicles lie around the HAT's own mean, none below 0 or above U, and
this around what the first look found. Cutting moves the second look by what is expected of it, which is taken
out, and pulls it towards the middle of its range. The values that are published keep that pull and allow for
it; intervals of smoothed values go by values that are corrected for it too, because their model knows from
the first look where that middle is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from core.arrays import Floats
from core.city.city_bias import spread_squared
from core.city.city_pairs import CityPairs
from core.mechanisms.public_model import scaled

_Tail = tuple[Floats, Floats, Floats]
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
    unshifted: Floats
    """Standard deviation of all but the shift."""
    at_worst: Floats
    """Largest |cut mean - shift - mean| over all values in [0, U]."""

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
    """weights: v, shape (n,); ends: of the ranges; first: mean and deviation of the first look; (G,)."""
    low, high = ends[0], np.minimum(ends[1], upper_kmh)  # the grid may end beyond U
    middle, deviation = first
    spread = spread_squared(pairs) * scaled(1.0, upper_kmh) ** 2
    around = np.sqrt(spread + deviation[pairs.hat] ** 2)
    ways = (middle, middle - low), (upper_kmh - middle, high - middle)
    (at_zero, lost_below), (at_u, lost_above) = (
        _before_wall(wall[pairs.hat] / around, end[pairs.hat] / around) for wall, end in ways
    )
    outside = lost_below[0] + lost_above[0]
    mean = around * (lost_below[1] - lost_above[1])
    square = around**2 * (lost_below[2] + lost_above[2])
    free = weights * (1.0 - at_zero[0] - at_u[0])  # of vehicles whose mean is at neither end
    varied = (deviation * pairs.by_hat(free)) ** 2 + pairs.by_hat(free**2 * spread)
    shift = pairs.by_hat(weights * mean)
    together = pairs.by_hat(weights * outside) * pairs.by_hat(free)
    slope = (deviation**2 * together + pairs.by_hat(free * weights * outside * spread)) / varied
    unexplained = square - mean**2 - (outside * around) ** 2
    rest = np.sqrt(np.maximum(pairs.by_hat(weights**2 * unexplained), 0.0))
    return Cut(
        middle=middle + pairs.by_hat(weights * around * (at_zero[1] - at_u[1])),
        shift=shift,
        slope=slope,
        rest=rest,
        unshifted=np.sqrt(rest**2 + slope**2 * varied),
        at_worst=np.maximum(low - shift, upper_kmh - high + shift),
    )


def _before_wall(wall: Floats, end: Floats) -> tuple[_Tail, _Tail]:
    """What lies beyond w of a standard normal Z, and what beyond t of `min(Z, w)`, where t <= w; (n,)."""
    (tail, mean, square), (beyond, over, over_square) = _beyond(end), _beyond(wall)
    cut = tail - beyond, mean - over, square - over_square - 2.0 * (wall - end) * over
    return (beyond, over, over_square), cut


def _beyond(end: Floats) -> _Tail:
    """`P(Z > t)`, `E (Z - t)+` and its square, of a standard normal Z; shape (n,)."""
    tail = scipy.special.ndtr(-end)
    density = _DENSITY * np.exp(-(end**2) / 2.0)
    return tail, density - end * tail, (1.0 + end**2) * tail - end * density
