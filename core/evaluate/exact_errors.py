"""Exact expected errors in the continuous law of the noise, with clamping and rounding (method 10).

The rounding of an estimate to 0.001 km/h is left out; it shows only where errors are as small as that.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData
from core.evaluate.compared_curves import Series
from core.evaluate.exact_outcomes import outcomes_of
from core.evaluate.true_statistics import true_mean
from core.fixed_point import THOUSAND
from core.mechanisms.base import Plan
from core.noise.laplace_normal import erfc_of

_ROUNDING = 1
"""Thousandths that an estimate may differ by, as it is rounded, when its expected error is exact."""


def exact_error(series: Series, plan: Plan, hat: HatData) -> float | None:
    """Expected |estimate - f|, km/h, over selections and noise.

    None where the mechanism's estimate is not one draw of noise, clamped to [0, U]: what it makes of
    the bare centre tells.
    """
    outcomes = outcomes_of(lambda noise: series.mechanism.run(plan, hat, noise))
    if outcomes is None:
        return None
    upper = plan.upper_bound / THOUSAND
    centre = outcomes.centre / plan.divisor
    clamped = np.rint(np.clip(centre, 0.0, upper) * THOUSAND)
    if np.any(np.abs(clamped - outcomes.estimate) > _ROUNDING):
        return None
    error = clamped_normal_error if outcomes.gaussian else clamped_laplace_error
    errors = error(centre, outcomes.scale / plan.divisor, true_mean(hat), upper)
    return float(outcomes.weight @ errors)


def clamped_laplace_error(
    centre: NDArray[np.float64], scale: NDArray[np.float64], truth: float, upper: float
) -> NDArray[np.float64]:
    """E|clamp(centre + Lap(scale), 0, upper) - truth| for 0 <= truth <= upper; scale may be 0.

    With F the distribution function of centre + noise, the expectation is the integral of F over
    [0, truth] and of 1 - F over [truth, upper]. An antiderivative of F is `max(u, 0) + w(u)`, one of
    1 - F is `-max(-u, 0) - w(u)`, with u = t - centre and w(u) = scale / 2 exp(-|u| / scale).
    """
    at_truth, at_zero, at_upper = (_tail(point - centre, scale) for point in (truth, 0.0, upper))
    below = np.maximum(truth - centre, 0.0) - np.maximum(-centre, 0.0) + at_truth - at_zero
    above = np.maximum(centre - truth, 0.0) - np.maximum(centre - upper, 0.0) + at_truth - at_upper
    errors: NDArray[np.float64] = below + above
    return errors


def clamped_normal_error(
    centre: NDArray[np.float64], deviation: NDArray[np.float64], truth: float, upper: float
) -> NDArray[np.float64]:
    """The same of N(0, deviation), deviation above 0: with z = u / deviation an antiderivative of F is
    `u Phi(z) + deviation phi(z)`, one of 1 - F is `u Phi(-z) - deviation phi(z)`.
    """
    (at_truth, at_zero, at_upper) = (point - centre for point in (truth, 0.0, upper))
    below = _under(at_truth, deviation) - _under(at_zero, deviation)
    above = _under(-at_truth, deviation) - _under(-at_upper, deviation)
    errors: NDArray[np.float64] = below + above
    return errors


def _under(distance: NDArray[np.float64], deviation: NDArray[np.float64]) -> NDArray[np.float64]:
    """Integral of Phi(t / deviation) up to `distance`."""
    z = distance / deviation
    bell = np.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi)
    integral: NDArray[np.float64] = distance * erfc_of(-z / math.sqrt(2.0)) / 2.0 + deviation * bell
    return integral


def _tail(distance: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """scale / 2 exp(-|distance| / scale), 0 for scale 0."""
    positive = np.where(scale > 0.0, scale, 1.0)
    tail: NDArray[np.float64] = scale / 2.0 * np.exp(-np.abs(distance) / positive)
    return tail
