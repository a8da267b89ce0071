"""Array-Averaging: the mean of the means of arrays that each hold at most m_UB records (P1 Sec. III-C)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from core.contributions import HatData, HatUsers
from core.grouping.assignment import array_means
from core.grouping.groupings import grouping_field, m_ub_field
from core.grouping.m_ub import EPSILON_RULES, MEDIAN
from core.grouping.plan_cache import PlanCache
from core.grouping.suppression_field import suppress_users_field
from core.mechanisms.array_plan import ArrayPlan, array_bias, plan_arrays
from core.mechanisms.base import Draw, LinearMechanism, add_noise, to_draw
from core.mechanisms.noise_field import linear_noise_field
from core.mechanisms.public_model import Accuracy, accuracy_of
from core.mechanisms.smooth_field import smooth_field
from core.noise.source import NoiseSource


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayAveragingParams:
    """How users are grouped, what each may give and where, whether the table is smoothed, and which noise."""

    grouping: str = grouping_field()
    m_ub: str | int = m_ub_field(MEDIAN)
    suppress_users: bool = suppress_users_field()
    smooth: bool = smooth_field()
    noise: str = linear_noise_field()


class ArrayAveraging(LinearMechanism[ArrayAveragingParams, ArrayPlan]):
    """Sensitivity U / Kbar (BestFit) or U / K (WrapAround); see `plan_arrays`."""

    key: ClassVar[str] = "array-averaging"
    title: ClassVar[str] = "Array-Averaging"
    reference: ClassVar[str] = "P1 Sec. III-C; P3 Alg. 2"
    summary: ClassVar[str] = "Busy vehicles give fewer records; noise covers one array of many."
    complexity: ClassVar[int] = 1
    Params = ArrayAveragingParams

    def plan(
        self,
        users: HatUsers,
        epsilon: Decimal,
        upper_bound: int,
        params: ArrayAveragingParams,
        cache: PlanCache,
    ) -> ArrayPlan:
        return plan_arrays(
            self.key, users, epsilon, upper_bound, cache, grouping=params.grouping, m_ub=params.m_ub
        )

    def accuracy(self, plan: ArrayPlan, users: HatUsers, cache: PlanCache) -> Accuracy:
        asked = (plan.upper_bound, plan.m_ub, plan.assignment.touched, users.other_facts)
        bias = cache.get("array bias", users.counts, asked, lambda: array_bias(plan, users))
        return accuracy_of(plan.noise_scale, bias, plan.upper_kmh, gaussian=bool(plan.rho))

    def run(self, plan: ArrayPlan, hat: HatData, noise: NoiseSource) -> Draw:
        centre = int(array_means(plan.assignment, hat).sum())
        return to_draw(add_noise(noise, centre, plan), plan)

    def suppression_m_ub(self, params: ArrayAveragingParams) -> str | int | None:
        return params.m_ub if params.suppress_users else None

    def fixed_sensitivity(self, params: ArrayAveragingParams) -> bool:
        return params.m_ub not in EPSILON_RULES


MECHANISM = ArrayAveraging()
