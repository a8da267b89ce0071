"""A joint release of tokens as plans by HAT: its total, unit, and a boundary's importance numbers."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.accounting.budgets import Budget
from core.arrays import Floats
from core.city.city_charge import city_charge, hat_epsilons
from core.city.city_draw import LOOKS, CityDraw, draw_city
from core.city.city_pairs import CityPairs, city_pairs
from core.city.city_places import CityPlaces
from core.city.city_plan import CityBudget, CityPlan, JointCity, plan_city
from core.city.region_plan import plan_regions
from core.city.vehicle_sums import vehicle_sums
from core.contributions import Contributions, UserTable
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.mechanisms.covariate import PublicSign
from core.mechanisms.tokens import BY_VEHICLES, EQUAL_IMPORTANCE, TokensParams
from core.noise.source import Scopes
from core.planning.counted_city import CountedCity
from core.planning.planning_room import require_room_for
from core.privacy import Allowance, Charge, Unit
from core.progress import Progress
from core.selection.base import CellColumns
from core.statistics.base import Estimate, HatPlan, MeasurePlan
from core.statistics.intervals import interval_around, outwards
from core.texts import text_of

if TYPE_CHECKING:
    from core.planning.query_plan import Query  # verifying needs the rest of this file, and no plan


def plan_city_query(
    city: CountedCity, published: NDArray[np.bool_], query: Query, params: TokensParams, progress: Progress
) -> tuple[CityPlan, Charge]:
    """The joint plan of the published HATs, shape (G,), by these tokens, and what it costs.

    Raises InputError for a budget that is no total, a unit with nothing to share out, and as `joint_city`.
    """
    budget, joint = shared_budget(city, query), joint_city(city, published, query, params)
    plan = plan_city(joint, np.flatnonzero(published), budget, progress)
    return plan, city_charge(plan, city.contributions)


def joint_city(
    city: CountedCity,
    published: NDArray[np.bool_],
    query: Query,
    params: TokensParams,
    former_spreads: tuple[float, ...] = (),
) -> JointCity:
    """What a joint release of the published HATs, shape (G,), is made from; former_spreads: as `CityPlaces`.

    Raises InputError for a city too large for this machine, or an importance that the boundary's file says
    nothing of.
    """
    contributions, users, columns = city.contributions, city.users, city.selection.columns
    require_room_for(contributions, published, params.mode)
    pairs = city_pairs(users, published)
    sign = pairs.records_per_visit(speeds=query.question.of_speeds)
    places = places_of(contributions, published, sign, former_spreads)
    importance = importance_of(pairs, contributions.cell[published], params.importance, columns)
    return JointCity(pairs, places, users.upper_bound, params, importance)


def plan_region_query(
    city: CountedCity, chosen: NDArray[np.bool_], query: Query, progress: Progress
) -> tuple[CityPlan, Charge]:
    """Regions of the chosen HATs, shape (G,), and what they cost; InputError as for `plan_city_query`."""
    contributions, params, budget = city.contributions, query.question.params, shared_budget(city, query)
    require_room_for(contributions, chosen, params.mode)
    plan = plan_regions(contributions, city.users, chosen, budget, params, city.minimum_vehicles, progress)
    return plan, city_charge(plan, contributions)


def shared_budget(city: CountedCity, query: Query) -> CityBudget:
    """The total to share out. Raises as `require_shared_total`."""
    return CityBudget(epsilon=require_shared_total(query.budget, city.users.unit), delta=city.delta)


def require_shared_total(budget: Budget, unit: Unit) -> Decimal:
    """The total to share out. Raises InputError for another budget, or a unit that has nothing to share."""
    if budget.total is None:
        raise InputError(
            "Tokens divide one total per vehicle over all hexagon slots and take no epsilon for each.",
            where="query.epsilon",
            mend='write for instance total = "10" instead',
        )
    if unit is Unit.VEHICLE_HAT_DAY:
        raise InputError(
            "With unit vehicle-hat-day every vehicle is in one hexagon slot, so there is no total to divide.",
            where="privacy.unit",
            mend="choose unit vehicle or vehicle-day, or another mechanism",
        )
    return budget.total


def places_of(
    contributions: Contributions,
    published: NDArray[np.bool_],
    sign: PublicSign,
    former_spreads: tuple[float, ...] = (),
) -> CityPlaces:
    """Where and when the published HATs are; sign: of each of them; former_spreads: as `CityPlaces`."""
    chosen, grid = np.flatnonzero(published), contributions.window.grid
    return CityPlaces(
        cells=contributions.cell[chosen].astype(np.int64),
        hours=np.array([grid.middle(slot) for slot in contributions.slot[chosen].tolist()]),
        ids=tuple(contributions.hat_name(index) for index in chosen.tolist()),
        sign=sign,
        places=contributions.places,
        group=grid.combinations(contributions.slot[chosen].tolist()),
        former_spreads=former_spreads,
    )


def importance_of(
    pairs: CityPairs, cells: NDArray[np.uint64], importance: str, columns: CellColumns
) -> Floats | None:
    """How much each HAT matters, shape (G,); None: all alike. cells: of the HATs."""
    if importance == EQUAL_IMPORTANCE:
        return None
    if importance == BY_VEHICLES:
        return pairs.by_hat(np.ones(pairs.hat.size))
    column = columns.get(importance, {})
    found = [column.get(cell, 0.0) for cell in cells.tolist()]
    if not all(found):
        known = ", ".join(sorted(columns)) or "none"
        raise InputError(
            "The boundary has no positive number called {importance} for every published hexagon.",
            importance=f"{importance!r}",
            where="query.parameters, importance",
            mend=text_of(
                "give every polygon one, or choose another (numbers that it has: {known}), or write "
                'importance = "{equal_importance}"',
                known=known,
                equal_importance=EQUAL_IMPORTANCE,
            ),
        )
    return np.array(found)


def city_hat_plans(plan: CityPlan) -> dict[int, HatPlan[None]]:
    """Number of a HAT in the contributions, or of a region -> what is planned of it."""
    bias = plan.expected_bias
    columns = zip(
        plan.hat_index.tolist(),
        hat_epsilons(plan),
        (plan.upper_kmh * plan.largest / plan.divisors).tolist(),
        plan.scale.tolist(),
        plan.bias_bound.tolist(),
        plan.typical_error.tolist(),
        plan.error_at_worst.tolist(),
        bias.typical.tolist(),
        bias.interval.tolist(),
        strict=True,
    )
    return {
        index: HatPlan(
            epsilon=epsilon,
            measures=(
                MeasurePlan(
                    sensitivity=sensitivity,
                    noise_scale=scale,
                    bias_bound=bias_bound,
                    typical_error=typical_error,
                    error_at_worst=error_at_worst,
                    typical_bias=typical_bias,
                    interval_bias=interval_bias,
                ),
            ),
            m_ub=None,
            detail=None,
        )
        for (
            index,
            epsilon,
            sensitivity,
            scale,
            bias_bound,
            typical_error,
            error_at_worst,
            typical_bias,
            interval_bias,
        ) in columns
    }


def city_allowances(plan: CityPlan, scope: str) -> tuple[Allowance, ...]:
    """What the noise of the whole vector, or of each look at it, may spend."""
    if plan.looks is not None:
        amounts = (plan.looks.first, plan.looks.second)
        return tuple(
            Allowance(scope=_scope(scope, look), epsilon=Decimal(0), rho=rho)
            for look, rho in zip(LOOKS, amounts, strict=True)
        )
    if plan.noise.squared:
        return (Allowance(scope=scope, epsilon=Decimal(0), rho=plan.spend),)
    return (Allowance(scope=scope, epsilon=plan.spend),)


def _scope(query_id: str, look: str) -> str:
    return f"{query_id} {look}" if look else query_id


def draw_city_query(
    plan: CityPlan, users: UserTable, noise: Scopes, scope: str, measure: str
) -> tuple[dict[int, tuple[Estimate, ...]], CityDraw]:
    """Number of a HAT in the contributions, or of a region -> its numbers; and what was drawn, (G,).

    scope: what allowances are called after; measure: what the numbers are called.
    """
    drawn = draw_city(
        plan,
        vehicle_sums(users, plan.columns(users.first.size - 1)),
        lambda look: noise.scope(_scope(scope, look)),
    )
    decided = plan.looks is not None  # by drawing: what one look misses is known beforehand
    half_width = plan.noise.half_width(drawn.scale, drawn.bias.interval) if decided else plan.half_width
    columns = zip(
        plan.hat_index.tolist(),
        drawn.unclamped.tolist(),
        half_width.tolist(),
        plan.bound_of(drawn.bias).tolist(),
        drawn.bias.typical.tolist(),
        plan.effective_vehicles.tolist(),
        np.sqrt(plan.noise.variance(drawn.scale) + drawn.bias.interval**2).tolist(),
        strict=True,
    )
    estimates: dict[int, tuple[Estimate, ...]] = {
        index: (_estimate(plan, measure, centre, *figures),) for index, centre, *figures in columns
    }
    return estimates, drawn


def _estimate(
    plan: CityPlan,
    measure: str,
    centre: int,
    half_width: float,
    bias_bound: float,
    modelled: float,
    effective: float,
    deviation: float,
) -> Estimate:
    """In thousandths of the unit, from the unclamped mean."""
    low, high, informative = interval_around(
        centre, outwards(half_width * THOUSAND), largest=plan.upper_bound
    )
    return Estimate(
        measure=measure,
        value=min(max(centre, 0), plan.upper_bound),
        low=low,
        high=high,
        unclamped=centre,
        informative=informative,
        bias_bound=math.ceil(bias_bound * THOUSAND),
        modelled_bias=math.ceil(modelled * THOUSAND),
        effective_users=round(effective * THOUSAND),
        deviation=round(deviation * THOUSAND),
    )
