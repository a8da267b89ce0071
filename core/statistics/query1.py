"""Statistic `query1`: the mean over vehicles and days of each one's mean speed (TR III.E, Query 1)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import ClassVar

import numpy as np

from core.contributions import HatUsers
from core.counted import count_of
from core.fine_means import fine_means
from core.fixed_point import FINE, THOUSAND, fine_ceil
from core.grouping.m_ub import ALL_RECORDS
from core.grouping.suppression_field import suppress_users_field
from core.mechanisms.base import LARGEST_CENTRE, too_large
from core.mechanisms.noise_field import linear_noise_field, noise_field
from core.mechanisms.public_model import NO_BIAS, Accuracy, accuracy_of, weights_bias
from core.noise.laplace_normal import LN_20, mean_absolute
from core.noise.source import NoiseSource
from core.privacy import Relation
from core.statistics.base import (
    UPPER_BOUND,
    Estimate,
    HatCounts,
    HatPlan,
    HatRecords,
    MadeBy,
    Measure,
    MeasurePlan,
    NoisyNumbers,
    Question,
    Statistic,
    SuppressionRule,
)
from core.statistics.gaussian_noise import deviation_of, gaussian_facts, noisy_numbers
from core.statistics.intervals import interval_around, outwards
from core.statistics.moments import constant_mean_error, mean_bias, mean_errors

VEHICLE_DAY_MEAN = Measure(
    name="vehicle_day_{name}_mean_{column_unit}",
    low="ci95_low_{column_unit}",
    high="ci95_high_{column_unit}",
    bias="",
    suppression_bias="bias_bound_{column_unit}",
    unit="{unit}",
    decimals=3,
    description=(
        "Mean, over vehicles and days, of the mean {value} of one vehicle on one day, with noise; "
        "empty if suppressed"
    ),
    largest=UPPER_BOUND,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query1Params:
    """Who stays in which HAT, and which noise."""

    suppress_users: bool = suppress_users_field()
    noise: str = linear_noise_field()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedQuery1Params:
    """Which noise; who counts is a matter of the release's constants."""

    noise: str = noise_field()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Detail:
    """What `draw` needs of the public counts."""

    moved: int
    """The most that one user moves the sum of pair means, in integers of 2^-30 km/h."""
    pairs: int
    upper_bound: int
    half_width: float
    """Of the interval, km/h."""
    bias_bound: int | None
    """Thousandths of km/h; None where nobody was asked to leave."""


