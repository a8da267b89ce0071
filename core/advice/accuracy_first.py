"""From the error that is acceptable to the budget that it takes, by public counts alone (method 10.6)."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from core.accounting.budgets import Budget
from core.advice.smoothed import with_expected_error
from core.mechanisms.public_model import FORETOLD_WITHIN
from core.mechanisms.smooth_field import SMOOTH
from core.planning.city_accuracy import (
    CityOutline,
    ErrorGoal,
    no_budget_for,
    no_total_for_regions,
    outline_city,
    totals_for_error,
)
from core.planning.city_query import joint_city, require_shared_total
from core.planning.counted_city import CountedCity
from core.planning.linear_noise import require_noise
from core.planning.query_plan import Query
from core.planning.smallest_budget import AMOUNTS, smallest_budget
from core.planning.values_query import plan_query, publishable
from core.progress import Progress, part, silent
from core.statistics.error_figures import error_scale
from core.statistics.share import ShareParams, asked_ranges
from core.texts import text_of

_SOLVING = 0.2
"""Part of the work on the budget of an acceptable error: what is solved once for a joint release."""


class FoundBudget(NamedTuple):
    """What an acceptable error takes."""

    budget: Budget
    if_better: Decimal | None = None
    """What is enough if smoothing does as much better as it may; None where nothing is smoothed."""


def budget_for_error(
    city: CountedCity,
    query: Query,
    wanted: float,
    *,
    goal: ErrorGoal = ErrorGoal.MEDIAN,
    smoothed: bool = False,
    progress: Progress = silent,
) -> FoundBudget:
    """The smallest budget of the query's kind whose typical error in the goal's HAT is `wanted` at most.

    wanted: above 0, in the unit of the query's leading measure; smoothed: of the smoothed number, where there
    is one. Found by halving, as errors fall with epsilon and grow with a noise scale. Raises
    InputError where no budget is enough, and for what none can buy.
    """
    city, params = city.cached(), query.question.params
    smoothed = smoothed and getattr(params, SMOOTH, False)
    if query.question.by_region:
        raise no_total_for_regions(query.id)
    if query.question.outlined:
        require_shared_total(query.budget, city.users.unit)
        outline = city_outline(city, query, part(progress, 0.0, _SOLVING))
        searching = part(progress, _SOLVING, 1.0)
        totals = totals_for_error(outline, wanted, goal, smoothed=smoothed, progress=searching)
        if_better = totals.if_better if smoothed else None
        return FoundBudget(query.budget.of_amount(totals.total), if_better)
    amounts = AMOUNTS if query.budget.noise_scale is None else AMOUNTS[::-1]
    require_noise(query.question, query.budget.of_amount(amounts[-1]), city.delta)
    known: dict[Decimal, float] = {}

    def error_at(amount: Decimal, ahead: Progress) -> float:
        if amount not in known:
            plan = plan_query(city, dataclasses.replace(query, budget=query.budget.of_amount(amount)))
            found = with_expected_error(plan, ahead).smoothed_errors if smoothed else None
            known[amount] = goal.of(np.array(found or [one.lead.typical_error for one in plan.plans]))
        return known[amount]

    found = smallest_budget(error_at, wanted, progress, amounts)
    if found is None:
        scale = error_scale(query.question.statistic.measures[0])
        raise no_budget_for(wanted * scale, goal, text_of("query {id}", id=query.id))
    better = None
    if smoothed:
        less = amounts[: amounts.index(found) + 1]
        better = smallest_budget(error_at, wanted * FORETOLD_WITHIN, progress, less)
    return FoundBudget(query.budget.of_amount(found), better)


def city_outline(city: CountedCity, query: Query, progress: Progress = silent) -> CityOutline:
    """The outline of a joint query. Raises InputError where it cannot be planned."""
    params, ranges, published = query.question.params, None, publishable(city)
    if isinstance(params, ShareParams):
        ranges = asked_ranges(params, query.question.statistic.quantity.lower, city.users.upper_bound)
        params = params.tokens
    joint = joint_city(city, published, query, params, query.former_spreads)
    return outline_city(joint, city.delta, progress, ranges=ranges)
