"""What a draft would give, from public counts: for the map, the table and the budget panel."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.accounting.compose import add_charges
from core.advice.adviser import JOINT_FROM, Advice, advise, advise_joint, advise_regions
from core.advice.smoothed import is_smoothed, with_expected_error
from core.contributions import EVALUATION_TIE_KEY, Contributions, HatUsers, UserTable, users_of
from core.errors import InputError
from core.grouping.plan_cache import PlanCache
from core.hats.places import HEXAGONS, PlaceIds
from core.planning.counted_city import CountedCity
from core.planning.hats_of_one import hats_of_one
from core.planning.linear_noise import NoiseAdvice, advise_noise, takes_gaussian_noise
from core.planning.query_plan import Query, QueryPlan, seen_errors
from core.planning.values_query import distinct_vehicles, plan_query
from core.privacy import Charge, Confidential, Unit
from core.progress import Progress, part, silent
from core.selection.base import Selection, SelectionRequest, vehicle_days
from core.selection.registry import select
from core.statistics.mean import MeanQuestion


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HatOverview(Confidential):
    """Every HAT with records, by columns of shape (G,), in the order of the contributions."""

    cells: tuple[str, ...]
    hexagons: tuple[str, ...]
    """Shape (cells,): the different ones of `cells`, in the same order."""
    slots: NDArray[np.int16]
    vehicles: NDArray[np.int64]
    """Distinct vehicles over the window."""
    vehicle_days: NDArray[np.int64]
    records: NDArray[np.int64]
    places: PlaceIds = HEXAGONS
    """What the ids in `cells` are of."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Forecast(Confidential):
    """Selection and plan of a draft as far as it goes; `problem` says what stops it."""

    overview: HatOverview
    selection: Selection | None
    users: UserTable | None
    plans: tuple[QueryPlan, ...]
    """One of each query; empty where they cannot be planned."""
    single_vehicle: int
    """Selected HATs that hold exactly one vehicle."""
    problem: InputError | None
    alone: Advice | None
    """On drawing HATs one by one, from the public counts of the median one; None where no mean is planned."""
    noise_advice: tuple[NoiseAdvice | None, ...] = ()
    """On the noise of each of `plans`; None where its HATs may not get either kind."""
    protects_presence: bool = False
    """Relation `user`: selection and plans follow from constants, and the overview alone is confidential."""

    @property
    def plan(self) -> QueryPlan | None:
        """Of the leading query."""
        return self.plans[0] if self.plans else None

    @property
    def advice(self) -> Advice | None:
        """On the mechanism of the mean, by what readers see, as far as that is foretold; None without one."""
        mean = _mean_of(self.plans)
        if mean is None or self.alone is None or self.users is None:
            return None
        return _advice_on_mechanism(mean, self.alone, self.users.unit)

    @property
    def charge(self) -> Charge | None:
        """Of all queries together; None where nothing is planned."""
        return add_charges(plan.charge for plan in self.plans) if self.plans else None


def overview_of(contributions: Contributions) -> HatOverview:
    """Counts of every HAT."""
    cells, slots = np.unique(contributions.cell, return_counts=True)
    hexagons = tuple(map(contributions.places.id_text, cells.tolist()))
    return HatOverview(
        cells=tuple(np.repeat(np.array(hexagons, object), slots).tolist()),
        hexagons=hexagons,
        slots=contributions.slot,
        vehicles=distinct_vehicles(contributions),
        vehicle_days=vehicle_days(contributions),
        records=contributions.records,
        places=contributions.places,
    )


