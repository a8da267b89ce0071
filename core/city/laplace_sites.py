"""A value with Laplace noise as a normal law, and when noise or neighbours say nothing (city-release 9).

A value far from what its neighbours say has probably met large noise, and should move them little; one that
agrees with them has met little, and should count for more than its variance says. Matching the mean and the
variance of its posterior gives the normal value and variance that say the same (one sweep of expectation
propagation).
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from core.arrays import Floats

_ROOT_HALF_TAU = math.sqrt(2.0 * math.pi)
_FAR = 100.0
"""Where Laplace noise and neighbours differ by this factor, one of them says nothing: the value stays as it
is.
"""
_LEAST_GAIN = 1e-9
"""Of what the neighbours of a value with Laplace noise know, the least that it adds."""


def laplace_sites(
    values: Floats, variances: Floats, means: Floats, left_out_variances: Floats
) -> tuple[Floats, Floats]:
    """Normal values and variances that stand for Laplace ones; shape (n,) each.

    values, variances: y with Laplace noise of this variance; means, left_out_variances: the normal law of
    each true mean without its own value.
    """
    scale, deviation = np.sqrt(variances / 2.0), np.sqrt(left_out_variances)
    ratio = deviation / scale
    fit = (ratio > 1.0 / _FAR) & (ratio < _FAR)
    away, one = (values - means)[fit] / deviation[fit], ratio[fit]
    mean, variance = _posterior(away, one)
    precision = np.maximum(1.0 / variance - 1.0, _LEAST_GAIN)
    found_values, found_variances = values.copy(), variances.copy()
    found_variances[fit] = left_out_variances[fit] / precision
    found_values[fit] = means[fit] + deviation[fit] * mean / variance / precision
    return found_values, found_variances


def _posterior(away: Floats, ratio: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of `N(0, 1)` times a Laplace density of scale `1 / ratio` around `away`.

    Below and above `away` it is a normal law around `ratio` and `-ratio`, cut there.
    """
    below, above = away - ratio, -away - ratio
    weights = scipy.special.log_ndtr(below) - away * ratio, scipy.special.log_ndtr(above) + away * ratio
    share = 1.0 / (1.0 + np.exp(np.clip(weights[1] - weights[0], -700.0, 700.0)))
    (low_mean, low_variance), (high_mean, high_variance) = _cut(below), _cut(above)
    lower, upper = ratio + low_mean, -ratio - high_mean
    mean = share * lower + (1.0 - share) * upper
    variance = share * low_variance + (1.0 - share) * high_variance
    return mean, variance + share * (1.0 - share) * (lower - upper) ** 2


def _cut(end: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of a standard normal variable that is known to lie below `end`."""
    hazard = np.exp(-end * end / 2.0 - scipy.special.log_ndtr(end)) / _ROOT_HALF_TAU
    return -hazard, 1.0 - end * hazard - hazard * hazard
