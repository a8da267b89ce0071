"""eps-DependentQuantile: array means projected on an interval between private quantiles (P3 Sec. III-E.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from core.contributions import HatData, HatUsers
from core.grouping.groupings import grouping_field, m_ub_field
from core.grouping.m_ub import SQRT
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_plan import ArrayPlan
from core.mechanisms.base import Draw, Mechanism, NoiseFactors
from core.mechanisms.projection import HALF_FOR_NOISE
from core.mechanisms.public_model import Accuracy
from core.mechanisms.quantile_interval import (
    Ranks,
    plan_quantiles,
    quantiles_accuracy,
    run_quantiles,
)
from core.noise.source import NoiseSource


@dataclass(frozen=True, slots=True, kw_only=True)
class EpsilonQuantileParams:
    """How users are grouped, and how many records each may give."""

    grouping: str = grouping_field()
    m_ub: str | int = m_ub_field(SQRT)


class EpsilonQuantile(Mechanism[EpsilonQuantileParams, ArrayPlan]):
    """Sensitivity (b' - a') / Kbar with [a', b'] from a quarter of the budget each."""

    key: ClassVar[str] = "epsilon-quantile"
    title: ClassVar[str] = "eps-DependentQuantile"
    reference: ClassVar[str] = "P3 Sec. III-E.2"
    summary: ClassVar[str] = "Array means are cut at private ranks that balance clipping against noise."
    noise_factors: ClassVar[NoiseFactors] = HALF_FOR_NOISE
    Params = EpsilonQuantileParams

    def plan(
        self,
        users: HatUsers,
        epsilon: Decimal,
        upper_bound: int,
        params: EpsilonQuantileParams,
        cache: PlanCache,
    ) -> ArrayPlan:
        return plan_quantiles(
            self.key, users, epsilon, upper_bound, cache, grouping=params.grouping, m_ub=params.m_ub
        )

    def accuracy(self, plan: ArrayPlan, users: HatUsers, cache: PlanCache) -> Accuracy:
        return quantiles_accuracy(plan, users, cache, _ranks(plan))

    def run(self, plan: ArrayPlan, hat: HatData, noise: NoiseSource) -> Draw:
        return run_quantiles(plan, hat, noise, _ranks(plan))


def _ranks(plan: ArrayPlan) -> Ranks:
    """As many arrays from either end as noise of this budget makes up for."""
    rank = min(math.ceil(2 / plan.epsilon), plan.arrays // 2)
    return Ranks(lower=rank, upper=plan.arrays - rank, times=1)


MECHANISM = EpsilonQuantile()
