"""FixedQuantile: array means projected on an interval between private quantiles (P3 Sec. III-E.1)."""

from __future__ import annotations

from core.mechanisms.array_plan import ArrayPlan
from core.mechanisms.quantile_interval import QuantileMechanism, Ranks


class FixedQuantile(QuantileMechanism):
    """A tenth of the arrays is cut from either end."""

    key = "fixed-quantile"
    title = "FixedQuantile"
    reference = "P3 Sec. III-E.1"
    summary = "Array means are cut at private 1/10 and 9/10 quantiles; works best with many vehicles."

    def ranks(self, plan: ArrayPlan) -> Ranks:
        return Ranks(lower=plan.arrays, upper=9 * plan.arrays, times=10)


MECHANISM = FixedQuantile()
