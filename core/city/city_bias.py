"""What weights other than the records' own miss, over all HATs together (method 10.3, city-release 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.city.city_pairs import CityPairs
from core.mechanisms.public_model import ALIKE, LEAN, RECORD_SPREAD, VEHICLE_SPREAD, scaled


@dataclass(frozen=True, slots=True, kw_only=True)
class CityBias:
    """Of each HAT, shape (G,), km/h."""

    typical: Floats
    """Standard deviation of the bias that the public model expects."""
    interval: Floats
    """The same with what an interval has to allow for."""
    at_worst: Floats
    """Largest |bias| over all values in [0, U]."""


def spread_squared(pairs: CityPairs) -> Floats:
    """tau^2 = 5^2 + 18^2 / m of each pair, at the papers' U; shape (n,)."""
    spread: Floats = VEHICLE_SPREAD**2 + RECORD_SPREAD**2 / pairs.records
    return spread


def city_bias(pairs: CityPairs, weights: Floats, upper_kmh: float) -> CityBias:
    """weights: v, shape (n,), summing to 1 in each HAT."""
    moved, dwell = weights - pairs.shares, pairs.dwell
    independent = pairs.by_hat(moved**2 * spread_squared(pairs))
    leaning = np.zeros(pairs.hats) if dwell is None else LEAN * pairs.by_hat(moved * dwell)
    typical = np.sqrt(independent + leaning**2)
    shifted = pairs.by_hat(np.abs(moved)) / 2.0
    one = scaled(1.0, upper_kmh)
    return CityBias(
        typical=typical * one,
        interval=np.hypot(typical, ALIKE * shifted) * one,
        at_worst=shifted * upper_kmh,
    )
