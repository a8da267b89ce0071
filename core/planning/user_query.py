"""A query of relation `user` as a plan like any other; how many days of a vehicle count is missing."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from types import MappingProxyType

from core.bounding.constants import BoundingConstants
from core.errors import InputError
from core.grouping.plan_cache import PlanCache
from core.hats.window import Window
from core.planning.bounded_query import candidate_plans, plan_bounded_query
from core.planning.from_constants import FromConstants
from core.planning.plan_inputs import inputs_by_constants
from core.planning.query_plan import PlannedHat, Query
from core.privacy import Unit
from core.selection.base import CellColumns
from core.texts import text_of

ONE_DAY = 1
"""Days of a unit, where a query of relation `user` counts none apart, or the window has no more."""


def days_that_count(queries: Sequence[Query], unit: Unit, window: Window, typed: int | None) -> int:
    """The most days of a vehicle that count; typed: what somebody wrote, if anything.

    Raises InputError where a query needs what is not written.
    """
    if typed is not None:
        return typed
    by_day = [query.id for query in queries if query.question.statistic.counts_days]
    if by_day and unit is Unit.VEHICLE and window.days > ONE_DAY:
        raise InputError(
            "Query {by_day} counts a vehicle once on each of its days; how many days is missing.",
            by_day=by_day[0],
            where="privacy.days_per_vehicle",
            mend=text_of(
                "write a whole number from 1 to {days}, never one from the records", days=window.days
            ),
        )
    return ONE_DAY


def plan_user_query(
    query: Query,
    constants: BoundingConstants,
    threshold: int,
    delta: Decimal = Decimal(0),
    cell_columns: CellColumns = MappingProxyType({}),
    cache: PlanCache | None = None,
) -> FromConstants:
    """threshold: the noisy weight that publishes a HAT; delta: what the population allows.

    cell_columns: what the boundary's file says about cells, for an importance of that name. cache: of a
    caller that asks for the same plan again.

    Raises InputError for constants, a budget or public counts that cannot be.
    """
    inputs = inputs_by_constants(query, constants, threshold, delta, cell_columns)
    return (cache or PlanCache()).whole(
        inputs, 0, constants.candidates, lambda: _planned(query, constants, threshold, delta, cell_columns)
    )


def _planned(
    query: Query, constants: BoundingConstants, threshold: int, delta: Decimal, cell_columns: CellColumns
) -> FromConstants:
    bounded = plan_bounded_query(
        constants,
        threshold,
        query.budget,
        query.question,
        delta,
        query.public_counts,
        query.public_fleet,
        cell_columns,
    )
    candidates, grid = bounded.candidates, constants.window.grid
    columns = zip(candidates.cell.tolist(), candidates.slot.tolist(), candidate_plans(bounded), strict=True)
    return FromConstants(
        query=query,
        hats=tuple(
            PlannedHat(cell=cell, slot=slot, grid=grid, places=constants.places, index=-1, plan=plan)
            for cell, slot, plan in columns
        ),
        charge=bounded.charge,
        upper_bound=constants.upper_bound,
        bounded=bounded,
    )
