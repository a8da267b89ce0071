"""Statistic `mean`: the mean of all records of a HAT, by any mechanism of SPEC 6."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from core.mechanisms.base import Plan
from core.noise.source import NoiseSource
from core.privacy import Relation
from core.statistics.base import (
    UPPER_BOUND,
    Estimate,
    HatCounts,
    HatPlan,
    HatRecords,
    Label,
    Measure,
    Question,
    SuppressionRule,
)
from core.statistics.intervals import noise_interval
from core.values import THOUSAND

SPEED_MEAN = Measure(
    name="speed_mean_kmh",
    low="ci95_low_kmh",
    high="ci95_high_kmh",
    bias="bias_bound_kmh",
    unit="km/h",
    decimals=3,
    description="Mean speed with noise, over all records of the period; empty if suppressed",
    largest=UPPER_BOUND,
)
_ONE = Decimal(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanParams:
    """The parameters are the mechanism's."""


class Mean:
    """Wraps a mechanism: its plan and its draw."""

    key: ClassVar[str] = "mean"
    title: ClassVar[str] = "Mean speed"
    reference: ClassVar[str] = "P1, P2, P3"
    summary: ClassVar[str] = "The mean speed of all records of a HAT, by a mechanism of your choice."
    version: ClassVar[int] = 1
    method: ClassVar[str] = ""
    relations: ClassVar[frozenset[Relation]] = frozenset({Relation.VALUES})
    takes_noise_scale: ClassVar[bool] = False
    Params: ClassVar[type] = MeanParams
    table: ClassVar[str] = "speed_by_hat"
    table_title: ClassVar[str] = "Mean speed of every hexagon and timeslot"
    measures: ClassVar[tuple[Measure, ...]] = (SPEED_MEAN,)
    label: ClassVar[Label | None] = None

    def scale(self, counts: HatCounts, question: Question) -> float | None:
        """The mechanism's sensitivity, where it says that epsilon and values have no part in it."""
        assert question.mechanism is not None
        if not question.mechanism.fixed_sensitivity(question.params):
            return None
        return self._plan(counts, _ONE, question).sensitivity_kmh

    def suppression(
        self,
        question: Question,  # noqa: ARG002 - the protocol's shape
        upper_bound: int,  # noqa: ARG002
    ) -> SuppressionRule | None:
        return None

    def plan(self, counts: HatCounts, epsilon: Decimal, question: Question) -> HatPlan:
        plan = self._plan(counts, epsilon, question)
        return HatPlan(
            epsilon=epsilon,
            sensitivity=plan.sensitivity_kmh,
            noise_scale=plan.noise_scale,
            bias_bound=plan.bias_bound,
            expected_error=plan.expected_error,
            m_ub=plan.m_ub,
            detail=(question.mechanism, plan),
        )

    def draw(self, plan: HatPlan, data: HatRecords, noise: NoiseSource) -> tuple[Estimate, ...]:
        mechanism, detail = plan.detail
        draw = mechanism.run(detail, data.users, noise)
        mean = int(draw.estimates[0])
        low, high = noise_interval(mean, float(draw.noise_scale[0]) * THOUSAND, largest=detail.upper_bound)
        bias = math.ceil(detail.bias_bound * THOUSAND)
        return (Estimate(measure=SPEED_MEAN.name, value=mean, low=low, high=high, bias_bound=bias),)

    def _plan(self, counts: HatCounts, epsilon: Decimal, question: Question) -> Plan:
        assert question.mechanism is not None
        return question.mechanism.plan(counts.users, epsilon, counts.upper_bound, question.params)


STATISTIC = Mean()
