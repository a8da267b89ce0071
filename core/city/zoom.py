"""Two looks at a city: the width of ranges, and how far vehicles' means lie apart (city-release 8).

Gaussian noise only. A quarter of the budget gives every HAT a rough mean; smoothing makes a range of it that
its vehicles' means probably lie in; the rest of the budget then covers that range alone. Means outside of it
are cut to its ends, so privacy does not depend on the range being right: adaptive composition pays for both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal

import numpy as np

from core.accounting.zcdp import RHO_STEP
from core.arrays import Floats, Ints
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.city.row_check import require_rows_within
from core.city.smoothing import SmoothingFacts, foretold_error
from core.city.smoothing_sample import sampled_error
from core.city.zoom_cut import Cut, cut_of
from core.mechanisms.public_model import scaled
from core.mechanisms.tokens import TOKENS
from core.mechanisms.value_grid import ValueGrid
from core.progress import Progress, silent

_FIRST_SHARE = Decimal("0.25")
_SAMPLED = 32
"""HATs from which the usual width of ranges at the second look follows."""
REACH = 10.0
"""How far vehicles' means lie from what the first look says of their HAT, besides its own error; km/h."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoLooks:
    """How rho is divided, and how wide the second look's ranges probably are."""

    first: Decimal
    second: Decimal
    """Together all of rho."""
    expected_width: Floats
    """Shape (G,): of the range that the second look covers, as a share of U; a guess from public counts."""
    expected_cut: Cut
    """What the second look misses by cutting, where every HAT's mean is the model's; a guess likewise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoomRanges:
    """What the second look covers in each HAT: outputs of the first, in steps of the grid; shape (G,)."""

    low: Ints
    high: Ints
    """Above `low`."""

    def ends_kmh(self, grid: ValueGrid) -> tuple[Floats, Floats]:
        """Both ends in km/h."""
        return np.multiply(self.low, grid.step_kmh), np.multiply(self.high, grid.step_kmh)

    @property
    def width(self) -> Ints:
        """Q_g, at least 1."""
        width: Ints = self.high - self.low
        return width


def plan_looks(
    rho: Decimal, facts: SmoothingFacts, pairs: CityPairs, weights: Floats, progress: Progress = silent
) -> TwoLooks:
    """facts: of the first look, whose noise has `first_share` of rho; weights: of the pairs, shape (n,).

    Raises what `progress` raises.
    """
    first, upper = first_share(rho), facts.upper_kmh
    deviation = foretold_error(facts, progress) / NoiseKind.GAUSS.mean_of_scale
    middle = facts.prior_means
    low, high = _expected_range(middle, deviation, upper)
    return TwoLooks(
        first=first,
        second=rho - first,
        expected_width=(high - low) / upper,
        expected_cut=cut_of(pairs, weights, (low, high), (middle, deviation), upper),
    )


def median_width(facts: SmoothingFacts) -> float:
    """Of the ranges, as a share of U, from a sample of the HATs; facts: as for `plan_looks`."""
    noise = facts.noise_variance + facts.bias_variance
    some = np.argsort(noise, kind="stable")[
        np.linspace(0, noise.size - 1, min(noise.size, _SAMPLED)).astype(int)
    ]
    deviation = sampled_error(facts, some.astype(np.int64)) / NoiseKind.GAUSS.mean_of_scale
    low, high = _expected_range(facts.prior_means[some], deviation, facts.upper_kmh)
    return float(np.median(high - low)) / facts.upper_kmh


def _expected_range(middle: Floats, deviation: Floats, upper_kmh: float) -> tuple[Floats, Floats]:
    """Ends of what the second look covers, where means are the model's: around `middle`; km/h."""
    reach = scaled(REACH, upper_kmh) + deviation
    return np.maximum(middle - reach, 0.0), np.minimum(middle + reach, upper_kmh)


def first_share(rho: Decimal) -> Decimal:
    """What the first look has of rho."""
    return (rho * _FIRST_SHARE).quantize(RHO_STEP, rounding=ROUND_DOWN)


def ranges_of(first: tuple[Floats, Floats], grid: ValueGrid, upper_kmh: float) -> ZoomRanges:
    """Around the mean and with the deviation that the first look left of each HAT, cut to the grid; (G,)."""
    mean, deviation = first
    reach = scaled(REACH, upper_kmh) + deviation
    low = np.clip(np.floor((mean - reach) / grid.step_kmh), 0, grid.largest - 1).astype(np.int64)
    high = np.clip(np.ceil((mean + reach) / grid.step_kmh), 0, grid.largest).astype(np.int64)
    return ZoomRanges(low=low, high=np.maximum(high, low + 1))


def zoomed_tokens(pairs: CityPairs, tokens: Ints, grid: ValueGrid, ranges: ZoomRanges) -> Ints:
    """As many more tokens as a HAT's range is narrower than the grid; shape (n,), rounded down and checked.

    A vehicle's mean moves by at most the range's width, so that a row's sum of squares stays what it was.
    Raises InternalError where it does not.
    """
    width = ranges.width[pairs.hat]
    zoomed: Ints = tokens * grid.largest // width
    require_rows_within(
        pairs.vehicle.tolist(), zoomed.tolist(), TOKENS * grid.largest, squared=True, widths=width.tolist()
    )
    return zoomed


def combined(values: tuple[Floats, Floats], scales: tuple[Floats, Floats]) -> Floats:
    """Two looks at the same means, weighed by inverse variances."""
    first, second = (scale**-2.0 for scale in scales)
    return (values[0] * first + values[1] * second) / (first + second)


def second_share(scales: tuple[Floats, Floats]) -> Floats:
    """What the second look weighs in `combined`."""
    first, second = (scale**-2.0 for scale in scales)
    return second / (first + second)


def combined_scale(scales: tuple[Floats, Floats]) -> Floats:
    """The deviation of what `combined` gives."""
    first, second = (scale**-2.0 for scale in scales)
    return (first + second) ** -0.5


def look_scale(grid: ValueGrid, totals: Floats | Ints, rho: Decimal) -> Floats:
    """Deviation of a look's noise in each HAT, km/h; totals: tokens of the HAT, shape (G,)."""
    scale: Floats = grid.largest * TOKENS * grid.step_kmh / math.sqrt(2.0 * float(rho)) / totals
    return scale
