"""From a spec of relation `user` to its constants and plans: no record has a part in them (method 12.1)."""

from __future__ import annotations

from decimal import Decimal

from core.bounding.constants import BoundingConstants
from core.grouping.plan_cache import PlanCache
from core.planning.from_constants import FromConstants
from core.planning.user_query import days_that_count, plan_user_query
from core.spec import ReleaseSpec


def constants_of(spec: ReleaseSpec, *, derived: bool = False) -> BoundingConstants:
    """What the spec says in place of exact counts; derived: whether values follow from positions.

    Raises InputError for constants that bound nothing.
    """
    return BoundingConstants(
        unit=spec.unit,
        hats_per_vehicle=spec.hats_per_vehicle or 0,
        days_per_vehicle=days_that_count(spec.queries, spec.unit, spec.window, spec.days_per_vehicle),
        cells=spec.selection.cells,
        places=spec.place.listed(spec.selection.ids),
        window=spec.window,
        listed=spec.selection.hats,
        upper_bound=spec.data.rules.upper_bound,
        derived=derived,
    )


def plans_of(
    spec: ReleaseSpec, delta: Decimal, *, derived: bool = False, cache: PlanCache | None = None
) -> tuple[FromConstants, ...]:
    """One of each query; delta: what the population allows; derived: as above; cache: as `plan_user_query`.

    Raises InputError for what cannot be planned.
    """
    constants = constants_of(spec, derived=derived)
    return tuple(
        plan_user_query(query, constants, spec.selection.threshold or 0, delta, spec.selection.columns, cache)
        for query in spec.queries
    )
