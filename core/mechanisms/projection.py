"""The last step of Levy and the quantile mechanisms: array means projected on a private interval."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from decimal import Decimal
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.contributions import HatData, HatUsers
from core.grouping.assignment import array_means
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_plan import ArrayPlan
from core.mechanisms.base import Draw, NoiseFactors, to_draw
from core.mechanisms.model_draws import CHOICES, DRAWS, array_draws, drawn_accuracy, new_generator
from core.mechanisms.public_model import ALIKE_DROPPED, Accuracy, scaled
from core.noise.source import NoiseSource

HALF = Decimal("0.5")
HALF_FOR_NOISE: NoiseFactors = (2.0, 2.0)
"""The other half goes to the interval."""
_P = TypeVar("_P", bound=ArrayPlan)


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


ModelledInterval = Callable[[_P, Floats, np.random.Generator], tuple[Floats, Floats]]
"""(plan, array means of the public model in each draw) -> both ends of the selected interval, km/h."""


def projected_accuracy(
    plan: _P, users: HatUsers, cache: PlanCache, also: Hashable, interval: ModelledInterval[_P]
) -> Accuracy:
    """What the public model says of the error: its array means run through selection and projection.

    also: what the interval depends on beside grouping and budget. Intervals allow for what weight
    moved between vehicles may shift, as those of plain Array-Averaging do.
    """

    def drawn() -> Accuracy:
        means, truths = array_draws(plan.assignment, users, plan.upper_kmh)
        rng = new_generator(CHOICES)
        low, high = interval(plan, means, rng)
        projected = np.clip(means, low[:, None], high[:, None]).mean(axis=1)
        width = np.minimum(plan.assignment.touched * (high - low), plan.upper_kmh)
        scale = width / plan.arrays / float(plan.noise_epsilon)
        # few draws are repeated, so that noise and shifts are as many as ever
        projected, scale, truths = (np.resize(each, DRAWS) for each in (projected, scale, truths))
        moved = float(np.abs(plan.user_weights() - users.shares).sum()) / 2.0
        return drawn_accuracy(
            projected + scale * rng.laplace(size=scale.size),
            truths,
            plan.upper_kmh,
            scaled(ALIKE_DROPPED, plan.upper_kmh) * moved,
        )

    asked = (plan.mechanism, plan.epsilon, plan.upper_bound, plan.m_ub, plan.assignment.touched)
    return cache.get("projected accuracy", users.counts, (*asked, users.other_facts, also), drawn)
