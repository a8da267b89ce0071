"""Baseline: the true mean with noise for the busiest user (P1 Sec. III-A)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData
from core.mechanisms.base import NOISE, Draw, Mechanism, Plan, to_draw
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
    Params = BaselineParams

    def plan(self, counts: NDArray[np.int64], epsilon: Decimal, upper_bound: int, _: BaselineParams) -> Plan:
        records = int(counts.sum())
        return Plan(
            mechanism=self.key,
            epsilon=epsilon,
            upper_bound=upper_bound,
            users=counts.size,
            records=records,
            sensitivity=upper_bound * int(counts.max()),
            divisor=THOUSAND * records,
            bias_bound=0.0,
            budget_shares=((NOISE, epsilon),),
        )

    def run(self, plan: Plan, hat: HatData, noise: NoiseSource) -> Draw:
        total = int(hat.sums().sum())
        return to_draw(noise.laplace(total, plan.sensitivity, spend=plan.epsilon), plan)

    def fixed_sensitivity(self, _: BaselineParams) -> bool:
        return True


MECHANISM = Baseline()