class Query1(Statistic[Question[Query1Params], _Detail]):
    """Every vehicle weighs the same on each of its days, however many records it sent."""

    key: ClassVar[str] = "query1"
    title: ClassVar[str] = "Mean {value} of vehicles and days (Query 1)"
    reference: ClassVar[str] = "TR III.E, Query 1"
    summary: ClassVar[str] = "The mean of each vehicle's mean {value} on each day: busy senders count once."
    method: ClassVar[str] = "query1"
    relations: ClassVar[frozenset[Relation]] = frozenset(Relation)
    counts_days: ClassVar[bool] = True
    takes_noise_scale: ClassVar[bool] = True
    centred: ClassVar[bool] = True
    Params: ClassVar[type] = Query1Params
    BoundedParams: ClassVar[type | None] = BoundedQuery1Params
    table: ClassVar[str] = "vehicle_day_{name}_by_hat"
    table_title: ClassVar[str] = "Mean {value} of vehicles and days in every hexagon and timeslot"
    measures: ClassVar[tuple[Measure, ...]] = (VEHICLE_DAY_MEAN,)

    def scale(self, counts: HatCounts, question: Question[Query1Params]) -> float | None:
        return self.numbers(counts, question).scale

    def numbers(self, counts: HatCounts, _: Question[Query1Params]) -> NoisyNumbers:
        return NoisyNumbers(sensitivity=sensitivity_kmh(counts), parts=1)

    def made_by(
        self, _question: Question[Query1Params], plans: Sequence[HatPlan[_Detail]]
    ) -> Mapping[str, MadeBy]:
        return gaussian_facts(plan.rho for plan in plans)

    def allows_for_bias(self, question: Question[Query1Params]) -> bool:
        """Only where users may leave: all pairs of those who stay count."""
        return question.params.suppress_users

    def suppression(self, question: Question[Query1Params], upper_bound: int) -> SuppressionRule | None:
        """As for a mean over pairs in place of records: all pairs of those who stay count."""
        if not question.params.suppress_users:
            return None
        upper_kmh = upper_bound / THOUSAND
        return SuppressionRule(
            m_ub=ALL_RECORDS,
            errors=partial(mean_errors, upper_kmh),
            cap=constant_mean_error(upper_kmh),
            of_pairs=True,
        )

    def plan(self, counts: HatCounts, epsilon: Decimal, _: Question[Query1Params]) -> HatPlan[_Detail]:
        """Raises InputError where sums would leave 63-bit integers."""
        return self._planned(counts, epsilon, Decimal(0))

    def plan_gaussian(
        self, counts: HatCounts, rho: Decimal, epsilon: Decimal, _: Question[Query1Params]
    ) -> HatPlan[_Detail]:
        return self._planned(counts, epsilon, rho)

    def _planned(self, counts: HatCounts, epsilon: Decimal, rho: Decimal) -> HatPlan[_Detail]:
        """rho: of Gaussian noise; 0: the noise is Laplace's and costs `epsilon`."""
        if counts.pairs * fine_ceil(counts.upper_bound) >= LARGEST_CENTRE:
            raise too_large(
                where=f"{count_of(counts.pairs, 'pair')} of vehicle and day, "
                f"U = {counts.upper_bound / THOUSAND} {self.quantity.unit}"
            )
        sensitivity = sensitivity_kmh(counts)
        scale = deviation_of(float(sensitivity), rho) if rho else float(sensitivity / Fraction(epsilon))
        bias = mean_bias(counts.upper_bound, counts.pairs, counts.pairs + counts.pairs_left)
        accuracy = _accuracy(counts, scale, gaussian=bool(rho))
        noise = mean_absolute(0.0, scale) if rho else scale
        measure = MeasurePlan(
            sensitivity=float(sensitivity),
            noise_scale=scale,
            bias_bound=float(bias / THOUSAND),
            typical_error=accuracy.typical_error,
            error_at_worst=noise + float(bias / THOUSAND),
        )
        return HatPlan(
            epsilon=epsilon,
            measures=(measure,),
            m_ub=None,
            detail=_Detail(
                moved=_moved(counts),
                pairs=counts.pairs,
                upper_bound=counts.upper_bound,
                half_width=accuracy.half_width,
                bias_bound=None if counts.suppressed is None else math.ceil(bias),
            ),
            rho=rho,
        )

    def gaussian_vector(self, plan: HatPlan[_Detail]) -> tuple[int, int]:
        return plan.detail.moved, 1

    def half_width(self, plan: HatPlan[_Detail]) -> float:
        return plan.detail.half_width

    def draw(self, plan: HatPlan[_Detail], data: HatRecords, noise: NoiseSource) -> tuple[Estimate, ...]:
        detail = plan.detail
        total = int(fine_means(data.pairs.sums, data.pairs.counts).sum())
        if plan.rho:
            noisy = int(noisy_numbers(noise, np.array([total]), detail.moved, plan.rho)[0])
        else:
            noisy = int(noise.laplace(total, detail.moved, spend=plan.epsilon)[0])
        centre = round(Fraction(noisy * THOUSAND, detail.pairs * FINE))
        reach = outwards(detail.half_width * THOUSAND)
        low, high, informative = interval_around(centre, reach, largest=detail.upper_bound)
        return (
            Estimate(
                measure=self.measures[0].name,
                value=min(max(centre, 0), detail.upper_bound),
                low=low,
                high=high,
                unclamped=centre,
                informative=informative,
                bias_bound=detail.bias_bound,
            ),
        )


def sensitivity_kmh(counts: HatCounts) -> Fraction:
    """The most that the values of one user move the mean, km/h, exact; one number, so in L1 as in L2.

    `U / N` for a vehicle on one day, `U / N` times its days in the HAT for a vehicle; U rounded up to
    the integers of 2^-30 km/h that pair means are rounded to. Source: TR III.E; method 8, 11.
    """
    return Fraction(_moved(counts), counts.pairs * FINE)


def _accuracy(counts: HatCounts, scale: float, *, gaussian: bool) -> Accuracy:
    """Of noise alone; where users left, with the bias that the model gives the pairs of those who stay.

    A pair's mean counts as one record: that leaves it as uncertain as it can be.
    """
    gone = counts.suppressed
    if gaussian:  # nobody leaves: `linear_noises` refuses both together
        return accuracy_of(scale, NO_BIAS, math.inf, gaussian=True)
    if gone is None or not gone.pairs.size:
        return Accuracy(typical_error=scale, half_width=scale * LN_20)
    users = HatUsers(counts=gone.retained_pairs, suppressed=HatUsers(counts=gone.pairs))
    upper_kmh = counts.upper_bound / THOUSAND
    return accuracy_of(scale, weights_bias(users, users.shares, upper_kmh), upper_kmh)


def _moved(counts: HatCounts) -> int:
    """A rounded mean lies in [0, fine_ceil(U)], and a user has that many of them."""
    return counts.largest_pairs * fine_ceil(counts.upper_bound)


STATISTIC = Query1()
