"""Smoothing of released shares: the public sign, where intervals are taken from (city-release 14).

Post-processing: it sees released shares and public noise only, so it costs no privacy.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.city.city_places import CityPlaces
from core.city.noise_kind import NoiseKind
from core.city.smoothing import SmoothingFacts, foretold_error, left_out, prior_deviations
from core.city.smoothing_model import SHARED_OF_SHARES
from core.city.smoothing_sample import sketched_error
from core.mechanisms.covariate import Slope
from core.mechanisms.public_model import HAT_MEAN_SPREAD
from core.progress import Progress, part, silent
from core.shares.censored_posterior import share_posterior
from core.shares.share_model import BiasOfShares, expected_shares
from core.statistics.ranges import Ranges

SHARE_SLOPE = 0.25
"""Standard deviation of the slope of shares by the public sign, in u of one record's share; either way."""
SLOPE = Slope(mean=0.0, spread=SHARE_SLOPE * HAT_MEAN_SPREAD / SHARED_OF_SHARES)
"""The same in the units of the smoothing model."""
_INTERVAL_WIDTH = 1.3
"""Width of the law of what other shares say, where an interval is taken from; the median takes 1."""

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(21)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()
_LEAST = 1e-12
"""Variance that smoothing gives a released share without noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothedShares:
    """Estimates under the model, in [0, 1], shape (G, J) each."""

    values: Floats
    lows: Floats
    highs: Floats
    typical: Floats
    """Expected distance of the true share from the value, under the same law."""
    spreads: Floats
    """Shape (J, 4): what was fitted for each range; place, hour of the day, place and hour, HAT."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharesOfHats:
    """What is public of J shares in each of G HATs."""

    places: CityPlaces
    noise: NoiseKind
    scales: Floats
    """Of a published share's noise, shape (G, J)."""
    bias: BiasOfShares
    ranges: Ranges
    upper_kmh: float

    @property
    def facts(self) -> tuple[SmoothingFacts, ...]:
        """Range by range."""
        places, covariate = self.places, self.places.covariate
        return tuple(
            SmoothingFacts(
                cells=places.cells,
                hours=places.hours,
                noise_variance=self.noise.variance(self.scales[:, number]),
                bias_variance=self.bias.interval[:, number] ** 2,
                typical_bias_variance=self.bias.typical[:, number] ** 2,
                gaussian=self.noise.squared,
                upper_kmh=self.upper_kmh,
                ids=places.ids,
                covariate=covariate and dataclasses.replace(covariate, slope=SLOPE),
                places=places.places,
                group=places.group,
                expected_share=share,
            )
            for number, share in enumerate(expected_shares(self.ranges).tolist())
        )


def smooth_shares(
    facts: Sequence[SmoothingFacts],
    shares: Floats,
    progress: Progress = silent,
    *,
    fitted: Sequence[Floats] | None = None,
) -> SmoothedShares:
    """Value and 95 % interval of each share, from its own noisy number and all others of its range.

    facts: of each range, with its expected share, in one order of the HATs; shares: shape (G, J), unclamped;
    fitted: the spreads of each range, None: they are fitted now. Raises what `progress` raises.
    """
    columns = []
    for number, one in enumerate(facts):
        values = shares[:, number]
        others = left_out(
            one.with_values(values),
            part(progress, number / len(facts), (number + 0.9) / len(facts)),
            fitted=None if fitted is None else fitted[number],
        )
        variances = np.maximum(one.noise_variance + one.bias_variance, _LEAST)
        narrow, wide = (
            share_posterior(values, variances, others.means, width * others.deviations, gaussian=one.gaussian)
            for width in (1.0, _INTERVAL_WIDTH)
        )
        columns.append((narrow.medians, wide.lows, wide.highs, narrow.errors, others.spreads))
    progress(1.0)
    medians, lows, highs, errors = (np.column_stack([column[at] for column in columns]) for at in range(4))
    return SmoothedShares(
        values=medians,
        lows=np.minimum(lows, medians),
        highs=np.maximum(highs, medians),
        typical=errors,
        spreads=np.array([column[4] for column in columns]),
    )


def adding_up(found: SmoothedShares) -> SmoothedShares:
    """The same of ranges that tile: values are moved together until they add up to 1, and stay in [0, 1].

    An interval that its moved value leaves is widened to hold it.
    """
    values = found.values + (1.0 - found.values.sum(axis=1, keepdims=True)) / found.values.shape[1]
    values = np.clip(values, 0.0, 1.0)
    return dataclasses.replace(
        found,
        values=values,
        lows=np.minimum(found.lows, values),
        highs=np.maximum(found.highs, values),
    )


def foretold_share_errors(facts: Sequence[SmoothingFacts], progress: Progress = silent) -> Floats:
    """Expected absolute error of each smoothed share before a release, shape (G, J).

    Nearly so in a large city. Raises what `progress` raises.
    """
    columns = []
    for number, one in enumerate(facts):
        left = foretold_error(one, part(progress, number / len(facts), (number + 1) / len(facts)))
        columns.append(_cut_to_shares(one, left, prior_deviations(one)))
    return np.column_stack(columns)


def sampled_share_errors(facts: Sequence[SmoothingFacts], some: Ints, progress: Progress = silent) -> Floats:
    """The same of some HATs, shape (len(some), J); in a large city rather too large than too small.

    Raises what `progress` raises.
    """
    columns = []
    for number, one in enumerate(facts):
        left = sketched_error(one, some, part(progress, number / len(facts), (number + 1) / len(facts)))
        columns.append(_cut_to_shares(one, left, prior_deviations(one)[some]))
    return np.column_stack(columns)


def _cut_to_shares(facts: SmoothingFacts, left: Floats, prior: Floats) -> Floats:
    """Expected absolute errors where true share and estimate are cut to [0, 1]; shapes (n,).

    left: what the model's share, which may lie beyond, is expected to miss.
    """
    deviation = np.minimum(left * math.sqrt(math.pi / 2.0), prior)
    return _error_in_range(facts.expected_share or 0.0, prior, deviation)


def _error_in_range(expected: float, prior: Floats, left: Floats) -> Floats:
    """E |clip(m + e) - clip(m)| with `m + e ~ N(expected, prior^2)` and `e ~ N(0, left^2)`; shapes (G,)."""
    known = np.sqrt(prior**2 - left**2)
    estimates = expected + known[:, None] * _NODES
    shares = estimates[:, :, None] + left[:, None, None] * _NODES
    away = np.abs(np.clip(shares, 0.0, 1.0) - np.clip(estimates, 0.0, 1.0)[:, :, None])
    return np.asarray((away @ _WEIGHTS) @ _WEIGHTS, np.float64)
