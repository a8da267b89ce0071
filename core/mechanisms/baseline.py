"""Baseline: the true mean with noise for the busiest user (P1 Sec. III-A)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from core.contributions import HatData, HatUsers
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import NOISE, Draw, Mechanism, Plan, to_draw
from core.mechanisms.public_model import NO_BIAS, Accuracy, accuracy_of
from core.noise.source import NoiseSource
from core.values import THOUSAND


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineParams:
    """Baseline has nothing to choose."""


class Baseline(Mechanism[BaselineParams, Plan]):
    """Adds noise to the exact integer sum of thousandths; no bias, sensitivity U m* / sum m_l."""

    key: ClassVar[str] = "baseline"
    title: ClassVar[str] = "Baseline"
    reference: ClassVar[str] = "P1 Sec. III-B"
    summary: ClassVar[str] = "All records count; noise covers the vehicle with the most records."
    complexity: ClassVar[int] = 0
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
            bias_bound=0.0,
            budget_shares=((NOISE, epsilon),),
        )

    def accuracy(self, plan: Plan, _users: HatUsers, _cache: PlanCache) -> Accuracy:
        return accuracy_of(plan.noise_scale, NO_BIAS, plan.upper_kmh)

    def run(self, plan: Plan, hat: HatData, noise: NoiseSource) -> Draw:
        total = int(hat.sums().sum())
        return to_draw(noise.laplace(total, plan.sensitivity, spend=plan.epsilon), plan)

    def fixed_sensitivity(self, _: BaselineParams) -> bool:
        return True


MECHANISM = Baseline()
