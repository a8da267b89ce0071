"""A plan of shares: whole parts of a vehicle, tokens, and how far their noise reaches (city-release 14)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.accounting.exact_loss import lattice_error
from core.arrays import Floats
from core.city.city_plan import CityPlan
from core.city.noise_kind import NORMAL_95, NoiseKind
from core.mechanisms.tokens import TOKENS
from core.shares.share_model import BiasOfShares, bias_of_city, expected_shares
from core.statistics.ranges import Ranges

SHARE_PARTS = 10_000
"""Q: a vehicle's share of an atom is a whole number of 1 / Q, rounded down."""
_LEAST_SQUARES_95 = 2.16
"""In so many standard deviations the noise of a planned share lies with probability 0.95: a sum of Laplace
numbers, of which one is the largest.
"""
_LAPLACE_95 = math.log(20.0) / math.sqrt(2.0)
"""The same of a Laplace number."""


def reach_in_deviations(*, gaussian: bool, tile: bool) -> tuple[float, float]:
    """The least and the most half-width of an interval, in standard deviations of all that it allows for.

    A sum of a Laplace and a normal number lies between both; tile: shares were made to add up to 1.
    """
    if gaussian:
        return NORMAL_95, NORMAL_95
    return (_LEAST_SQUARES_95, _LEAST_SQUARES_95) if tile else (NORMAL_95, _LAPLACE_95)


def left_of_noise(ranges: Ranges) -> float:
    """Of its standard deviation, after shares that add up to 1 are made to."""
    return math.sqrt(1.0 - 1.0 / len(ranges)) if ranges.tile else 1.0


def typical_share_errors(noise: NoiseKind, scale: Floats, bias: Floats) -> Floats:
    """Expected |noise + bias| of each HAT and range, shape (G, J), at most 1.

    scale: of a published share's noise, shape (G,); bias: shape (G, J).
    """
    errors = [noise.typical_error(scale, bias[:, one]) for one in range(bias.shape[1])]
    return np.minimum(np.column_stack(errors), 1.0)


@dataclass(frozen=True, kw_only=True)
class SharePlan:
    """Of J ranges in G HATs."""

    city: CityPlan
    """Tokens, noise and correction as of a mean; one look, no regions."""
    ranges: Ranges

    @property
    def sensitivity(self) -> int:
        """What one vehicle moves the vector of all noisy sums in the noise's norm, in steps: D Q Y in L1.

        In L2 sqrt(D) Q Y, rounded up.
        """
        moved = SHARE_PARTS * TOKENS
        if self.city.noise.squared:
            return math.isqrt(self.ranges.distance * moved**2 - 1) + 1
        return self.ranges.distance * moved

    @property
    def lattice_error(self) -> float:
        """H of all that is drawn with Gaussian noise (method 13.8); 0 without any."""
        if not self.city.noise.squared:
            return 0.0
        return lattice_error(self.sensitivity, self.city.spend, self.city.pairs.hats * len(self.ranges))

    @cached_property
    def drawn_scale(self) -> Floats:
        """Scale (Gaussian: standard deviation) of each drawn share's noise, shape (G,)."""
        spend = float(self.city.spend)
        scale = self.sensitivity / (math.sqrt(2.0 * spend) if self.city.noise.squared else spend)
        shared: Floats = scale / (self.city.divisors * SHARE_PARTS)
        return shared

    @property
    def scale(self) -> Floats:
        """Of a published share's noise: as if it were of one kind still; shape (G,)."""
        scale: Floats = self.drawn_scale * left_of_noise(self.ranges)
        return scale

    @cached_property
    def expected(self) -> Floats:
        """p_j, shape (J,)."""
        return expected_shares(self.ranges)

    @cached_property
    def bias(self) -> BiasOfShares:
        """Of the published weights."""
        return bias_of_city(self.city, self.ranges)

    @property
    def typical_error(self) -> Floats:
        """Expected |noise + modelled bias| of each HAT and range, shape (G, J); none misses more than 1."""
        return typical_share_errors(self.city.noise, self.scale, self.bias.typical)

    def half_width(self, scale: Floats, bias: Floats) -> Floats:
        """The 95 % quantile of |noise + bias|; shape (G,).

        scale: of the sums of drawn shares, as if Laplace where the noise is; bias: what intervals allow for.
        """
        noise = self.city.noise
        if noise.squared or not self.ranges.tile:
            return noise.half_width(scale, bias)
        return np.asarray(_LEAST_SQUARES_95 * np.hypot(math.sqrt(2.0) * scale, bias), np.float64)

    @property
    def half_widths(self) -> Floats:
        """Of each HAT and range, shape (G, J)."""
        bias = self.bias.interval
        columns = [self.half_width(self.scale, bias[:, one]) for one in range(bias.shape[1])]
        return np.column_stack(columns)

    @property
    def deviations(self) -> Floats:
        """Standard deviations of the noise and of the bias that intervals allow for; shape (G, J)."""
        noise = self.city.noise.variance(self.scale)
        return np.sqrt(noise[:, None] + self.bias.interval**2)

    @property
    def largest_atoms(self) -> Floats:
        """How many atoms each range has at most; shape (J,)."""
        return np.asarray(self.ranges.members.sum(axis=0), np.float64)

    @property
    def bias_bound(self) -> Floats:
        """Worst-case |share without noise - true share|, with what rounding down loses; shape (G, J)."""
        pairs, weights = self.city.pairs, self.city.weights
        moved = weights - pairs.shares
        sizes, sums = pairs.by_hat(np.abs(moved)), pairs.by_hat(moved)
        larger = (sizes + np.abs(sums)) / 2.0
        lost = np.outer(1.0 / self.city.correction, self.largest_atoms / SHARE_PARTS)
        return np.minimum(larger[:, None] + lost, 1.0)
