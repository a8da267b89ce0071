"""FixedQuantile: array means projected on an interval between private quantiles (P3 Sec. III-E.1)."""

from __future__ import annotations

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
class FixedQuantileParams:
    """How users are grouped, and how many records each may give."""

    grouping: str = grouping_field()
    m_ub: str | int = m_ub_field(SQRT)


class FixedQuantile(Mechanism[FixedQuantileParams, ArrayPlan]):
    """Sensitivity (b' - a') / Kbar with [a', b'] from a quarter of the budget each."""

    key: ClassVar[str] = "fixed-quantile"
    title: ClassVar[str] = "FixedQuantile"
    reference: ClassVar[str] = "P3 Sec. III-E.1"
    summary: ClassVar[str] = "Array means are cut at private 1/10 and 9/10 quantiles; many vehicles pay off."
    noise_factors: ClassVar[NoiseFactors] = HALF_FOR_NOISE
    Params = FixedQuantileParams

    def plan(
        self,
        users: HatUsers,
        epsilon: Decimal,
        upper_bound: int,
        params: FixedQuantileParams,
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
    """A tenth of the arrays from either end."""
    return Ranks(lower=plan.arrays, upper=9 * plan.arrays, times=10)


MECHANISM = FixedQuantile()
