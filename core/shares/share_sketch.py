"""Shares of a city in outline: what they miss at any total, from the outline of a mean (city-release 14)."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from core.arrays import Floats, Ints
from core.city.city_pairs import CityPairs
from core.city.city_sketch import CitySketch
from core.city.noise_kind import NoiseKind
from core.progress import Progress, silent
from core.shares.share_model import bias_of_city
from core.shares.share_plan import left_of_noise, typical_share_errors
from core.shares.share_smoothing import SharesOfHats, sampled_share_errors
from core.statistics.ranges import Ranges


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareSketch:
    """Of J ranges: tokens are those of a mean, and of each HAT the range that errs most counts."""

    city: CitySketch
    ranges: Ranges

    @property
    def noise(self) -> NoiseKind:
        return self.city.noise

    @property
    def pairs(self) -> CityPairs:
        return self.city.pairs

    @property
    def moved_by_one(self) -> float:
        """What a vehicle that is the only one of a HAT moves all of its shares by together; parts of 1."""
        return float(self.ranges.distance)

    def with_weights_for(self, total: Decimal, progress: Progress = silent) -> ShareSketch:
        """With weights chosen for a total, from these. Raises as `CitySketch.with_weights_for`."""
        return dataclasses.replace(self, city=self.city.with_weights_for(total, progress))

    def typical_error(self, total: Decimal) -> Floats:
        """Expected |noise + modelled bias| of each HAT, parts of 1; shape (G,). Raises InputError."""
        bias = bias_of_city(self.city, self.ranges)
        return np.asarray(typical_share_errors(self.noise, self._scale(total), bias.typical).max(axis=1))

    def smoothed_error(self, total: Decimal, some: Ints, progress: Progress = silent) -> Floats:
        """What smoothing leaves of the error of some HATs, parts of 1; shape (len(some),).

        Raises InputError, and what `progress` raises.
        """
        scale = self._scale(total)
        shares = SharesOfHats(
            places=self.city.places,
            noise=self.noise,
            scales=np.outer(scale, np.ones(len(self.ranges))),
            bias=bias_of_city(self.city, self.ranges),
            ranges=self.ranges,
            upper_kmh=self.city.upper_kmh,
        )
        return np.asarray(sampled_share_errors(shares.facts, some, progress).max(axis=1), np.float64)

    def _scale(self, total: Decimal) -> Floats:
        """Of a published share's noise; shape (G,)."""
        moved = math.sqrt(self.ranges.distance) if self.noise.squared else self.ranges.distance
        scale: Floats = self.city.scale(total) / self.city.upper_kmh * moved * left_of_noise(self.ranges)
        return scale
