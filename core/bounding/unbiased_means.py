"""Means for smoothing: divided by what weights probably were, with all of their noise (method 12.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.bounding.weight_posterior import known_weights
from core.city.noise_kind import NoiseKind
from core.mechanisms.public_model import HAT_MEAN, HAT_MEAN_SPREAD, scaled


@dataclass(frozen=True, slots=True, kw_only=True)
class UnbiasedMeans:
    """What the noise left of each mean; km/h, shapes (G,)."""

    value: Floats
    """Above the lower bound, not clamped: it errs around the mean of a HAT, and may lie far off."""
    deviation: Floats
    """Standard deviation of that error: of the sum's noise, and of what is not known of the weight."""


def unbiased_means(
    noise: NoiseKind, sums: Floats, weights: Floats, scales: tuple[float, float], upper_kmh: float
) -> UnbiasedMeans:
    """sums: km/h times weight, around the middle of the range; weights: noisy; shapes (G,).

    scales: of the noise on sums and on weights. How far a HAT's mean lies from the middle comes from the
    public model, as the released number leans there itself.
    """
    known, unsure = known_weights(noise, weights, scales[1])
    middle = upper_kmh / 2.0
    away = np.hypot(scaled(HAT_MEAN, upper_kmh) - middle, scaled(HAT_MEAN_SPREAD, upper_kmh))
    of_sums = noise.variance(np.full(known.size, scales[0]))
    return UnbiasedMeans(
        value=middle + sums / known, deviation=np.sqrt(of_sums + (away * unsure) ** 2) / known
    )
