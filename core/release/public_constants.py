"""From a spec of relation `user` to its constants and plans: no record has a part in them (method 12.1)."""

from __future__ import annotations

from decimal import Decimal

from core.bounding.constants import BoundingConstants
from core.errors import InputError
from core.planning.query_plan import QueryPlan
from core.planning.user_query import plan_user_query
from core.privacy import Unit
from core.spec import ReleaseSpec

_DAYS = 1
"""Of a unit, where no query counts its days apart, or it has no more."""


def constants_of(spec: ReleaseSpec) -> BoundingConstants:
    """What the spec says in place of exact counts. Raises InputError for constants that bound nothing."""
    return BoundingConstants(
        unit=spec.unit,
        hats_per_vehicle=spec.hats_per_vehicle or 0,
        days_per_vehicle=_days_of(spec),
        cells=spec.selection.cells,
        window=spec.window,
        upper_bound=spec.data.rules.upper_bound,
    )


def _days_of(spec: ReleaseSpec) -> int:
    """The most days of a vehicle that count. Raises InputError where a query needs what is not said."""
    if spec.days_per_vehicle is not None:
        return spec.days_per_vehicle
    by_day = [query.id for query in spec.queries if query.question.statistic.counts_days]
    if by_day and spec.unit is Unit.VEHICLE and spec.window.days > _DAYS:
        raise InputError(
            f"Query {by_day[0]} counts a vehicle once on each of its days, and nothing says on how many.",
            where="privacy.days_per_vehicle",
            mend=f"write a whole number from 1 to {spec.window.days}, never one from the records",
        )
    return _DAYS


def plans_of(spec: ReleaseSpec, delta: Decimal) -> tuple[QueryPlan, ...]:
    """One of each query; delta: what the population allows. Raises InputError for what cannot be planned."""
    constants = constants_of(spec)
    return tuple(
        plan_user_query(query, constants, spec.selection.threshold or 0, delta, spec.selection.columns)
        for query in spec.queries
    )
