"""Typical error at the slider's stops of the budget: what less of it, or more, brings (method 10.5)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from core.accounting.budgets import EPSILON_STOPS
from core.advice.accuracy_first import city_outline
from core.advice.smoothed import with_expected_error
from core.advice.usefulness import Usefulness, good_error, usefulness
from core.advice.user_forecast import PublicChoices
from core.advice.verdict import verdict_of
from core.city.smoothing_sample import SOLVED_WHOLE
from core.errors import InputError
from core.mechanisms.smooth_field import SMOOTH
from core.planning.city_accuracy import SAMPLED_HATS, ErrorGoal, no_total_for_regions
from core.planning.counted_city import CountedCity
from core.planning.query_plan import Query, QueryPlan, error_of_a_constant
from core.planning.values_query import plan_query
from core.privacy import Confidential
from core.progress import Progress, part, silent

_USUAL = (Decimal("0.1"), Decimal(100))
"""Amounts that every curve spans."""
_EVERY = 2
"""Stops of the budget's slider between two points of the curve: 1, 2 and 5 of each power of ten."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ErrorPoint(Confidential):
    """What one amount of the budget brings, from public facts alone."""

    amount: Decimal
    error: float
    """Of the median number that readers see, in the measure's unit."""
    usefulness: Usefulness


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ErrorCurve(Confidential):
    """Errors of a query by amounts of its budget, and where the verdict changes."""

    points: tuple[ErrorPoint, ...]
    """By ascending amount; that of the plan is among them."""
    chosen: int
    """Which of them is the plan's."""
    good: float | None
    """The largest error that is good; None where nothing public tells one."""
    constant: float | None
    """From this error on the numbers are no use; None as above."""
    sampled: int = 0
    """HATs that the errors of other amounts come from; 0: all of them."""


def amounts_around(amount: Decimal) -> tuple[Decimal, ...]:
    """Where a curve is computed: round amounts, as far as the chosen one and a step beyond it."""
    low, high = min(amount, _USUAL[0]), max(amount, _USUAL[1])
    return tuple(stop for stop in EPSILON_STOPS[::_EVERY] if low <= stop <= high)


def error_curve(plan: QueryPlan, others: Iterable[ErrorPoint] = ()) -> ErrorCurve:
    """The curve through other points and that of the plan, which publishes some HAT."""
    verdict = verdict_of(plan)
    own = ErrorPoint(amount=plan.query.budget.amount, error=verdict.error, usefulness=verdict.usefulness)
    points = sorted((own, *(one for one in others if one.amount != own.amount)), key=lambda one: one.amount)
    good, constant = _bands(plan)
    large = plan.query.question.outlined and verdict.smoothed and len(plan.plans) > SOLVED_WHOLE
    return ErrorCurve(
        points=tuple(points),
        chosen=points.index(own),
        good=good,
        constant=constant,
        sampled=SAMPLED_HATS if large else 0,
    )


def points_by_counts(
    plan: QueryPlan, city: CountedCity, progress: Progress = silent
) -> tuple[ErrorPoint, ...]:
    """Of a plan in relation `values`, by public counts; a joint release by its outline.

    Raises InputError where no amount can be planned, and what `progress` raises.
    """
    query, city = plan.query, city.cached()
    if query.question.by_region:
        raise no_total_for_regions(query.id)
    if not query.question.outlined:

        def planned(asked: Query, ahead: Progress) -> ErrorPoint:
            return _point_of(with_expected_error(plan_query(city, asked, ahead), ahead))

        return _points(query, planned, progress)
    outline = city_outline(city, query, part(progress, 0.0, 0.1))
    (good, constant), empty = _bands(plan), verdict_of(plan).empty
    smoothed = getattr(query.question.params, SMOOTH)

    def outlined(asked: Query, ahead: Progress) -> ErrorPoint:
        amount = asked.budget.amount
        weights = outline.as_planned(amount, ahead)
        error, _ = weights.error(amount, ErrorGoal.MEDIAN, smoothed=smoothed)
        word = usefulness(error, good=good, constant=constant, empty=empty)
        return ErrorPoint(amount=amount, error=error, usefulness=word)

    return _points(query, outlined, part(progress, 0.1, 1.0))


def points_by_constants(
    plan: QueryPlan, choices: PublicChoices, progress: Progress = silent
) -> tuple[ErrorPoint, ...]:
    """Of a plan in relation `user`: no record has a part in it. Raises as `points_by_counts`."""
    if plan.query.question.by_region:
        raise no_total_for_regions(plan.query.id)
    planned = choices.planner(progress)
    return _points(plan.query, lambda asked, _: _point_of(planned(asked)), progress)


def _point_of(plan: QueryPlan) -> ErrorPoint:
    curve = error_curve(plan)
    return curve.points[curve.chosen]


def _bands(plan: QueryPlan) -> tuple[float | None, float | None]:
    """The largest good error, and the least one that is no use."""
    constant = error_of_a_constant(plan)
    return good_error(plan.query.question.statistic.measures[0], constant), constant


def _points(
    query: Query, at: Callable[[Query, Progress], ErrorPoint], progress: Progress
) -> tuple[ErrorPoint, ...]:
    """Without the amounts that buy no noise. Raises InputError where none does."""
    found: list[ErrorPoint] = []
    problem: InputError | None = None
    amounts = amounts_around(query.budget.amount)
    for number, amount in enumerate(amounts):
        ahead = part(progress, number / len(amounts), (number + 1) / len(amounts))
        ahead(0.0, "Computing the errors")
        try:
            asked = dataclasses.replace(query, budget=query.budget.of_amount(amount))
            found.append(at(asked, ahead))
        except InputError as refused:
            problem = refused
    if problem is not None and not found:
        raise problem
    return tuple(found)
