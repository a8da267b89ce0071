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
    """What the noise left of each mean, km/h, or of each of K numbers; shapes (G,), or (G, K)."""

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
    middle = upper_kmh / 2.0
    away = np.hypot(scaled(HAT_MEAN, upper_kmh) - middle, scaled(HAT_MEAN_SPREAD, upper_kmh))
    scale, of_weights = scales
    found = unbiased_quotients(
        noise, sums[:, None], weights, (np.array([scale]), of_weights), np.array([away])
    )
    return UnbiasedMeans(value=middle + found.value[:, 0], deviation=found.deviation[:, 0])


def unbiased_quotients(
    noise: NoiseKind, sums: Floats, weights: Floats, scales: tuple[Floats, float], likely: Floats
) -> UnbiasedMeans:
    """sums: shape (G, K); weights: noisy, shape (G,); scales: of the noise on each of K sums, and on weights.

    likely: how far each of the K quotients lies from 0, by the public model; shape (K,).
    """
    known, unsure = known_weights(noise, weights, scales[1])
    variance = noise.variance(scales[0]) + np.outer(unsure, likely) ** 2
    return UnbiasedMeans(value=sums / known[:, None], deviation=np.sqrt(variance) / known[:, None])
