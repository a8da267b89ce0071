"""A joint release in outline: shares without tokens, from which errors at any total follow (city-release 12).

Shares of true weights are the same for every total: only the noise is not. Other weights are chosen for one
total, and used for those near it, where they are no better than the ones a plan would choose.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from core.arrays import Floats, Ints
from core.city.allocation import allocate, costs
from core.city.city_bias import CityBias, corrected_bias
from core.city.city_plan import CityBudget, JointCity
from core.city.noise_kind import NoiseKind
from core.city.smoothing import SmoothingFacts
from core.city.smoothing_sample import sketched_error
from core.city.split import split_shares
from core.fixed_point import THOUSAND
from core.mechanisms.tokens import BOUNDED, EXACT, lean_of
from core.progress import Progress, silent


@dataclass(frozen=True, slots=True, kw_only=True)
class CitySketch(JointCity):
    """Shares of every vehicle's budget, for one kind of noise."""

    noise: NoiseKind
    delta: Decimal
    shares: Floats
    """Shape (n,): sums over a vehicle are at most 1."""
    correction: Floats
    """f_g, shape (G,): what means are divided by, since weights lean; ones where they are not corrected."""
    bias: CityBias
    lean: float
    """What misplaced dwell time still leans by, km/h at the papers' U."""

    @property
    def upper_kmh(self) -> float:
        return self.upper_bound / THOUSAND

    @property
    def moved_by_one(self) -> float:
        """What a vehicle that is the only one of a HAT moves its number by; km/h."""
        return self.upper_kmh

    def amplitude(self, total: Decimal) -> float:
        """Noise of a HAT that has the whole of one vehicle's budget, km/h.

        Raises InputError where the total buys no noise of this kind.
        """
        spend = float(CityBudget(epsilon=total, delta=self.delta).spend(self.noise))
        return self.upper_kmh / (math.sqrt(2.0 * spend) if self.noise.squared else spend)

    @property
    def _taken(self) -> Floats:
        """What each pair's tokens are in proportion to, shape (n,)."""
        return np.sqrt(self.shares) if self.noise.squared else self.shares

    @property
    def weights(self) -> Floats:
        """v / f of what is published, shape (n,)."""
        weights: Floats = self._taken / (self.pairs.by_hat(self._taken) * self.correction)[self.pairs.hat]
        return weights

    def scale(self, total: Decimal) -> Floats:
        """Of each HAT's noise (Gaussian: standard deviation), km/h; shape (G,). Raises InputError."""
        return self.amplitude(total) / (self.pairs.by_hat(self._taken) * self.correction)

    def typical_error(self, total: Decimal) -> Floats:
        """Expected |noise + modelled bias| of each HAT, km/h; shape (G,). Raises InputError."""
        errors = self.noise.typical_error(self.scale(total), self.bias.typical)
        return np.minimum(errors, self.upper_kmh)

    def smoothed_error(self, total: Decimal, some: Ints, progress: Progress = silent) -> Floats:
        """What smoothing leaves of the error of some HATs, km/h; shape (len(some),).

        In a large city rather too large than too small. Raises InputError, and what `progress` raises.
        """
        return sketched_error(self.facts(total), some, progress)

    def with_weights_for(self, total: Decimal, progress: Progress = silent) -> CitySketch:
        """With weights chosen for a total, from these.

        Raises InputError where the total buys no noise of this kind, and what `progress` raises.
        """
        shares = split_shares(
            self.pairs,
            self.noise,
            self.shares,
            self.amplitude(total),
            self.upper_kmh,
            bounded=self.params.mode == BOUNDED,
            importance=self.importance,
            progress=progress,
        )
        return _sketch(self, self.noise, self.delta, shares, self.params.mode)

    def facts(self, total: Decimal) -> SmoothingFacts:
        """What smoothing goes by. Raises InputError."""
        deviation = np.sqrt(self.noise.variance(self.scale(total)))
        return dataclasses.replace(
            self.places.facts(deviation, self.bias.interval, self.upper_kmh),
            typical_bias_variance=self.bias.typical**2,
            gaussian=self.noise.squared,
            former_spreads=self.places.former_spreads,
        )


def sketch_exact(
    city: JointCity, noise: NoiseKind, delta: Decimal, progress: Progress = silent
) -> CitySketch:
    """With true weights. Raises what `progress` raises."""
    solved = allocate(city.pairs, noise, city.params.p, city.importance, progress)
    shares = costs(city.pairs, noise) * solved.exactness[city.pairs.hat]
    return _sketch(city, noise, delta, shares, EXACT)


def _sketch(city: JointCity, noise: NoiseKind, delta: Decimal, shares: Floats, mode: str) -> CitySketch:
    taken = np.sqrt(shares) if noise.squared else shares
    weights = taken / city.pairs.by_hat(taken)[city.pairs.hat]
    correction, bias = corrected_bias(city.pairs, weights, city.upper_bound / THOUSAND, mode)
    return CitySketch(
        **{one.name: getattr(city, one.name) for one in dataclasses.fields(JointCity)},
        noise=noise,
        delta=delta,
        shares=shares,
        correction=correction,
        bias=bias,
        lean=lean_of(mode),
    )
