"""Accuracy first in relation `user`: the total whose plan expects an acceptable error (method 12.9)."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from types import MappingProxyType

import numpy as np

from core.accounting.budgets import Budget
from core.advice.user_forecast import informed_by
from core.bounding.constants import BoundingConstants
from core.bounding.public_counts import PublicCounts
from core.planning.city_accuracy import ErrorGoal, no_budget_for, no_total_for_regions
from core.planning.query_plan import Query
from core.planning.smallest_budget import smallest_budget
from core.planning.user_query import plan_user_query
from core.progress import Progress, silent
from core.selection.base import CellColumns
from core.statistics.error_figures import error_scale


def user_total_for_error(
    query: Query,
    constants: BoundingConstants,
    threshold: int,
    wanted: float,
    *,
    public: PublicCounts | None = None,
    columns: CellColumns = MappingProxyType({}),
    delta: Decimal = Decimal(0),
    goal: ErrorGoal = ErrorGoal.MEDIAN,
    progress: Progress = silent,
) -> Budget:
    """The smallest total with two digits whose typical error in the goal's HAT is `wanted` at most.

    wanted: above 0, in the unit of the query's leading measure; public: of all candidates, where they are
    known; columns: as `plan_user_query` has them. C stays what it is. Raises InputError where no total is
    enough, and what `progress` raises.
    """
    if query.question.by_region:
        raise no_total_for_regions(query.id)

    def error_at(total: Decimal, _: Progress) -> float:
        tried = dataclasses.replace(query, budget=Budget(total=total))
        plan = plan_user_query(tried, constants, threshold, delta, columns)
        if public is not None:
            plan = informed_by(plan, public, constants)
        return goal.of(np.array([one.lead.typical_error for one in plan.plans]))

    found = smallest_budget(error_at, wanted, progress)
    if found is None:
        raise no_budget_for(wanted * error_scale(query.question.statistic.measures[0]), goal)
    return Budget(total=found)
