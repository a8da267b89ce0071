"""What is public of shares: the model of their values, and what weights miss of them (city-release 14).

The same normal model of a city's speeds as everywhere says how many records lie in each range.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy
from numpy.typing import NDArray

from core.arrays import Floats
from core.city.city_pairs import CityPairs
from core.city.smoothing_model import SHARED_OF_SHARES, SPREAD_CENTRES_OF_SHARES
from core.mechanisms.public_model import (
    HAT_MEAN,
    HAT_MEAN_SPREAD,
    LEAN,
    LEAN_CORRECTED,
    PAPERS_U,
    RECORD_SPREAD,
)
from core.mechanisms.tokens import SPLIT, lean_of
from core.statistics.ranges import Ranges

_SPREAD = math.hypot(HAT_MEAN_SPREAD, RECORD_SPREAD)
"""Standard deviation of one record around the mean of all hexagon slots; km/h at the papers' U."""
_OF_VEHICLES, _OF_RECORDS = 0.1, 0.9
"""How a vehicle's share varies around that of its HAT: however many records it has, and by each of them."""
_ALIKE = 0.3
"""What weight that is moved from vehicle to vehicle may shift of a share's own spread."""


def expected_shares(ranges: Ranges) -> Floats:
    """p_j, shape (J,): the mass of clip(N(22, 12^2 + 18^2), 0, 65) in each range, scaled to U."""
    ends = np.array(ranges.listed, np.float64).reshape(-1, 2) / ranges.upper_bound  # of none, too
    below = scipy.special.ndtr((ends * PAPERS_U - HAT_MEAN) / _SPREAD)
    below[ends == 0.0], below[ends == 1.0] = 0.0, 1.0
    shares: Floats = below[:, 1] - below[:, 0]
    return shares


def constant_error_of_shares(ranges: Ranges) -> float:
    """What one constant for a whole city typically misses of the shares of its HATs.

    Of a range it is the expected distance from p of `clip(N(p, (0.40 u)^2), 0, 1)`, by the model's spreads
    beside what all HATs have in common; of several ranges the largest.
    """
    expected = expected_shares(ranges)
    apart = float(np.linalg.norm(SPREAD_CENTRES_OF_SHARES)) * SHARED_OF_SHARES / HAT_MEAN_SPREAD
    spreads = apart * np.sqrt(expected * (1.0 - expected))
    below, above = expected / spreads, (1.0 - expected) / spreads
    beyond = sum(end * scipy.special.ndtr(-end) - _density(end) for end in (below, above))
    return float((spreads * (2.0 * _density(np.zeros(1)) + beyond)).max())


def _density(at: Floats) -> Floats:
    """Of the standard normal law."""
    return np.asarray(np.exp(-(at**2) / 2.0) / math.sqrt(2.0 * math.pi), np.float64)


class Weighted(Protocol):
    """A plan or an outline of a city."""

    @property
    def pairs(self) -> CityPairs: ...

    @property
    def weights(self) -> Floats:
        """v / f, shape (n,)."""

    @property
    def lean(self) -> float: ...


def spread_of_shares(shares: Floats) -> Floats:
    """Standard deviation of HATs' true shares around those that the model expects; any shape."""
    between = np.hypot(1.0, np.linalg.norm(SPREAD_CENTRES_OF_SHARES) / HAT_MEAN_SPREAD)
    spread: Floats = SHARED_OF_SHARES * between * np.sqrt(shares * (1.0 - shares))
    return spread


@dataclass(frozen=True, slots=True, kw_only=True)
class BiasOfShares:
    """Of each HAT and range, shape (G, J)."""

    typical: Floats
    """Standard deviation of the bias that the public model expects."""
    interval: Floats
    """The same with what an interval has to allow for."""


def bias_of_shares(
    pairs: CityPairs, weights: Floats, shares: Floats, holds_lowest: NDArray[np.bool_], *, corrected: bool
) -> BiasOfShares:
    """What the weights of a city miss of shares.

    weights: v / f, shape (n,); shares: p_j, shape (J,); holds_lowest: shape (J,), whether the range holds the
    lower bound, where all records that a vehicle adds by standing are; corrected: f corrects for dwell.
    """
    moved, dwell = weights - pairs.shares, pairs.dwell
    independent = pairs.by_hat(moved**2 * (_OF_VEHICLES + _OF_RECORDS / pairs.records))
    shifted = _ALIKE * pairs.by_hat(np.abs(moved)) / 2.0
    lean = np.zeros(pairs.hats)
    if dwell is not None:
        lean = (LEAN_CORRECTED if corrected else LEAN) / HAT_MEAN * pairs.by_hat(moved * dwell)
    variance = shares * (1.0 - shares)
    leaning = np.outer(lean, np.where(holds_lowest, 1.0 - shares, shares))
    return BiasOfShares(
        typical=np.sqrt(np.outer(independent, variance) + leaning**2),
        interval=np.sqrt(np.outer(independent + shifted**2, variance) + leaning**2),
    )


def bias_of_city(city: Weighted, ranges: Ranges) -> BiasOfShares:
    """Of the weights of a city."""
    corrected = city.lean == lean_of(SPLIT)
    return bias_of_shares(
        city.pairs, city.weights, expected_shares(ranges), ranges.holds_lowest, corrected=corrected
    )