def forecast(
    contributions: Contributions,
    overview: HatOverview,
    request: SelectionRequest,
    *,
    minimum_vehicles: int,
    unit: Unit | None,
    queries: Callable[[], Sequence[Query]],
    progress: Progress = silent,
    cache: PlanCache | None = None,
    delta: Decimal = Decimal(0),
    tie_key: bytes = EVALUATION_TIE_KEY,
) -> Forecast:
    """Select and plan as far as the choices go. Never raises for a choice that does not fit.

    queries: at least one; called where planning is due, and free to raise InputError. cache: of a caller that
    owns the contributions and plans them again; delta: what the population allows; tie_key: the
    population's, so that what is planned costs what its ledger will be charged.
    What smoothed numbers will miss is left to `with_smoothing`: it may take longer than all the rest.
    """
    cache = cache or PlanCache()
    selection: Selection | None = None
    users: UserTable | None = None
    plans: tuple[QueryPlan, ...] = ()
    problem: InputError | None = None
    try:
        selection = select(contributions, request)
        if unit is not None:
            users = users_of(contributions, unit, tie_key)
            asked = queries()
            city = CountedCity(
                contributions, users, selection, minimum_vehicles=minimum_vehicles, delta=delta, cache=cache
            )
            plans = tuple(
                plan_query(city, query, part(progress, number / len(asked), (number + 1) / len(asked)))
                for number, query in enumerate(asked)
            )
    except InputError as error:
        problem = error
    present = selection.index[selection.index >= 0] if selection else np.zeros(0, np.int64)
    return Forecast(
        overview=overview,
        selection=selection,
        users=users,
        plans=plans,
        single_vehicle=int((overview.vehicles[present] == 1).sum()),
        problem=problem,
        alone=_advice_alone(plans, users, contributions, cache) if users else None,
        noise_advice=tuple(noise_advice(plan, contributions, unit, delta) for plan in plans) if unit else (),
    )


def needs_smoothing(known: Forecast) -> bool:
    """Whether `with_smoothing` has anything to add."""
    return not known.protects_presence and any(
        plan.smoothed_errors is None and is_smoothed(plan) for plan in known.plans
    )


def with_smoothing(known: Forecast, progress: Progress = silent) -> Forecast:
    """The forecast with what smoothed numbers will miss. Raises what `progress` raises."""
    share = 1.0 / max(len(known.plans), 1)
    plans = tuple(
        with_expected_error(plan, part(progress, number * share, (number + 1) * share))
        for number, plan in enumerate(known.plans)
    )
    return dataclasses.replace(known, plans=plans)


def _mean_of(plans: Sequence[QueryPlan]) -> QueryPlan | None:
    return next((plan for plan in plans if isinstance(plan.query.question, MeanQuestion)), None)


def _advice_alone(
    plans: Sequence[QueryPlan],
    users: UserTable,
    contributions: Contributions,
    cache: PlanCache,
) -> Advice | None:
    """For the published HAT with the median number of records; of two, the one with fewer."""
    mean = _mean_of(plans)
    if mean is None:
        return None
    counts = [
        HatUsers(counts=users.hat_counts(hat.index), visits=users.hat_visits(hat.index))
        for hat in mean.published
    ]
    median = sorted(counts, key=lambda one: one.records)[(len(counts) - 1) // 2]
    unit = mean.query.question.statistic.quantity.unit
    return advise(median, mean.epsilon_alone(contributions, users), users.upper_bound, cache, unit=unit)


def noise_advice(
    plan: QueryPlan, contributions: Contributions, unit: Unit, delta: Decimal
) -> NoiseAdvice | None:
    """On the noise of its HATs; None where these may not get either kind, or share no total."""
    question, total = plan.query.question, plan.query.budget.total
    if total is None or plan.retained is not None or not takes_gaussian_noise(question):
        return None
    return advise_noise(question, total, delta, hats_of_one(plan, contributions, unit))


def _advice_on_mechanism(mean: QueryPlan, alone: Advice, protected: Unit) -> Advice:
    """Many HATs under one total are planned as one; few, where that plan is known to miss less."""
    planned = None if mean.noise_kind is None else seen_errors(mean).median
    misses_less = planned is not None and planned < alone.typical_errors[alone.mechanism]
    few = len(mean.published) <= JOINT_FROM and (mean.merged is not None or not misses_less)
    if mean.query.budget.total is None or protected is Unit.VEHICLE_HAT_DAY or few:
        return alone
    unit = mean.query.question.statistic.quantity.unit
    if mean.merged is not None:
        return advise_regions(
            len(mean.published), len(mean.regions), alone, mean.merged.promised_error, unit=unit
        )
    released, empty = len(mean.published), sum(hat.index < 0 for hat in mean.hats)
    suppressed = len(mean.hats) - released - empty
    return advise_joint(released, alone, planned, suppressed=suppressed, empty=empty, unit=unit)
