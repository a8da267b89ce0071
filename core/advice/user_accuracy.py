"""Accuracy first in relation `user`: the total whose plan expects an acceptable error (method 12.9)."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np

from core.accounting.budgets import Budget
from core.advice.user_forecast import PublicChoices
from core.planning.city_accuracy import ErrorGoal, no_budget_for, no_total_for_regions
from core.planning.query_plan import Query
from core.planning.smallest_budget import smallest_budget
from core.progress import Progress, silent
from core.statistics.error_figures import error_scale


def user_total_for_error(
    choices: PublicChoices,
    query: Query,
    wanted: float,
    *,
    goal: ErrorGoal = ErrorGoal.MEDIAN,
    progress: Progress = silent,
) -> Budget:
    """The smallest total with two digits whose typical error in the goal's HAT is `wanted` at most.

    wanted: above 0, in the unit of the query's leading measure. C stays what it is. Raises InputError where
    no total is enough or public counts do not fit, and what `progress` raises.
    """
    if query.question.by_region:
        raise no_total_for_regions(query.id)
    planned = choices.planner(progress)

    def error_at(total: Decimal, _: Progress) -> float:
        plan = planned(dataclasses.replace(query, budget=Budget(total=total)))
        return goal.of(np.array([one.lead.typical_error for one in plan.plans]))

    found = smallest_budget(error_at, wanted, progress)
    if found is None:
        raise no_budget_for(wanted * error_scale(query.question.statistic.measures[0]), goal)
    return Budget(total=found)
