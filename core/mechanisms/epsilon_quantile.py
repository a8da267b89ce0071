"""eps-DependentQuantile: array means projected on an interval between private quantiles (P3 Sec. III-E.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData
from core.grouping.groupings import grouping_field, m_ub_field
from core.grouping.m_ub import SQRT
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_plan import ArrayPlan
from core.mechanisms.base import CachedMechanism, Draw
from core.mechanisms.quantile_interval import plan_quantiles, run_quantiles
from core.noise.source import NoiseSource


@dataclass(frozen=True, slots=True, kw_only=True)
class EpsilonQuantileParams:
    """How users are grouped, and how many records each may give."""

    grouping: str = grouping_field()
    m_ub: str | int = m_ub_field(SQRT)


class EpsilonQuantile(CachedMechanism[EpsilonQuantileParams, ArrayPlan]):
    """Sensitivity (b' - a') / Kbar with [a', b'] from a quarter of the budget each."""

    key: ClassVar[str] = "epsilon-quantile"
    title: ClassVar[str] = "eps-DependentQuantile"
    reference: ClassVar[str] = "P3 Sec. III-E.2"
    summary: ClassVar[str] = "Array means are cut at private ranks that balance clipping against noise."
    Params = EpsilonQuantileParams

    def plan_cached(
        self,
        counts: NDArray[np.int64],
        epsilon: Decimal,
        upper_bound: int,
        params: EpsilonQuantileParams,
        cache: PlanCache,
    ) -> ArrayPlan:
        return plan_quantiles(
            self.key, counts, epsilon, upper_bound, grouping=params.grouping, m_ub=params.m_ub, cache=cache
        )

    def run(self, plan: ArrayPlan, hat: HatData, noise: NoiseSource) -> Draw:
        arrays = plan.arrays
        rank = min(math.ceil(2 / plan.epsilon), arrays // 2)
        return run_quantiles(plan, hat, noise, ranks=(rank, arrays - rank), times=1)


MECHANISM = EpsilonQuantile()
