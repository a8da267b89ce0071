"""The last step of Levy and the quantile mechanisms: array means projected on a private interval."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData
from core.grouping.assignment import array_means
from core.mechanisms.array_plan import ArrayPlan
from core.mechanisms.base import Draw, Plan, to_draw
from core.noise.source import NoiseSource
from core.values import THOUSAND

HALF = Decimal("0.5")


def projected_sensitivity(
    low: NDArray[np.int64], high: NDArray[np.int64], plan: ArrayPlan
) -> NDArray[np.int64]:
    """How far one user moves the sum of projected means, in integers of 2^-30 km/h; shape (trials,).

    A projected mean stays in [low, high], which are integers, and a user is in one array (BestFit)
    or two (WrapAround): the width, or twice the width. Projection brings no two sums further apart,
    so that the sensitivity without it bounds both.
    """
    widths: NDArray[np.int64] = np.minimum(plan.assignment.touched * (high - low), plan.sensitivity)
    return widths


def projected_sums(
    means: NDArray[np.int64], low: NDArray[np.int64], high: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Sum over the arrays of the means projected on [low, high], for each trial; shape (trials,).

    Exact, through prefix sums of the sorted means: trials need no array of their own.
    """
    ordered = np.sort(means)
    prefix = np.concatenate(([0], np.cumsum(ordered)))
    below = np.searchsorted(ordered, low, side="left")
    upto = np.maximum(np.searchsorted(ordered, high, side="right"), below)
    sums: NDArray[np.int64] = low * below + prefix[upto] - prefix[below] + high * (means.size - upto)
    return sums


def release_projected(
    plan: ArrayPlan,
    hat: HatData,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    noise: NoiseSource,
) -> Draw:
    """Project, add noise with the plan's last share, and clamp.

    low, high: integers of 2^-30 km/h, shape (trials,), privately selected, low <= high. Where they
    are equal the release is that number: every array mean is projected on it, whatever the data, and
    the noise drawn for its share is discarded.
    """
    sums = projected_sums(array_means(plan.assignment, hat), low, high)
    sensitivity = projected_sensitivity(low, high, plan)
    noisy = noise.laplace(sums, np.maximum(sensitivity, 1), spend=plan.noise_epsilon)
    return to_draw(np.where(sensitivity == 0, sums, noisy), plan, sensitivity)


def upper_kmh(plan: Plan) -> float:
    """U in km/h."""
    return plan.upper_bound / THOUSAND
