"""What both quantile mechanisms share: two private quantiles of the array means over a public grid."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData
from core.grouping.assignment import array_means
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_plan import ArrayPlan, plan_arrays
from core.mechanisms.base import NOISE, Draw
from core.mechanisms.projection import HALF, release_projected, upper_kmh
from core.noise.source import NoiseSource
from core.values import FINE, THOUSAND, fine_ceil

LOWER, UPPER = "lower quantile", "upper quantile"
_QUARTER = HALF * HALF
GRID_STEP = 50
"""Step of the public grid of candidates, thousandths of km/h."""
MOST_STEPS = 20_000
"""Of a value with a larger range the steps are as much larger."""


def grid(upper_bound: int) -> NDArray[np.int64]:
    """Candidates 0, 0.05, .. and U itself, in integers of 2^-30 km/h; upper_bound in thousandths."""
    step = max(GRID_STEP, -(-upper_bound // MOST_STEPS))
    thousandths = np.append(np.arange(0, upper_bound, step), upper_bound)
    return np.minimum(np.rint(thousandths * (FINE / THOUSAND)).astype(np.int64), fine_ceil(upper_bound))


def rank_scores(
    means: NDArray[np.int64], candidates: NDArray[np.int64], rank: int, times: int
) -> NDArray[np.int64]:
    """`-|times * #(means < x) - rank|` for each candidate x; one array moves it by at most `times`."""
    below = np.searchsorted(np.sort(means), candidates, side="left")
    scores: NDArray[np.int64] = -np.abs(times * below - rank)
    return scores


def plan_quantiles(
    mechanism: str,
    counts: NDArray[np.int64],
    epsilon: Decimal,
    upper_bound: int,
    *,
    grouping: str,
    m_ub: str | int,
    cache: PlanCache | None = None,
) -> ArrayPlan:
    """A quarter of the budget for each quantile, half for the noise; nothing bounds the interval."""
    plain = plan_arrays(mechanism, counts, epsilon, upper_bound, grouping=grouping, m_ub=m_ub, cache=cache)
    return dataclasses.replace(
        plain,
        bias_bound=upper_kmh(plain),
        budget_shares=((LOWER, epsilon * _QUARTER), (UPPER, epsilon * _QUARTER), (NOISE, epsilon * HALF)),
    )


def run_quantiles(
    plan: ArrayPlan, hat: HatData, noise: NoiseSource, *, ranks: tuple[int, int], times: int
) -> Draw:
    """Select both quantiles, sort the two results, project and add noise.

    ranks: of the lower and upper quantile, both times `times`, in arrays counted from below.
    """
    means = array_means(plan.assignment, hat)
    candidates = grid(plan.upper_bound)
    moved = times * plan.assignment.touched
    ends = [
        candidates[noise.select(rank_scores(means, candidates, rank, times), moved, spend=share)]
        for rank, (_, share) in zip(ranks, plan.budget_shares, strict=False)
    ]
    return release_projected(plan, hat, np.minimum(*ends), np.maximum(*ends), noise)
