"""From the error that is acceptable to the budget that it takes, by public counts alone (method 10.6)."""

from __future__ import annotations

import dataclasses
from bisect import bisect_left
from decimal import Decimal

from core.accounting.budgets import Budget
from core.contributions import Contributions, UserTable
from core.errors import InputError
from core.grouping.plan_cache import PlanCache
from core.planning.query_plan import Query, plan_query, query_errors
from core.progress import Progress, silent
from core.selection.base import Selection

AMOUNTS = tuple(Decimal(digits).scaleb(power) for power in range(-3, 3) for digits in range(10, 100))
"""Budgets with two digits, from 0.01 to 9,900: the steps of the search."""


def budget_for_error(
    contributions: Contributions,
    users: UserTable,
    selection: Selection,
    query: Query,
    wanted: float,
    *,
    minimum_vehicles: int,
    progress: Progress = silent,
    cache: PlanCache | None = None,
) -> Budget:
    """The smallest budget of the query's kind whose typical error in the median HAT is `wanted` at most.

    wanted: above 0, in the unit of the query's leading measure. Found by halving, as errors fall with
    epsilon and grow with a noise scale. Raises InputError where no budget is enough.
    """
    amounts = AMOUNTS if query.budget.noise_scale is None else AMOUNTS[::-1]
    kept, asked = cache or PlanCache(), 0

    def enough(amount: Decimal) -> bool:
        nonlocal asked
        progress(asked / len(AMOUNTS).bit_length(), "Looking for the budget")
        asked += 1
        try:
            plan = plan_query(
                contributions,
                users,
                selection,
                dataclasses.replace(query, budget=_with(query.budget, amount)),
                minimum_vehicles=minimum_vehicles,
                cache=kept,
            )
        except InputError:  # so little that nothing is left for a HAT
            return False
        return query_errors(plan.plans).typical.median <= wanted

    place = bisect_left(amounts, True, key=enough)
    if place == len(amounts):
        raise InputError(
            f"No budget brings the typical error of the median HAT to {wanted:g}.",
            where=f"query {query.id}",
            mend="accept a larger error, or choose coarser hexagons, longer slots or another mechanism",
        )
    return _with(query.budget, amounts[place])


def _with(budget: Budget, amount: Decimal) -> Budget:
    if budget.per_hat is not None:
        return dataclasses.replace(budget, per_hat=amount)
    if budget.noise_scale is not None:
        return dataclasses.replace(budget, noise_scale=amount)
    return dataclasses.replace(budget, total=amount)
