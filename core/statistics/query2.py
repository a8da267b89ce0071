"""Statistic `query2`: vehicles per day above a limit; limits, their histogram, epsilons (TR III.E)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.epsilon_rounding import plain
from core.arrays import Floats, Ints
from core.counted import count_of
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.grouping.m_ub import ALL_RECORDS
from core.grouping.suppression_field import suppress_users_field
from core.mechanisms.base import NoiseFactors
from core.mechanisms.noise_field import linear_noise_field, noise_field
from core.noise.laplace_normal import half_width_95, mean_absolute
from core.noise.source import NoiseSource
from core.parameter_fields import flag, numbers
from core.privacy import Relation
from core.quantity import MOST_OF_VALUE, SPEED, Quantity
from core.statistics.antitonic import antitonic
from core.statistics.base import (
    Estimate,
    HatCounts,
    HatPlan,
    HatRecords,
    Label,
    MadeBy,
    Measure,
    MeasurePlan,
    NoisyNumbers,
    Question,
    Statistic,
    SuppressionRule,
)
from core.statistics.gaussian_noise import (
    COUNT_UNIT,
    EXCHANGED,
    deviation_of,
    gaussian_facts,
    noisy_numbers,
    root_above,
)
from core.statistics.intervals import Interval, interval_around
from core.statistics.laplace_sums import expected_size, half_width
from core.texts import text_of

VEHICLES_ABOVE = Measure(
    name="vehicles_above_limit_per_day",
    low="ci95_low_vehicles",
    high="ci95_high_vehicles",
    bias="",
    suppression_bias="bias_bound_vehicles",
    unclamped="vehicles_above_limit_unclamped",
    deviation="noise_vehicles",
    unit="vehicles per day",
    decimals=6,
    description=(
        "Mean number of vehicles per day, days without records included, whose maximum {value} on the day "
        "is above the limit, with noise; empty if suppressed"
    ),
    largest=None,
)
_MILLION = 10**VEHICLES_ABOVE.decimals
_WHERE = "query.parameters, limits"
_OF_HISTOGRAM = "one histogram of daily maxima, with the HAT's whole epsilon, answers every limit"
_OF_EACH = "each limit is a query of its own, with an equal share of the HAT's epsilon in steps of 1e-6"
_RHO_OF_HISTOGRAM = "one histogram of daily maxima, with the HAT's whole rho, answers every limit"
_RHO_OF_EACH = "the counts of all limits are one vector, with the HAT's whole rho"


def _limits_field() -> Any:
    return numbers(
        (40.0, 50.0, 60.0),
        0.001,
        999.999,
        decimals=3,
        unit="km/h",
        label="Speed limits",
        help="A vehicle counts on a day when its maximum is above the limit; each is below U.",
    )


def _histogram_field() -> Any:
    return flag(
        False,
        label="One histogram",
        help="Release one histogram of daily maxima and answer every limit from it.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Query2Params:
    """Limits of the speed, how they are answered together, who stays in which HAT, and which noise."""

    limits: tuple[float, ...] = _limits_field()
    histogram: bool = _histogram_field()
    suppress_users: bool = suppress_users_field()
    noise: str = linear_noise_field()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedQuery2Params:
    """The same of relation `user`, and which noise."""

    limits: tuple[float, ...] = _limits_field()
    histogram: bool = _histogram_field()
    noise: str = noise_field()


@cache
def params_of(quantity: Quantity, base: type = Query2Params) -> type:
    """The parameters for a quantity: what limits make sense of another than speed, nobody can guess.

    base: those of speed.
    """
    if quantity.is_speed:
        return base
    limits = numbers(
        (),
        -MOST_OF_VALUE,
        MOST_OF_VALUE,
        decimals=3,
        unit=quantity.unit,
        label=quantity.named("Limits of the {value}"),
        help="A vehicle counts on a day when its maximum is above the limit; each lies between the bounds.",
    )
    return dataclasses.make_dataclass(
        base.__name__,
        [("limits", tuple[float, ...], limits)],
        bases=(base,),
        frozen=True,
        slots=True,
        kw_only=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Detail:
    """What `draw` needs of the public counts and the parameters."""

    limits: tuple[int, ...]
    """Thousandths above the lower bound, ascending."""
    shares: tuple[Decimal, ...]
    """What each limit spends; with a histogram the whole epsilon, which all limits share; of Gaussian noise
    none, which spends the rho of the HAT on all together."""
    histogram: bool
    moved: int
    """The most that one user moves a count, or all bins of the histogram together; of Gaussian noise all
    numbers together in L2."""
    unit: int
    """What 1 is of the noisy numbers: 1 pair, or a part of one."""
    terms: tuple[int, ...]
    """Noisy numbers that each limit's answer is the sum of."""
    deviations: tuple[float, ...]
    """Standard deviation of the noise of each limit's count, as counted."""
    widths: tuple[int, ...]
    """The noise of each limit's answer stays within so many units with probability 0.95."""
    pairs: int
    """Of the users who stay."""
    left: int | None
    """Pairs of those who left, each of which may be above every limit; None where nobody was asked to."""
    days: int

    @property
    def bias_bound(self) -> int | None:
        """Vehicles per day in integers of 1e-6, rounded up."""
        return None if self.left is None else -(-self.left * _MILLION // self.days)


class Query2(Statistic[Question[Query2Params], _Detail]):
    """Counts (vehicle, day) pairs above each limit and divides by the days of the window."""

    key: ClassVar[str] = "query2"
    title: ClassVar[str] = "Vehicles above a {value} limit (Query 2)"
    reference: ClassVar[str] = "TR III.E, Query 2"
    summary: ClassVar[str] = "How many vehicles a day are above a {value} limit at least once."
    method: ClassVar[str] = "query2"
    relations: ClassVar[frozenset[Relation]] = frozenset(Relation)
    counts_days: ClassVar[bool] = True
    takes_noise_scale: ClassVar[bool] = True
    usual_scales: ClassVar[tuple[str, str] | None] = ("0.5", "2")
    Params: ClassVar[type] = Query2Params
    BoundedParams: ClassVar[type | None] = BoundedQuery2Params
    table: ClassVar[str] = "vehicles_above_limit_by_hat"
    table_title: ClassVar[str] = "Vehicles above a {value} limit in every hexagon and timeslot"
    measures: ClassVar[tuple[Measure, ...]] = (VEHICLES_ABOVE,)
    label: ClassVar[Label | None] = Label(
        name="limit_{column_unit}",
        description="{Value} limit in {unit}; vehicles strictly above it count",
        counts_above=True,
    )

    def __init__(self, quantity: Quantity = SPEED) -> None:
        """The parameters are those of the quantity as well."""
        super().__init__(quantity)
        vars(self).update(Params=params_of(quantity), BoundedParams=params_of(quantity, BoundedQuery2Params))

    def labels_of(self, parameters: Mapping[str, Any], upper_bound: int) -> tuple[int, ...]:
        limits = require_limits(parameters["limits"], upper_bound, self.quantity)
        return tuple(limit + self.quantity.lower for limit in limits)

    def made_by(
        self, question: Question[Query2Params], plans: Sequence[HatPlan[_Detail]]
    ) -> Mapping[str, MadeBy]:
        noise = gaussian_facts(plan.rho for plan in plans)
        together, apart = (_RHO_OF_HISTOGRAM, _RHO_OF_EACH) if noise else (_OF_HISTOGRAM, _OF_EACH)
        return {**noise, "budget_of_limits": together if question.params.histogram else apart}

    def scale(self, counts: HatCounts, question: Question[Query2Params]) -> float | None:
        return self.numbers(counts, question).scale

    def numbers(self, counts: HatCounts, question: Question[Query2Params]) -> NoisyNumbers:
        """A limit's share is a part of the epsilon, a histogram's is all of it."""
        limits = require_limits(question.params.limits, counts.upper_bound, self.quantity)
        return NoisyNumbers(
            sensitivity=sensitivity_vehicles(counts, question.params),
            parts=1 if question.params.histogram else len(limits),
        )

    def equal_numbers(self, question: Question[Query2Params]) -> float:
        """As many as limits; of a histogram by the answer with the most bins."""
        limits = len(question.params.limits)
        if not question.params.histogram:
            return limits
        terms = max(terms_of(limits))
        return expected_size(terms, 2.0) ** 2 / (EXCHANGED * terms)

    def noise_factors(self, parameters: Mapping[str, Any]) -> NoiseFactors:
        """As many as limits, which share the epsilon; one for the histogram that answers all of them."""
        if not parameters:
            return (1.0, math.inf)
        parts = 1.0 if parameters["histogram"] else float(len(parameters["limits"]))
        return (parts, parts)

    def suppression(self, question: Question[Query2Params], upper_bound: int) -> SuppressionRule | None:
        """Errors of all limits together, as shares of the pairs that a HAT holds: its range."""
        params = question.params
        if not params.suppress_users:
            return None
        limits = len(require_limits(params.limits, upper_bound, self.quantity))
        terms, moved = (terms_of(limits), 2) if params.histogram else ((1,) * limits, limits)
        noise = sum(expected_size(term, moved) for term in terms)
        return SuppressionRule(
            m_ub=ALL_RECORDS, errors=partial(limit_errors, limits, noise), cap=limits / 2.0, of_pairs=True
        )

    def plan(self, counts: HatCounts, epsilon: Decimal, question: Question[Query2Params]) -> HatPlan[_Detail]:
        """Raises InputError for a limit of U or more, and for an epsilon with too few steps to divide."""
        params = question.params
        limits = require_limits(params.limits, counts.upper_bound, self.quantity)
        moved = int(sensitivity_vehicles(counts, params) * counts.days)
        shares = (epsilon,) * len(limits) if params.histogram else equal_shares(epsilon, len(limits))
        terms = _terms(params, len(limits))
        scales = [moved / float(share) for share in shares]
        detail = _Detail(
            limits=limits,
            shares=shares,
            histogram=params.histogram,
            moved=moved,
            unit=1,
            terms=terms,
            deviations=tuple(
                scale * math.sqrt(2.0 * term) for term, scale in zip(terms, scales, strict=True)
            ),
            widths=tuple(half_width(*noise) for noise in zip(terms, scales, strict=True)),
            pairs=counts.pairs,
            left=None if counts.suppressed is None else counts.pairs_left,
            days=counts.days,
        )
        size = max(expected_size(*noise) for noise in zip(terms, scales, strict=True))
        return _hat_plan(counts, detail, epsilon, Decimal(0), scale=max(scales), size=size)

    def plan_gaussian(
        self, counts: HatCounts, rho: Decimal, epsilon: Decimal, question: Question[Query2Params]
    ) -> HatPlan[_Detail]:
        """Raises InputError for a limit of U or more."""
        params = question.params
        limits = require_limits(params.limits, counts.upper_bound, self.quantity)
        moved, terms = l2_sensitivity(counts, params), _terms(params, len(limits))
        deviations = [deviation_of(moved, rho) * math.sqrt(one) for one in terms]
        detail = _Detail(
            limits=limits,
            shares=(),
            histogram=params.histogram,
            moved=moved,
            unit=COUNT_UNIT,
            terms=terms,
            deviations=tuple(deviations),
            widths=tuple(math.ceil(half_width_95(0.0, one)) for one in deviations),
            pairs=counts.pairs,
            left=None,
            days=counts.days,
        )
        size = mean_absolute(0.0, max(deviations))
        return _hat_plan(counts, detail, epsilon, rho, scale=deviation_of(moved, rho), size=size)

    def gaussian_vector(self, plan: HatPlan[_Detail]) -> tuple[int, int]:
        return plan.detail.moved, len(plan.detail.limits) + plan.detail.histogram

    def draw(self, plan: HatPlan[_Detail], data: HatRecords, noise: NoiseSource) -> tuple[Estimate, ...]:
        """One estimate a limit, ascending, none larger than the one before.

        The counts are fitted to a sequence that never rises and clamped to [0, N]: free, for the truth is
        such a sequence. The interval is that of the noise about the noisy count before fit and clamping, so
        that it keeps its probability for each limit; it is stretched to the fitted value outside of it, and
        upwards by the pairs of users who left.
        """
        detail = plan.detail
        answers = _from_histogram if detail.histogram else _one_by_one
        counts = answers(detail, data.pairs.maxima, noise, plan.rho)
        estimates = []
        for place, (count, fitted) in enumerate(zip(counts, antitonic(counts), strict=True)):
            value = _per_day(fitted, detail)
            low, high, informative = _interval(count, detail.widths[place], detail)
            estimates.append(
                Estimate(
                    measure=self.measures[0].name,
                    value=value,
                    low=min(value, low),
                    high=max(value, high),
                    unclamped=round(Fraction(count * _MILLION, detail.days * detail.unit)),
                    informative=informative,
                    bias_bound=detail.bias_bound,
                    label=detail.limits[place],
                    deviation=round(detail.deviations[place] * _MILLION / (detail.days * detail.unit)),
                )
            )
        return tuple(estimates)


def sensitivity_vehicles(counts: HatCounts, params: Query2Params) -> Fraction:
    """The most that the values of one user move one limit's answer, or the histogram in L1; exact.

    `1 / days` for a vehicle on one day, `1 / days` times its days in the HAT for a vehicle: all its maxima
    may change. In a histogram each of them leaves one bin for another. Source: TR III.E; method 8.
    """
    return Fraction((2 if params.histogram else 1) * counts.largest_pairs, counts.days)


def l2_sensitivity(counts: HatCounts, params: Query2Params) -> int:
    """The most that the values of one user move all numbers together in L2, a pair being `COUNT_UNIT`.

    A pair is above every limit or above none: each of J counts moves by the user's pairs together. In a
    histogram all of them may leave one bin for one other. Source: method 8.4.
    """
    numbers = EXCHANGED if params.histogram else len(params.limits)
    return root_above(numbers * (counts.largest_pairs * COUNT_UNIT) ** 2)


def limit_errors(
    limits: int, noise: float, retained: Ints, largest: Ints, pairs: Ints, epsilon: Floats
) -> Floats:
    """Worst-case bias plus expected noise of the answers of all limits, as shares of a HAT's pairs.

    noise: expected size of the noises on all answers together, in pairs, where a user has one pair and
    epsilon is 1. retained: n pairs; largest: the most of one user; pairs: N of everyone; all of
    one shape with epsilon. Publishing half of the pairs for each limit misses `limits / 2` at worst.
    """
    n, k, m = (array.astype(np.float64) for array in (retained, largest, pairs))
    errors: Floats = limits * (1.0 - n / m) + noise * k / (m * epsilon)
    return errors


def require_limits(limits: Sequence[float], upper_bound: int, quantity: Quantity = SPEED) -> tuple[int, ...]:
    """The limits in thousandths above the lower bound, ascending. Raises InputError for others.

    Values are clamped to the bounds: no record could be above a limit at the upper one.
    """
    found = sorted(round(Decimal(repr(float(limit))) * THOUSAND) for limit in limits)
    inside = tuple(limit - quantity.lower for limit in found)
    if inside[-1] >= upper_bound:
        raise _no_limit(found[-1], "below", "upper", quantity.lower + upper_bound, quantity)
    if inside[0] <= 0:
        raise _no_limit(found[0], "above", "lower", quantity.lower, quantity)
    return inside


def _no_limit(limit: int, side: str, end: str, bound: int, quantity: Quantity) -> InputError:
    title, unit = quantity.title, quantity.unit
    key = "data.upper_bound_kmh" if quantity.is_speed else f"data.value.{end}"
    move = "raise" if end == "upper" else "lower"
    return InputError(
        "A {title} limit of {value} {unit} is not {side} the {end} bound{value2}",
        title=title,
        value=f"{limit / THOUSAND:g}",
        unit=unit,
        side=side,
        end=end,
        value2=" U." if quantity.is_speed else ".",
        where=_WHERE,
        mend=text_of(
            "write limits {side} {value} {unit}, or {move} {key}",
            side=side,
            value=f"{bound / THOUSAND:g}",
            unit=unit,
            move=move,
            key=key,
        ),
    )


def equal_shares(epsilon: Decimal, parts: int) -> tuple[Decimal, ...]:
    """An epsilon divided into shares of whole steps of 1e-6 that differ by one step, larger ones first.

    Together they are exactly `epsilon`. Raises InputError when there are fewer steps than parts.
    """
    share, left = divmod(int(epsilon / EPSILON_STEP), parts)
    if share < 1:
        raise InputError(
            "An epsilon of {epsilon} divided over {counted_limits} leaves nothing for each.",
            epsilon=plain(epsilon),
            counted_limits=count_of(parts, "limit"),
            where=_WHERE,
            mend="raise the epsilon, list fewer limits, or write histogram = true",
        )
    return tuple((share + (place < left)) * EPSILON_STEP for place in range(parts))


def _hat_plan(
    counts: HatCounts, detail: _Detail, epsilon: Decimal, rho: Decimal, *, scale: float, size: float
) -> HatPlan[_Detail]:
    """scale: the largest of one noisy number; size: the largest expected one of an answer; both in units."""
    per_day = detail.unit * counts.days
    error, bias = size / per_day, counts.pairs_left / counts.days
    measure = MeasurePlan(
        sensitivity=detail.moved / per_day,
        noise_scale=scale / per_day,
        bias_bound=bias,
        typical_error=error + bias / 2.0,  # a pair that is not counted was above a limit, or was not
        error_at_worst=error + bias,
        largest=(counts.pairs + counts.pairs_left) / counts.days,
    )
    return HatPlan(epsilon=epsilon, measures=(measure,), m_ub=None, detail=detail, rho=rho)


def _terms(params: Query2Params, limits: int) -> tuple[int, ...]:
    return terms_of(limits) if params.histogram else (1,) * limits


def terms_of(limits: int) -> tuple[int, ...]:
    """For each limit the bins of the shorter side: above it, or (the total is public) up to it."""
    return tuple(min(place + 1, limits - place) for place in range(limits))


def daily_maxima(maxima: NDArray[np.int64], limits: tuple[int, ...]) -> NDArray[np.int64]:
    """Pairs in each bin (edge before, edge], edges 0, limits, U; 0 itself is in the first bin.

    maxima: shape (N,), thousandths. Returns shape (limits + 1,).
    """
    return np.bincount(np.searchsorted(np.array(limits), maxima, side="left"), minlength=len(limits) + 1)


def _one_by_one(detail: _Detail, maxima: NDArray[np.int64], noise: NoiseSource, rho: Decimal) -> list[int]:
    """Noisy pairs above each limit, each a query with its own share; of Gaussian noise one vector."""
    if rho:
        above = np.array([int((maxima > limit).sum()) for limit in detail.limits])
        drawn: list[int] = noisy_numbers(noise, above * detail.unit, detail.moved, rho).tolist()
        return drawn
    return [
        int(noise.laplace(int((maxima > limit).sum()), detail.moved, spend=share)[0])
        for limit, share in zip(detail.limits, detail.shares, strict=True)
    ]


def _from_histogram(
    detail: _Detail, maxima: NDArray[np.int64], noise: NoiseSource, rho: Decimal
) -> list[int]:
    """Noisy pairs above each limit, from one noisy histogram and the public number of pairs."""
    exact = daily_maxima(maxima, detail.limits)
    if rho:
        noisy = noisy_numbers(noise, exact * detail.unit, detail.moved, rho)
    else:
        noisy = noise.laplace_vector(exact, detail.moved, spend=detail.shares[0])
    bins = noisy.reshape(-1, exact.size)[0].tolist()
    above = []
    for place, terms in enumerate(detail.terms):
        lower, upper = bins[: place + 1], bins[place + 1 :]
        above.append(sum(upper) if len(upper) == terms else detail.pairs * detail.unit - sum(lower))
    return above


def _interval(count: int, width: int, detail: _Detail) -> Interval:
    """What lies within `width` of the noisy count, as vehicles per day, rounded outwards.

    Those who left may all have been above the limit.
    """
    low, high, informative = interval_around(count, width, largest=detail.pairs * detail.unit)
    high += (detail.left or 0) * detail.unit
    per_day = detail.days * detail.unit
    return Interval(low * _MILLION // per_day, -(-high * _MILLION // per_day), informative)


def _per_day(count: Fraction, detail: _Detail) -> int:
    """A count as vehicles per day, clamped to what the public pairs allow, in integers of 1e-6."""
    clamped = min(max(count, Fraction(0)), Fraction(detail.pairs * detail.unit))
    return round(Fraction(clamped * _MILLION, detail.days * detail.unit))


STATISTIC = Query2()
