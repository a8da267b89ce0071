"""A public sign of how fast HATs are, standardised: records per visit, or speeds (city-release 9).

A slow place keeps its vehicles longer, so that each of their visits leaves more records there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.mechanisms.public_model import HAT_MEAN

SIGN_DECIMALS = 3
"""Of a standardised sign: it is rounded as it is published, and then used."""
FARTHEST = 3.0
"""No public sign of a HAT counts for more, in standard deviations."""
_LEAST_SPREAD = 0.1
"""Of the logarithms that a public sign is standardised by: closer ones are nearly one and the same."""
_SLOPE, _SLOPE_SPREAD = 3.5, 2.5
"""Of speeds, for one standard deviation; km/h at the papers' U."""
_UNKNOWN_SLOPE_SPREAD = 4.0
"""Of the slope of a public sign where values are no speeds: it may have either sign."""
_LEAST_FACTOR, _MOST_FACTOR = 0.5, 2.0
"""How much less or more than a usual HAT a slow or a fast one varies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slope:
    """What a standard deviation of the sign is thought to mean for a HAT's mean; km/h at the papers' U."""

    mean: float
    spread: float
    """Its standard deviation: values tell it better."""


OF_RECORDS = Slope(mean=-_SLOPE, spread=_SLOPE_SPREAD)
OF_SPEEDS = Slope(mean=_SLOPE, spread=_SLOPE_SPREAD)
OF_OTHER_VALUES = Slope(mean=0.0, spread=_UNKNOWN_SLOPE_SPREAD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Covariate:
    """The standardised sign of n HATs, shape (n,), as a release publishes it."""

    standardised: Floats
    slope: Slope

    def take(self, chosen: Ints) -> Covariate:
        """Of some of the HATs, in that order."""
        return Covariate(standardised=self.standardised[chosen], slope=self.slope)

    @property
    def means(self) -> Floats:
        """What each HAT's true mean is thought to be before any value is seen; papers' units."""
        means: Floats = HAT_MEAN + self.slope.mean * self.standardised
        return means

    @property
    def factors(self) -> Floats:
        """How much more or less than a usual HAT each varies: fast places do more."""
        return np.clip(self.means / HAT_MEAN, _LEAST_FACTOR, _MOST_FACTOR)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicSign:
    """What is public of each HAT before it is known which HATs a release publishes; shape (G,)."""

    amounts: Floats
    """Records per visit, or speeds: above 0."""
    slope: Slope

    def take(self, chosen: Ints) -> PublicSign:
        """Of some of the HATs, in that order."""
        return PublicSign(amounts=self.amounts[chosen], slope=self.slope)

    def standardised(self) -> Covariate:
        """Of the HATs that a release publishes, all of them and no other."""
        # sorted, so that sums do not depend on the order of the HATs
        logarithms = np.log(self.amounts)
        ordered = np.sort(logarithms)
        spread = max(float(ordered.std()), _LEAST_SPREAD) if ordered.size else 1.0
        middle = float(ordered.mean()) if ordered.size else 0.0
        standard = np.clip((logarithms - middle) / spread, -FARTHEST, FARTHEST)
        return Covariate(standardised=np.round(standard, SIGN_DECIMALS) + 0.0, slope=self.slope)


def records_per_visit(records: Ints | Floats, visits: Ints | Floats, *, speeds: bool) -> PublicSign:
    """Of HATs with so many of both, shape (G,); visits: vehicles where visits are not known."""
    return PublicSign(amounts=records / visits, slope=OF_RECORDS if speeds else OF_OTHER_VALUES)
