"""Statistic `mean`: titles and columns of the mean of all records, of a HAT or a region (method 6)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, ClassVar, Generic, NamedTuple

from core.counted import count_of
from core.fixed_point import THOUSAND
from core.mechanisms.base import AnyMechanism, D, Mechanism, P, Plan, linear
from core.mechanisms.region_fields import REGIONS
from core.noise.source import NoiseSource
from core.privacy import Relation
from core.quantity import SPEED
from core.statistics.base import (
    UPPER_BOUND,
    AnyStatistic,
    Estimate,
    HatCounts,
    HatPlan,
    HatRecords,
    MadeBy,
    Measure,
    MeasurePlan,
    Question,
    Statistic,
    SuppressionRule,
)
from core.statistics.gaussian_noise import gaussian_facts
from core.statistics.intervals import interval_around, outwards
from core.statistics.moments import constant_mean_error, mean_errors
from core.texts import text_of

VALUE_MEAN = Measure(
    name="{name}_mean_{column_unit}",
    low="ci95_low_{column_unit}",
    high="ci95_high_{column_unit}",
    bias="bias_bound_{column_unit}",
    modelled_bias="modelled_bias_{column_unit}",
    unclamped="{name}_unclamped_{column_unit}",
    deviation="noise_and_bias_{column_unit}",
    unit="{unit}",
    decimals=3,
    description="Mean {value} with noise, over all records of the period; empty if suppressed",
    largest=UPPER_BOUND,
)
SMOOTHED_MEAN = Measure(
    name="{name}_smoothed_{column_unit}",
    low="smoothed_low_{column_unit}",
    high="smoothed_high_{column_unit}",
    bias="",
    unit="{unit}",
    decimals=3,
    description="Estimate of the mean {value} under a prior: the raw number smoothed with its neighbours in "
    "space and time; empty if suppressed",
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

    @property
    def uses_visits(self) -> bool:
        return self.mechanism.uses_visits

    @property
    def corrects_dwell(self) -> bool:
        return self.mechanism.corrects_dwell(self.params)

    @property
    def joint(self) -> bool:
        return self.mechanism.joint

    @property
    def outlined(self) -> bool:
        return self.mechanism.joint and not getattr(self.params, "zoom", False)

    @property
    def by_region(self) -> bool:
        return bool(getattr(self.params, REGIONS, False))

    def plan(self, counts: HatCounts, epsilon: Decimal) -> D:
        """The mechanism's plan of one HAT."""
        return self.mechanism.plan(counts.public, epsilon, counts.upper_bound, self.params, counts.cache)

    def plan_gaussian(self, counts: HatCounts, rho: Decimal) -> D:
        """The same with Gaussian noise. Raises InternalError for a mechanism that takes none."""
        plan: D = linear(self.mechanism).plan_gaussian(
            counts.public, rho, counts.upper_bound, self.params, counts.cache
        )
        return plan


class MeanPlan(NamedTuple):
    """A mechanism, the plan that it made, and how wide its interval is."""

    mechanism: AnyMechanism
    plan: Plan
    half_width: float
    """km/h; a draw with private choices tells its own."""


