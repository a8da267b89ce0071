"""eps-DependentQuantile: array means projected on an interval between private quantiles (P3 Sec. III-E.2)."""

from __future__ import annotations

import math

from core.mechanisms.array_plan import ArrayPlan
from core.mechanisms.quantile_interval import QuantileMechanism, Ranks


class EpsilonQuantile(QuantileMechanism):
    """As many arrays are cut from either end as noise of this budget makes up for."""

    key = "epsilon-quantile"
    title = "eps-DependentQuantile"
    reference = "P3 Sec. III-E.2"
    summary = "Array means are cut at private ranks that balance clipping against noise."

    def ranks(self, plan: ArrayPlan) -> Ranks:
        rank = min(math.ceil(2 / plan.epsilon), plan.arrays // 2)
        return Ranks(lower=rank, upper=plan.arrays - rank, times=1)


MECHANISM = EpsilonQuantile()
