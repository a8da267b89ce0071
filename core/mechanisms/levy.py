"""Levy: array means projected on an interval around a private median (P3 Alg. 3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.contributions import HatData, HatUsers
from core.fixed_point import FINE, THOUSAND, fine_ceil
from core.grouping.assignment import array_means
from core.grouping.groupings import grouping_field, m_ub_field
from core.grouping.m_ub import SQRT
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_plan import ArrayPlan, plan_arrays
from core.mechanisms.base import NOISE, Draw, Mechanism, NoiseFactors
from core.mechanisms.model_draws import noisy_best
from core.mechanisms.projection import HALF, HALF_FOR_NOISE, projected_accuracy, release_projected
from core.mechanisms.public_model import Accuracy
from core.noise.source import NoiseSource
from core.parameter_fields import number

INTERVAL = "interval"


@dataclass(frozen=True, slots=True, kw_only=True)
class LevyParams:
    """Grouping, m_UB, and how sure the interval should hold all array means."""

    grouping: str = grouping_field()
    m_ub: str | int = m_ub_field(SQRT)
    gamma: float = number(
        0.2,
        0.001,
        1.0,
        label="gamma",
        help="Chance that some array mean of independent records lies outside; sets the width.",
        advanced=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LevyPlan(ArrayPlan):
    """A plan with its public bins."""

    radius: float
    """tau, km/h: half the width of the interval is 3 tau / 2."""


def radius_of(arrays: int, m_ub: int, gamma: float, upper_kmh: float) -> float:
    """tau = U sqrt(log(2 Kbar / gamma) / (2 m_UB)), km/h. Source: P3 Sec. III-D."""
    return upper_kmh * math.sqrt(math.log(2.0 * arrays / gamma) / (2.0 * m_ub))


def bin_centres(radius: float, upper_kmh: float) -> NDArray[np.float64]:
    """Midpoints of `ceil(U / tau)` bins of width tau on [0, U], km/h."""
    bins = max(1, math.ceil(upper_kmh / radius))
    centres: NDArray[np.float64] = (np.arange(bins, dtype=np.float64) + 0.5) * np.float64(radius)
    return centres


def median_costs(means: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.int64]:
    """`max(#below x, #above x)` for each midpoint, means at their nearest midpoint; shape (bins,).

    One array moves a cost by at most 1. Source: P3 Alg. 3.
    """
    # a mean just between two midpoints goes to the lower one, as argmin would have it
    nearest = np.searchsorted((centres[1:] + centres[:-1]) / 2.0, means, side="left")
    at = np.bincount(nearest, minlength=centres.size)
    below = np.cumsum(at) - at
    costs: NDArray[np.int64] = np.maximum(below, means.size - below - at)
    return costs


def _modelled_interval(plan: LevyPlan, means: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """The interval selected in each draw of array means, shape (draws, K); both ends km/h."""
    centres = bin_centres(plan.radius, plan.upper_kmh)
    nearest = np.searchsorted((centres[1:] + centres[:-1]) / 2.0, means, side="left")
    row = np.arange(means.shape[0])[:, None] * centres.size
    at = np.bincount((row + nearest).ravel(), minlength=means.shape[0] * centres.size)
    at = at.reshape(means.shape[0], centres.size)
    below = np.cumsum(at, axis=1) - at
    costs = np.maximum(below, means.shape[1] - below - at)
    share = float(plan.budget_shares[0][1])
    chosen = centres[noisy_best(-costs, plan.assignment.touched, share, rng)]
    reach = 1.5 * plan.radius
    return np.maximum(0.0, chosen - reach), np.minimum(plan.upper_kmh, chosen + reach)


class Levy(Mechanism[LevyParams, LevyPlan]):
    """Half the budget selects the interval, half pays for the noise, of sensitivity (b - a) / Kbar."""

    key: ClassVar[str] = "levy"
    title: ClassVar[str] = "Levy"
    reference: ClassVar[str] = "P3 Alg. 3"
    summary: ClassVar[str] = (
        "Array means are cut around a private median; works best with many records per vehicle."
    )
    noise_factors: ClassVar[NoiseFactors] = HALF_FOR_NOISE
    Params = LevyParams

    def plan(
        self,
        users: HatUsers,
        epsilon: Decimal,
        upper_bound: int,
        params: LevyParams,
        cache: PlanCache,
    ) -> LevyPlan:
        plain = plan_arrays(
            self.key, users, epsilon, upper_bound, cache, grouping=params.grouping, m_ub=params.m_ub
        )
        upper = upper_bound / THOUSAND
        radius = radius_of(plain.arrays, plain.m_ub, params.gamma, upper)
        widest = math.ceil(3.0 * radius * FINE) + 2
        # an interval cut at 0 or U is still one bin wide, and a projected mean is at most U minus the
        # width away from where it was
        projection_bias = max(0.0, upper - radius)
        return LevyPlan(
            mechanism=plain.mechanism,
            epsilon=epsilon,
            upper_bound=upper_bound,
            users=plain.users,
            records=plain.records,
            sensitivity=min(plain.assignment.touched * widest, plain.sensitivity),
            divisor=plain.divisor,
            bias_bound=min(upper, plain.bias_bound + projection_bias),
            budget_shares=((INTERVAL, epsilon * HALF), (NOISE, epsilon * HALF)),
            m_ub=plain.m_ub,
            assignment=plain.assignment,
            radius=radius,
        )

    def accuracy(self, plan: LevyPlan, users: HatUsers, cache: PlanCache) -> Accuracy:
        return projected_accuracy(plan, users, cache, (plan.radius,), _modelled_interval)

    def run(self, plan: LevyPlan, hat: HatData, noise: NoiseSource) -> Draw:
        centres = bin_centres(plan.radius, plan.upper_bound / THOUSAND)
        costs = median_costs(array_means(plan.assignment, hat) / FINE, centres)
        # the median is selected among public midpoints: exponent eps/2 * (-cost) / 2 for one array
        chosen = centres[noise.select(-costs, plan.assignment.touched, spend=plan.budget_shares[0][1])]
        low = np.rint(np.maximum(0.0, chosen - 1.5 * plan.radius) * FINE).astype(np.int64)
        high = np.rint((chosen + 1.5 * plan.radius) * FINE).astype(np.int64)
        high = np.minimum(high, fine_ceil(plan.upper_bound))
        return release_projected(plan, hat, low, high, noise)


MECHANISM = Levy()
