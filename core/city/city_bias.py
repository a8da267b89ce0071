"""What weights other than the records' own miss, over all HATs together (method 10.3, city-release 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.city.city_pairs import CityPairs
from core.mechanisms.public_model import ALIKE_JOINTLY, LEAN, RECORD_SPREAD, VEHICLE_SPREAD, scaled
from core.mechanisms.tokens import SPLIT, correction_of, lean_of


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


def city_bias(pairs: CityPairs, weights: Floats, upper_kmh: float, *, lean: float = LEAN) -> CityBias:
    """weights: v / f of what is published, shape (n,); lean: `LEAN_CORRECTED` where f corrects for dwell."""
    moved, dwell = weights - pairs.shares, pairs.dwell
    independent = pairs.by_hat(moved**2 * spread_squared(pairs))
    leaning = np.zeros(pairs.hats) if dwell is None else lean * pairs.by_hat(moved * dwell)
    typical = np.sqrt(independent + leaning**2)
    sizes = pairs.by_hat(np.abs(moved))
    shifted = sizes / 2.0
    larger = (sizes + np.abs(pairs.by_hat(moved))) / 2.0  # of the weights that are too large, and too small
    one = scaled(1.0, upper_kmh)
    return CityBias(
        typical=typical * one,
        interval=np.hypot(typical, ALIKE_JOINTLY * shifted) * one,
        at_worst=larger * upper_kmh,
    )


def corrected_bias(pairs: CityPairs, weights: Floats, upper_kmh: float, mode: str) -> tuple[Floats, CityBias]:
    """f_g, shape (G,), which means of such weights are divided by in a mode, and what they then miss.

    weights: v, shape (n,), summing to 1 in each HAT. f is 1 where nothing is corrected.
    """
    dwell, correction = pairs.dwell, np.ones(pairs.hats)
    if mode == SPLIT and dwell is not None:
        correction = correction_of(pairs.by_hat(weights * dwell))
    return correction, city_bias(pairs, weights / correction[pairs.hat], upper_kmh, lean=lean_of(mode))