class _Means(Statistic[MeanQuestion[Any, Any], MeanPlan]):
    """Wraps a mechanism: its plan and its draw."""

    reference: ClassVar[str] = "P1, P2, P3"
    summary: ClassVar[str] = (
        "The mean {value} of all records of a hexagon slot, by a mechanism of your choice."
    )
    method: ClassVar[str] = ""
    centred: ClassVar[bool] = True
    Params: ClassVar[type] = MeanParams
    measures: ClassVar[tuple[Measure, ...]] = (VALUE_MEAN,)
    models_bias: ClassVar[bool] = True

    def allows_for_bias(self, question: MeanQuestion[P, D]) -> bool:
        """As the mechanism has it; users who left are one of the model's biases."""
        mechanism = question.mechanism
        return mechanism.models_bias or mechanism.suppression_m_ub(question.params) is not None

    def made_by(
        self, _question: MeanQuestion[P, D], plans: Sequence[HatPlan[MeanPlan]]
    ) -> Mapping[str, MadeBy]:
        """The fewest and the most arrays of a HAT, where there are any, and what the budget went to."""
        made = [plan.detail.plan for plan in plans]
        arrays = [plan.arrays for plan in made if plan.arrays is not None]
        parts = Counter(", ".join(name for name, _ in plan.budget_shares) for plan in made)
        facts: dict[str, MadeBy] = {"arrays": (min(arrays), max(arrays))} if arrays else {}
        if any(len(plan.budget_shares) > 1 for plan in made):
            facts["scales"] = "where a private choice comes before the noise, the largest that it may lead to"
        pays = "; ".join(
            text_of("{names} in {counted_hats}", names=names, counted_hats=count_of(hats, "HAT"))
            for names, hats in sorted(parts.items())
        )
        return {**facts, **gaussian_facts(plan.rho for plan in made), "budget_pays_for": pays}

    def scale(self, counts: HatCounts, question: MeanQuestion[P, D]) -> float | None:
        """The mechanism's sensitivity, where it says that epsilon and values have no part in it."""
        if not question.mechanism.fixed_sensitivity(question.params):
            return None
        return question.plan(counts, _ONE).sensitivity_kmh

    def suppression(self, question: MeanQuestion[P, D], upper_bound: int) -> SuppressionRule | None:
        """By the mechanism's rule for m_UB, where it is asked to suppress users (P3)."""
        m_ub = question.mechanism.suppression_m_ub(question.params)
        if m_ub is None:
            return None
        upper_kmh = upper_bound / THOUSAND
        return SuppressionRule(
            m_ub=m_ub, errors=partial(mean_errors, upper_kmh), cap=constant_mean_error(upper_kmh)
        )

    def plan(self, counts: HatCounts, epsilon: Decimal, question: MeanQuestion[P, D]) -> HatPlan[MeanPlan]:
        return self._planned(counts, question, question.plan(counts, epsilon), epsilon)

    def plan_gaussian(
        self, counts: HatCounts, rho: Decimal, epsilon: Decimal, question: MeanQuestion[P, D]
    ) -> HatPlan[MeanPlan]:
        return self._planned(counts, question, question.plan_gaussian(counts, rho), epsilon)

    @staticmethod
    def _planned(
        counts: HatCounts, question: MeanQuestion[P, D], plan: D, epsilon: Decimal
    ) -> HatPlan[MeanPlan]:
        accuracy = question.mechanism.accuracy(plan, counts.public, counts.cache)
        measure = MeasurePlan(
            sensitivity=plan.sensitivity_kmh,
            noise_scale=plan.noise_scale,
            bias_bound=plan.bias_bound,
            typical_error=accuracy.typical_error,
            error_at_worst=plan.error_at_worst,
            typical_bias=accuracy.typical_bias,
            interval_bias=accuracy.interval_bias,
        )
        return HatPlan(
            epsilon=epsilon,
            measures=(measure,),
            m_ub=plan.m_ub,
            detail=MeanPlan(question.mechanism, plan, accuracy.half_width),
            rho=plan.rho,
        )

    def gaussian_vector(self, plan: HatPlan[MeanPlan]) -> tuple[int, int]:
        _, detail, _ = plan.detail
        return detail.sensitivity, 1

    def half_width(self, plan: HatPlan[MeanPlan]) -> float:
        return plan.detail.half_width

    def draw(self, plan: HatPlan[MeanPlan], data: HatRecords, noise: NoiseSource) -> tuple[Estimate, ...]:
        mechanism, detail, half_width = plan.detail
        draw = mechanism.run(detail, data.users, noise)
        if draw.half_width is not None:
            half_width = float(draw.half_width[0])
        centre = int(draw.unclamped[0])
        low, high, informative = interval_around(
            centre, outwards(half_width * THOUSAND), largest=detail.upper_bound
        )
        return (
            Estimate(
                measure=self.measures[0].name,
                value=int(draw.estimates[0]),
                low=low,
                high=high,
                unclamped=centre,
                informative=informative,
                bias_bound=math.ceil(detail.bias_bound * THOUSAND),
            ),
        )


class MeanByRegion(_Means):
    """What a mean is published as whose HATs are merged into regions: other rows, in a file of their own."""

    key: ClassVar[str] = "mean_by_region"
    title: ClassVar[str] = "Mean {value} by region"
    table: ClassVar[str] = "{name}_by_region"
    table_title: ClassVar[str] = "Mean {value} of every region: hexagons and hours together"
    by_region: ClassVar[bool] = True


BY_REGION = MeanByRegion()


class Mean(_Means):
    """What a spec asks for, and the means of HATs."""

    key: ClassVar[str] = "mean"
    relations: ClassVar[frozenset[Relation]] = frozenset(Relation)
    title: ClassVar[str] = "Mean {value}"
    table: ClassVar[str] = "{name}_by_hat"
    table_title: ClassVar[str] = "Mean {value} of every hexagon and timeslot"
    smoothed: ClassVar[Measure | None] = SMOOTHED_MEAN
    variants: ClassVar[tuple[AnyStatistic, ...]] = (BY_REGION,)

    def published(self, question: MeanQuestion[P, D]) -> AnyStatistic:
        return self.variants[0] if question.by_region else self


STATISTIC = Mean()
