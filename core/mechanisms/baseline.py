"""Baseline: the true mean with noise for the busiest user (P1 Sec. III-A)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from core.contributions import HatData, HatUsers
from core.fixed_point import THOUSAND
from core.grouping.m_ub import ALL_RECORDS
from core.grouping.plan_cache import PlanCache
from core.grouping.suppression_field import suppress_users_field
from core.mechanisms.base import NOISE, Draw, LinearMechanism, Plan, add_noise, to_draw
from core.mechanisms.noise_field import linear_noise_field
from core.mechanisms.public_model import NO_BIAS, Accuracy, accuracy_of, weights_bias
from core.mechanisms.smooth_field import smooth_field
from core.noise.source import NoiseSource


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineParams:
    """Who stays in which HAT, whether the table is smoothed afterwards, and which noise."""

    suppress_users: bool = suppress_users_field()
    smooth: bool = smooth_field()
    noise: str = linear_noise_field()


class Baseline(LinearMechanism[BaselineParams, Plan]):
    """Adds noise to the exact integer sum of thousandths; sensitivity U m* / sum m_l.

    It has no bias, unless users were suppressed: then the sums are over those who stay, and every record of
    theirs weighs more than one of M.
    """

    key: ClassVar[str] = "baseline"
    title: ClassVar[str] = "Baseline"
    reference: ClassVar[str] = "P1 Sec. III-B"
    summary: ClassVar[str] = "All records count; noise covers the vehicle with the most records."
    complexity: ClassVar[int] = 0
    models_bias: ClassVar[bool] = False
    Params = BaselineParams

    def plan(
        self, users: HatUsers, epsilon: Decimal, upper_bound: int, _: BaselineParams, _cache: PlanCache
    ) -> Plan:
        records = users.records
        return Plan(
            mechanism=self.key,
            epsilon=epsilon,
            upper_bound=upper_bound,
            users=users.size,
            records=records,
            sensitivity=upper_bound * int(users.counts.max()),
            divisor=THOUSAND * records,
            bias_bound=upper_bound / THOUSAND * (1.0 - records / users.all_records),
            budget_shares=((NOISE, epsilon),),
        )

    def accuracy(self, plan: Plan, users: HatUsers, _cache: PlanCache) -> Accuracy:
        bias = NO_BIAS
        if users.suppressed is not None:
            bias = weights_bias(users, users.shares, plan.upper_kmh)
        return accuracy_of(plan.noise_scale, bias, plan.upper_kmh, gaussian=bool(plan.rho))

    def run(self, plan: Plan, hat: HatData, noise: NoiseSource) -> Draw:
        total = int(hat.sums().sum())
        return to_draw(add_noise(noise, total, plan), plan)

    def suppression_m_ub(self, params: BaselineParams) -> str | None:
        return ALL_RECORDS if params.suppress_users else None

    def fixed_sensitivity(self, _: BaselineParams) -> bool:
        return True


MECHANISM = Baseline()
