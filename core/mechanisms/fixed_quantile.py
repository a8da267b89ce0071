"""FixedQuantile: array means projected on an interval between private quantiles (P3 Sec. III-E.1)."""

from __future__ import annotations

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
class FixedQuantileParams:
    """How users are grouped, and how many records each may give."""

    grouping: str = grouping_field()
    m_ub: str | int = m_ub_field(SQRT)


class FixedQuantile(CachedMechanism[FixedQuantileParams, ArrayPlan]):
    """Sensitivity (b' - a') / Kbar with [a', b'] from a quarter of the budget each."""

    key: ClassVar[str] = "fixed-quantile"
    title: ClassVar[str] = "FixedQuantile"
    reference: ClassVar[str] = "P3 Sec. III-E.1"
    summary: ClassVar[str] = "Array means are cut at private 1/10 and 9/10 quantiles; many vehicles pay off."
    Params = FixedQuantileParams

    def plan_cached(
        self,
        counts: NDArray[np.int64],
        epsilon: Decimal,
        upper_bound: int,
        params: FixedQuantileParams,
        cache: PlanCache,
    ) -> ArrayPlan:
        return plan_quantiles(
            self.key, counts, epsilon, upper_bound, grouping=params.grouping, m_ub=params.m_ub, cache=cache
        )

    def run(self, plan: ArrayPlan, hat: HatData, noise: NoiseSource) -> Draw:
        arrays = plan.arrays
        return run_quantiles(plan, hat, noise, ranks=(arrays, 9 * arrays), times=10)


MECHANISM = FixedQuantile()
