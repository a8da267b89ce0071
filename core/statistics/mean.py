"""Statistic `mean`: the mean of all records of a HAT, by any mechanism of method 6."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, Generic, NamedTuple

from core.mechanisms.base import AnyMechanism, D, Mechanism, P, Plan
from core.noise.source import NoiseSource
from core.quantity import SPEED
from core.statistics.base import (
    UPPER_BOUND,
    Estimate,
    HatCounts,
    HatPlan,
    HatRecords,
    Measure,
    Question,
    Statistic,
)
from core.statistics.intervals import noise_interval
from core.values import THOUSAND

VALUE_MEAN = Measure(
    name="{name}_mean_{column_unit}",
    low="ci95_low_{column_unit}",
    high="ci95_high_{column_unit}",
    bias="bias_bound_{column_unit}",
    unit="{unit}",
    decimals=3,
    description="Mean {value} with noise, over all records of the period; empty if suppressed",
    largest=UPPER_BOUND,
)
SPEED_MEAN = VALUE_MEAN.of(SPEED)
_ONE = Decimal(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanParams:
    """The parameters are the mechanism's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanQuestion(Question[P], Generic[P, D]):
    """The mean by a mechanism; the parameters are the mechanism's."""

    mechanism: Mechanism[P, D]

    @property
    def key(self) -> str:
        return self.mechanism.key

    @property
    def title(self) -> str:
        return self.mechanism.title

    @property
    def reference(self) -> str:
        return self.mechanism.reference

    @property
    def version(self) -> int:
        return self.mechanism.version

    def plan(self, counts: HatCounts, epsilon: Decimal) -> D:
        """The mechanism's plan of one HAT."""
        return self.mechanism.plan_cached(
            counts.users, epsilon, counts.upper_bound, self.params, counts.cache
        )


class MeanPlan(NamedTuple):
    """A mechanism and the plan that it made."""

    mechanism: AnyMechanism
    plan: Plan


class Mean(Statistic[MeanQuestion[Any, Any], MeanPlan]):
    """Wraps a mechanism: its plan and its draw."""

    key: ClassVar[str] = "mean"
    title: ClassVar[str] = "Mean {value}"
    reference: ClassVar[str] = "P1, P2, P3"
    summary: ClassVar[str] = "The mean {value} of all records of a HAT, by a mechanism of your choice."
    method: ClassVar[str] = ""
    Params: ClassVar[type] = MeanParams
    table: ClassVar[str] = "{name}_by_hat"
    table_title: ClassVar[str] = "Mean {value} of every hexagon and timeslot"
    measures: ClassVar[tuple[Measure, ...]] = (VALUE_MEAN,)

    def scale(self, counts: HatCounts, question: MeanQuestion[P, D]) -> float | None:
        """The mechanism's sensitivity, where it says that epsilon and values have no part in it."""
        if not question.mechanism.fixed_sensitivity(question.params):
            return None
        return question.plan(counts, _ONE).sensitivity_kmh

    def plan(self, counts: HatCounts, epsilon: Decimal, question: MeanQuestion[P, D]) -> HatPlan[MeanPlan]:
        plan = question.plan(counts, epsilon)
        return HatPlan(
            epsilon=epsilon,
            sensitivity=plan.sensitivity_kmh,
            noise_scale=plan.noise_scale,
            bias_bound=plan.bias_bound,
            expected_error=plan.expected_error,
            m_ub=plan.m_ub,
            detail=MeanPlan(question.mechanism, plan),
        )

    def draw(self, plan: HatPlan[MeanPlan], data: HatRecords, noise: NoiseSource) -> tuple[Estimate, ...]:
        mechanism, detail = plan.detail
        draw = mechanism.run(detail, data.users, noise)
        mean = int(draw.estimates[0])
        low, high = noise_interval(mean, float(draw.noise_scale[0]) * THOUSAND, largest=detail.upper_bound)
        bias = math.ceil(detail.bias_bound * THOUSAND)
        name = self.measures[0].name
        return (Estimate(measure=name, value=mean, low=low, high=high, bias_bound=bias),)


STATISTIC = Mean()
