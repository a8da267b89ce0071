"""Statistic `mean_variance`: mean and population variance of a HAT, half its budget each (method 7, P4)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

import numpy as np

from core.contributions import HatData, HatUsers
from core.fixed_point import FINE, THOUSAND
from core.grouping.groupings import m_ub_field
from core.grouping.m_ub import EPSILON_RULES, MEDIAN, resolve_m_ub
from core.grouping.suppression_field import suppress_users_field
from core.mechanisms.base import NoiseFactors, Plan
from core.mechanisms.baseline import MECHANISM as BASELINE
from core.mechanisms.baseline import BaselineParams
from core.mechanisms.public_model import accuracy_of, weights_bias
from core.noise.source import NoiseSource
from core.statistics.base import (
    LARGEST_VARIANCE,
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
from core.statistics.intervals import interval_around, outwards
from core.statistics.mean import VALUE_MEAN
from core.statistics.moments import (
    constant_error,
    feasible_pair,
    hat_errors,
    mean_bias,
    mean_sensitivity,
    variance_bias,
    variance_sensitivity,
)
from core.statistics.variance_model import variance_accuracy

CAPPED_MEAN = dataclasses.replace(
    VALUE_MEAN,
    description="Mean {value} with noise, over at most m_UB records of each vehicle; empty if suppressed",
)
VALUE_VARIANCE = Measure(
    name="{name}_variance_{column_unit_squared}",
    low="variance_ci95_low_{column_unit_squared}",
    high="variance_ci95_high_{column_unit_squared}",
    bias="variance_bias_bound_{column_unit_squared}",
    unit="{unit_squared}",
    decimals=3,
    description="Population variance of the same {values} with noise; empty if suppressed",
    largest=LARGEST_VARIANCE,
)
_HALF = Decimal("0.5")
_ONE = Decimal(1)
_MILLION = THOUSAND**2
"""Squared thousandths of km/h per km2/h2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanVarianceParams:
    """How many records each user may give."""

    m_ub: str | int = m_ub_field(MEDIAN)
    suppress_users: bool = suppress_users_field(later=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentsPlan:
    """What the two draws of one HAT need, from public counts alone."""

    mean: Plan
    """Of Baseline on the records retained, with half the HAT's budget."""
    m_ub: int
    variance_sensitivity: int
    """In 2^-30 km2/h2, the rounding of the variance included."""
    biases: tuple[int, int]
    """At worst, of mean and variance: thousandths of km/h and of km2/h2, rounded up."""
    half_widths: tuple[float, float]
    """Of their intervals, km/h and km2/h2."""

    @property
    def share(self) -> Decimal:
        """What each draw spends: exactly half, one decimal more than epsilon where it must be."""
        return self.mean.epsilon


def exact_variance(data: HatData) -> int:
    """Population variance of all values, rounded to the nearest integer of 2^-30 km2/h2.

    From exact integers, (n sum x^2 - (sum x)^2) / n^2, so that nothing cancels.
    """
    n, total = int(data.counts.sum()), int(data.sums().sum())
    return round(Fraction((n * data.sum_of_squares() - total**2) * FINE, n**2 * _MILLION))


class MeanVariance(Statistic[Question[MeanVarianceParams], MomentsPlan]):
    """Users give their first m_UB records; sensitivities are exact for what they gave (`moments`)."""

    key: ClassVar[str] = "mean_variance"
    title: ClassVar[str] = "Mean and variance"
    reference: ClassVar[str] = "P4"
    summary: ClassVar[str] = (
        "Mean {value} and how much {values} vary in every hexagon slot; half the budget each."
    )
    method: ClassVar[str] = "mean-variance"
    Params: ClassVar[type] = MeanVarianceParams
    table: ClassVar[str] = "{name}_mean_variance_by_hat"
    table_title: ClassVar[str] = "Mean and variance of the {value} of every hexagon and timeslot"
    measures: ClassVar[tuple[Measure, ...]] = (CAPPED_MEAN, VALUE_VARIANCE)
    models_bias: ClassVar[bool] = True

    def made_by(
        self, _question: Question[MeanVarianceParams], _plans: Sequence[HatPlan[MomentsPlan]]
    ) -> Mapping[str, MadeBy]:
        return {"budget_of_measures": "mean and variance have half of the HAT's epsilon each"}

    def scale(self, counts: HatCounts, question: Question[MeanVarianceParams]) -> float | None:
        """c = both sensitivities, the variance's over U, km/h; None where m_UB asks for epsilon.

        With half of epsilon for each, the expected noise of the HAT's two numbers is 2 c / epsilon;
        the 2 is common to all HATs, so that no division of a total depends on it.
        """
        if question.params.m_ub in EPSILON_RULES:
            return None
        upper = counts.upper_bound
        n, k, _ = _retained(counts, _ONE, question)
        c = mean_sensitivity(upper, n, k) + variance_sensitivity(upper, n, k) / upper
        return float(c / THOUSAND)

    def noise_factors(self, _: Mapping[str, Any]) -> NoiseFactors:
        return (2.0, 2.0)

    def suppression(self, question: Question[MeanVarianceParams], upper_bound: int) -> SuppressionRule | None:
        if not question.params.suppress_users:
            return None
        upper_kmh = upper_bound / THOUSAND
        return SuppressionRule(
            m_ub=question.params.m_ub,
            errors=partial(hat_errors, upper_kmh),
            cap=constant_error(upper_kmh),
        )

    def plan(
        self, counts: HatCounts, epsilon: Decimal, question: Question[MeanVarianceParams]
    ) -> HatPlan[MomentsPlan]:
        upper, records = counts.upper_bound, counts.records
        n, k, m_ub = _retained(counts, epsilon, question)
        retained = np.minimum(counts.users, m_ub)
        mean = BASELINE.plan(
            HatUsers(counts=retained), epsilon * _HALF, upper, BaselineParams(), counts.cache
        )
        # one rounded number adds at most one unit to what a user moves it by
        moved = math.floor(variance_sensitivity(upper, n, k) * FINE / _MILLION) + 1
        scales = mean.noise_scale, moved / FINE / float(mean.epsilon)
        biases = mean_bias(upper, n, records) / THOUSAND, variance_bias(upper, n, records) / _MILLION
        upper_kmh = upper / THOUSAND
        accuracies = (
            accuracy_of(
                scales[0], weights_bias(counts.public, retained / n, upper_kmh, retained=retained), upper_kmh
            ),
            variance_accuracy(counts.public, retained, scales[1], upper_kmh, counts.cache),
        )
        sensitivities = mean.sensitivity_kmh, moved / FINE
        most = upper_kmh, upper_kmh**2 / 4.0
        return HatPlan(
            epsilon=epsilon,
            measures=tuple(
                MeasurePlan(
                    sensitivity=sensitivity,
                    noise_scale=scale,
                    bias_bound=float(bias),
                    typical_error=accuracy.typical_error,
                    error_at_worst=min(scale + float(bias), largest),
                )
                for sensitivity, scale, bias, accuracy, largest in zip(
                    sensitivities, scales, biases, accuracies, most, strict=True
                )
            ),
            m_ub=m_ub,
            detail=MomentsPlan(
                mean=mean,
                m_ub=m_ub,
                variance_sensitivity=moved,
                biases=(math.ceil(biases[0] * THOUSAND), math.ceil(biases[1] * THOUSAND)),
                half_widths=(accuracies[0].half_width, accuracies[1].half_width),
            ),
        )

    def half_width(self, plan: HatPlan[MomentsPlan]) -> float:
        return plan.detail.half_widths[0]

    def draw(self, plan: HatPlan[MomentsPlan], data: HatRecords, noise: NoiseSource) -> tuple[Estimate, ...]:
        moments = plan.detail
        upper = moments.mean.upper_bound
        retained = data.users.first_records(moments.m_ub)
        drawn = BASELINE.run(moments.mean, retained, noise)
        noisy = noise.laplace(exact_variance(retained), moments.variance_sensitivity, spend=moments.share)
        variance = round(Fraction(int(noisy[0]) * THOUSAND, FINE))
        values = feasible_pair(int(drawn.estimates[0]), variance, upper)
        centres = int(drawn.unclamped[0]), variance
        numbers = zip(values, centres, moments.half_widths, moments.biases, strict=True)
        return tuple(
            _estimate(measure, upper, *number) for measure, number in zip(self.measures, numbers, strict=True)
        )


def _retained(
    counts: HatCounts, epsilon: Decimal, question: Question[MeanVarianceParams]
) -> tuple[int, int, int]:
    """n, k and m_UB: records retained, the most of one user, and the most that one may give."""
    m_ub = resolve_m_ub(question.params.m_ub, counts.users, epsilon)
    retained = np.minimum(counts.users, m_ub)
    return int(retained.sum()), int(retained.max()), m_ub


def _estimate(
    measure: Measure, upper: int, value: int, centre: int, half_width: float, bias: int
) -> Estimate:
    """centre: before clamping, in the last decimal; half_width: in the unit.

    The interval reaches to the value where that gave way to make the pair one that values can have.
    """
    reach = outwards(half_width * 10**measure.decimals)
    low, high, informative = interval_around(centre, reach, largest=measure.largest_for(upper) or 0)
    return Estimate(
        measure=measure.name,
        value=value,
        low=min(low, value),
        high=max(high, value),
        unclamped=centre,
        informative=informative,
        bias_bound=bias,
    )


STATISTIC = MeanVariance()
