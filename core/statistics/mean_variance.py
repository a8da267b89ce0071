"""Statistic `mean_variance`: mean and population variance of a HAT, half its budget each (method 7, P4)."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import ClassVar

import numpy as np

from core.contributions import HatData
from core.grouping.groupings import m_ub_field
from core.grouping.m_ub import EPSILON_RULES, MEDIAN, resolve_m_ub
from core.mechanisms.base import Plan
from core.mechanisms.baseline import MECHANISM as BASELINE
from core.mechanisms.baseline import BaselineParams
from core.noise.source import NoiseSource
from core.params import flag
from core.statistics.base import (
    LARGEST_VARIANCE,
    Estimate,
    HatCounts,
    HatPlan,
    HatRecords,
    Measure,
    Question,
    Statistic,
    SuppressionRule,
)
from core.statistics.intervals import noise_interval
from core.statistics.mean import VALUE_MEAN
from core.statistics.moments import (
    constant_error,
    feasible_pair,
    hat_error,
    hat_errors,
    largest_error,
    mean_bias,
    mean_sensitivity,
    variance_bias,
    variance_sensitivity,
)
from core.values import FINE, THOUSAND

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
    suppress_users: bool = flag(
        False,
        label="Suppress users",
        help="Busy users leave the HATs that miss them least, so that each HAT gets more of a total.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentsPlan:
    """What the two draws of one HAT need, from public counts alone."""

    mean: Plan
    """Of Baseline on the records kept, with half the HAT's budget."""
    m_ub: int
    variance_sensitivity: int
    """In 2^-30 km2/h2, the rounding of the variance included."""
    mean_bias: int
    """Thousandths of km/h, rounded up."""
    variance_bias: int
    """Thousandths of km2/h2, rounded up."""

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
    summary: ClassVar[str] = "Mean {value} and how much {values} vary in every HAT; half the budget each."
    method: ClassVar[str] = "mean-variance"
    Params: ClassVar[type] = MeanVarianceParams
    table: ClassVar[str] = "{name}_mean_variance_by_hat"
    table_title: ClassVar[str] = "Mean and variance of the {value} of every hexagon and timeslot"
    measures: ClassVar[tuple[Measure, ...]] = (CAPPED_MEAN, VALUE_VARIANCE)

    def scale(self, counts: HatCounts, question: Question[MeanVarianceParams]) -> float | None:
        """c = both sensitivities, the variance's over U, km/h; None where m_UB asks for epsilon.

        With half of epsilon for each, the expected noise of the HAT's two numbers is 2 c / epsilon;
        the 2 is common to all HATs, so that no division of a total depends on it.
        """
        if question.params.m_ub in EPSILON_RULES:
            return None
        upper = counts.upper_bound
        n, k, _ = _kept(counts, _ONE, question)
        c = mean_sensitivity(upper, n, k) + variance_sensitivity(upper, n, k) / upper
        return float(c / THOUSAND)

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
        n, k, m_ub = _kept(counts, epsilon, question)
        mean = BASELINE.plan(np.minimum(counts.users, m_ub), epsilon * _HALF, upper, BaselineParams())
        bias = mean_bias(upper, n, records)
        return HatPlan(
            epsilon=epsilon,
            sensitivity=mean.sensitivity_kmh,
            noise_scale=mean.noise_scale,
            bias_bound=float(bias / THOUSAND),
            expected_error=min(
                hat_error(upper / THOUSAND, n, k, records, epsilon), largest_error(upper / THOUSAND)
            ),
            m_ub=m_ub,
            detail=MomentsPlan(
                mean=mean,
                m_ub=m_ub,
                # one rounded number adds at most one unit to what a user moves it by
                variance_sensitivity=math.floor(variance_sensitivity(upper, n, k) * FINE / _MILLION) + 1,
                mean_bias=math.ceil(bias),
                variance_bias=math.ceil(variance_bias(upper, n, records) / THOUSAND),
            ),
        )

    def draw(self, plan: HatPlan[MomentsPlan], data: HatRecords, noise: NoiseSource) -> tuple[Estimate, ...]:
        moments = plan.detail
        upper = moments.mean.upper_bound
        kept = data.users.first_records(moments.m_ub)
        drawn = BASELINE.run(moments.mean, kept, noise)
        noisy = noise.laplace(exact_variance(kept), moments.variance_sensitivity, spend=moments.share)
        variance = round(Fraction(int(noisy[0]) * THOUSAND, FINE))
        values = feasible_pair(int(drawn.estimates[0]), variance, upper)
        scales = moments.mean.noise_scale, moments.variance_sensitivity / FINE / float(moments.share)
        biases = moments.mean_bias, moments.variance_bias
        # what the variance gave way for the pair widens its interval, which covers the noise all the same
        moved = 0, max(0, min(variance, VALUE_VARIANCE.largest_for(upper) or 0) - values[1])
        return tuple(
            _estimate(measure, upper, value, scale, bias, pulled)
            for measure, value, scale, bias, pulled in zip(
                self.measures, values, scales, biases, moved, strict=True
            )
        )


def _kept(
    counts: HatCounts, epsilon: Decimal, question: Question[MeanVarianceParams]
) -> tuple[int, int, int]:
    """n, k and m_UB: records kept, the most of one user, and the most that one may give."""
    m_ub = resolve_m_ub(question.params.m_ub, counts.users, epsilon)
    kept = np.minimum(counts.users, m_ub)
    return int(kept.sum()), int(kept.max()), m_ub


def _estimate(measure: Measure, upper: int, value: int, scale: float, bias: int, moved: int) -> Estimate:
    """scale: of the noise, in the unit; moved: how far the value was pulled, in the last decimal."""
    unit: int = 10**measure.decimals
    low, high = noise_interval(value, scale * unit, largest=measure.largest_for(upper), moved=moved)
    return Estimate(measure=measure.name, value=value, low=low, high=high, bias_bound=bias)


STATISTIC = MeanVariance()
