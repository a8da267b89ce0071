"""A statistic of every selected HAT: planned from public counts, then drawn (method 7-9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.accounting.budgets import JOINT, Budget, hat_micro_epsilons, hat_pico_rhos
from core.accounting.compose import charge_of, from_micro_epsilon, rho_charge_of, to_micro_epsilon
from core.accounting.query_epsilons import epsilon_of_scale
from core.accounting.zcdp import RHO_STEP, epsilon_of, rho_of
from core.bounding.counts_file import CountedHats
from core.city.city_draw import Corrected
from core.city.city_plan import CityPlan
from core.city.regions import Region, Regions
from core.contributions import Contributions, HatUsers, PairTable, UserTable
from core.contributions.table import changes
from core.counted import count_of
from core.errors import InputError, InternalError
from core.grouping.plan_cache import PlanCache
from core.hats.cells import cell_text
from core.hats.slots import SlotGrid
from core.mechanisms.tokens import TokensParams
from core.noise.source import Scopes
from core.planning.bounded_query import BoundedPlan, bounded_allowances
from core.planning.city_query import (
    city_allowances,
    city_hat_plans,
    draw_city_query,
    plan_city_query,
    plan_region_query,
)
from core.planning.linear_noise import linear_noises
from core.planning.user_suppression import KeptUsers, pairs_of_users, suppress_users
from core.prior.public_source import SourceRequest
from core.privacy import Allowance, Charge, Unit
from core.progress import Progress, part, silent
from core.selection.base import Selection
from core.statistics.base import (
    AnyHatPlan,
    AnyQuestion,
    Estimate,
    HatCounts,
    HatRecords,
    SuppressedUsers,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One query of a release: what is asked of every HAT, and for how much."""

    id: str
    question: AnyQuestion
    budget: Budget
    source: SourceRequest = field(default_factory=SourceRequest)
    """Where public counts come from, for plans of relation `user`."""
    public_counts: CountedHats = ()
    """What that source lists; empty where none is named."""
    public_fleet: int = 0
    """How many units that source tells of; 0 where it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedHat:
    """One selected HAT; `plan` is None where it is suppressed."""

    cell: int
    slot: int
    grid: SlotGrid
    """What the slot is counted in."""
    index: int
    """Number in the contributions, -1 where there are no records, and in relation `user`."""
    plan: AnyHatPlan | None

    @property
    def cell_text(self) -> str:
        return cell_text(self.cell)

    @property
    def name(self) -> str:
        """The id text of the HAT."""
        return self.grid.hat_id(self.slot, self.cell_text)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPlan:
    """A whole query before any noise: what it will cost and how exact it will be."""

    query: Query
    hats: tuple[PlannedHat, ...]
    charge: Charge
    upper_bound: int
    """U in thousandths of km/h."""
    kept: KeptUsers | None = None
    """Who stays where; None where nobody was suppressed."""
    city: CityPlan | None = None
    """The joint plan of all HATs; None where each is planned and drawn alone. Where it is by region, the HATs
    of a region share its plan."""
    bounded: BoundedPlan | None = None
    """The plan from constants; None in relation `values`."""
    smoothed_errors: tuple[float, ...] | None = None
    """What the smoothed number of each of `published` typically misses, in the value's unit; None where
    nothing is smoothed, or where that was not worked out (`core.advice.smoothed`)."""
    _found: dict[Callable[[QueryPlan], Any], Any] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """By what `once` was given."""

    def once(self, work: Callable[[QueryPlan], T]) -> T:
        """What follows from the plan alone, worked out at the first call: of many HATs it takes a while."""
        if work not in self._found:
            self._found[work] = work(self)
        found: T = self._found[work]
        return found

    @property
    def gaussian(self) -> bool:
        """All of its noise is Gaussian."""
        return self.once(_draws_gaussian)

    @property
    def division(self) -> str:
        """How the budget was spread over the HATs."""
        return self.query.budget.division if self.city is None and self.bounded is None else JOINT

    @property
    def merged(self) -> Regions | None:
        """What HATs are merged into; None where each is published."""
        joint = self.city or self.bounded
        return joint.regions if joint else None

    @property
    def regions(self) -> tuple[Region, ...]:
        """What is published in place of HATs; empty where HATs are."""
        return self.merged.listed if self.merged else ()

    @property
    def published(self) -> tuple[PlannedHat, ...]:
        return self.once(_published_of)

    @property
    def plans(self) -> tuple[AnyHatPlan, ...]:
        """The plans of the published HATs."""
        return self.once(_plans_of)

    @property
    def errors(self) -> QueryErrors:
        """Of the leading measure; of a plan that publishes any HAT."""
        return self.once(_leading_errors)

    @property
    def allowances(self) -> tuple[Allowance, ...]:
        """What the noise of each HAT, or of all of them together, may spend."""
        if self.city is not None:
            return city_allowances(self.city, self.query.id)
        if self.bounded is not None:
            return bounded_allowances(self.bounded, self.query.id)
        return tuple(
            Allowance(scope=self.scope(hat), epsilon=Decimal(0), rho=hat.plan.rho)
            if hat.plan.rho
            else Allowance(scope=self.scope(hat), epsilon=hat.plan.epsilon)
            for hat in self.hats
            if hat.plan
        )

    def micro_epsilons(self, hats: int) -> NDArray[np.int64]:
        """Epsilon of each of the contributions' G HATs in steps of 1e-6, shape (G,); 0 where suppressed."""
        micro_epsilons = np.zeros(hats, np.int64)
        for hat in self.hats:
            if hat.plan:
                micro_epsilons[hat.index] = to_micro_epsilon(hat.plan.epsilon)
        return micro_epsilons

    def scope(self, hat: PlannedHat) -> str:
        """The name of a HAT's noise scope."""
        return f"{self.query.id} {hat.name}"


def distinct_vehicles(
    contributions: Contributions, kept: NDArray[np.bool_] | None = None
) -> NDArray[np.int64]:
    """Shape (G,): different vehicles in each HAT over the whole window; kept: shape (P,), None: all rows."""
    hat, vehicle = contributions.hat, contributions.vehicle
    if kept is not None:
        hat, vehicle = hat[kept], vehicle[kept]
    return np.bincount(hat[changes(hat, vehicle)], minlength=contributions.hats)


def largest_pairs(
    contributions: Contributions, unit: Unit, kept: NDArray[np.bool_] | None = None
) -> NDArray[np.int64]:
    """Shape (G,): the most (vehicle, day) pairs of one user in each HAT: days of a vehicle, or 1.

    kept: shape (P,), rows of users who were not suppressed; None: all.
    """
    if unit is not Unit.VEHICLE:
        return np.ones(contributions.hats, np.int64)
    hat, _, days = contributions.vehicle_days()
    if kept is not None:
        days = days * kept[contributions.starts_vehicle()]
    largest = np.zeros(contributions.hats, np.int64)
    np.maximum.at(largest, hat, days)
    return largest


def counts_of(
    contributions: Contributions,
    users: UserTable,
    kept: KeptUsers | None = None,
    cache: PlanCache | None = None,
) -> Callable[[int], HatCounts]:
    """What is public of each HAT, by its number, with the cache that its plan may use."""
    rows, staying = (None, None) if kept is None else (kept.rows, kept.users)
    staying_pairs = contributions.hat if rows is None else contributions.hat[rows]
    pairs = np.bincount(staying_pairs, minlength=contributions.hats).tolist()
    most = largest_pairs(contributions, users.unit, rows).tolist()
    records, days = contributions.records.tolist(), contributions.window.days
    shared = cache or PlanCache()
    suppressed = None if staying is None else _suppressed(contributions, users, staying)

    def of(index: int) -> HatCounts:
        return HatCounts(
            users=users.hat_counts(index, staying),
            visits=users.hat_visits(index, staying),
            suppressed=None if suppressed is None else suppressed(index),
            records=records[index],
            pairs=pairs[index],
            largest_pairs=most[index],
            days=days,
            upper_bound=users.upper_bound,
            unit=users.unit,
            cache=shared,
        )

    return of


def _suppressed(
    contributions: Contributions, users: UserTable, staying: NDArray[np.bool_]
) -> Callable[[int], SuppressedUsers]:
    """Who left each HAT, by its number; staying: shape (rows,)."""
    leaving, pairs = ~staying, pairs_of_users(contributions, users)

    def of(index: int) -> SuppressedUsers:
        rows = slice(int(users.first[index]), int(users.first[index + 1]))
        return SuppressedUsers(
            users=HatUsers(counts=users.hat_counts(index, leaving), visits=users.hat_visits(index, leaving)),
            pairs=pairs[rows][leaving[rows]],
            pairs_kept=pairs[rows][staying[rows]],
        )

    return of


def plan_query(
    contributions: Contributions,
    users: UserTable,
    selection: Selection,
    query: Query,
    *,
    minimum_vehicles: int,
    progress: Progress = silent,
    cache: PlanCache | None = None,
    delta: Decimal = Decimal(0),
) -> QueryPlan:
    """Plan every selected HAT from public counts.

    cache: of whoever plans these counts again and again; without one nothing is kept beyond the call.
    delta: what the population allows; without one no noise is Gaussian. Where several kinds of noise may be
    had, that of the smallest median typical error is planned.
    A HAT without records, or with fewer than `minimum_vehicles` vehicles, is suppressed and costs
    nothing. Raises InputError when every HAT is, or when the budget does not fit the statistic.
    """
    if query.question.by_region:
        return _plan_by_region(contributions, users, selection, query, minimum_vehicles, delta, progress)
    published, kept = publishable(contributions, selection, minimum_vehicles), cache or PlanCache()
    if query.question.joint:
        return _plan_joint(contributions, users, selection, query, published, delta, progress, kept)
    kinds = linear_noises(query.question, query.budget, delta)
    planned = []
    for number, kind in enumerate(kinds):
        share = part(progress, number / len(kinds), (number + 1) / len(kinds))
        asked = contributions, users, selection, query, published
        if kind.squared:
            planned.append(_plan_gaussian(*asked, delta, share, kept))
        else:
            planned.append(_plan_each(*asked, minimum_vehicles, share, kept))
    return min(planned, key=lambda plan: plan.errors.typical.median)


def _plan_gaussian(
    contributions: Contributions,
    users: UserTable,
    selection: Selection,
    query: Query,
    published: NDArray[np.bool_],
    delta: Decimal,
    progress: Progress,
    cache: PlanCache,
) -> QueryPlan:
    """Each HAT alone, with Gaussian noise under one total that is divided in rho (method 7.5)."""
    if query.budget.total is None:
        raise InternalError("Gaussian noise of hexagon slots is bought by a total")
    question, counts, scales = query.question, counts_of(contributions, users, cache=cache), None
    if query.budget.needs_scales:
        scales = _scales(question, counts, published, part(progress, 0.0, 0.3))
    rho = rho_of(query.budget.total, delta)
    pico_rhos = hat_pico_rhos(query.budget, rho, contributions, published, users.unit, scales=scales)
    costs = {}
    for pico_rho in np.unique(pico_rhos[published]).tolist():
        costs[pico_rho] = pico_rho * RHO_STEP, epsilon_of(Decimal(0), pico_rho * RHO_STEP, delta)
    planning, plans = part(progress, 0.3, 1.0), {}
    for index in np.flatnonzero(published).tolist():
        plans[index] = question.statistic.plan_gaussian(
            counts(index), *costs[int(pico_rhos[index])], question
        )
        planning((index + 1) / published.size, "Planning")
    return QueryPlan(
        query=query,
        hats=_planned_hats(contributions, selection, plans),
        upper_bound=users.upper_bound,
        charge=rho_charge_of(contributions, pico_rhos, users.unit),
    )


def _plan_each(
    contributions: Contributions,
    users: UserTable,
    selection: Selection,
    query: Query,
    published: NDArray[np.bool_],
    minimum_vehicles: int,
    progress: Progress,
    cache: PlanCache,
) -> QueryPlan:
    """Each HAT alone, by pure epsilon."""
    shares = _Shares(contributions, users, query, cache)
    rule = query.question.statistic.suppression(query.question, users.upper_bound)
    micro_epsilons, kept = shares.divided(published, None, part(progress, 0.0, 0.3)), None
    if rule is not None:
        kept = suppress_users(contributions, users, published, micro_epsilons, rule, part(progress, 0.3, 0.8))
        published = published & (distinct_vehicles(contributions, kept.rows) >= minimum_vehicles)
        _require_any(published, minimum_vehicles)
        micro_epsilons = shares.divided(published, kept, part(progress, 0.8, 0.9))
    counts, question = counts_of(contributions, users, kept, cache), query.question
    planning = part(progress, 0.9 if rule else 0.3, 1.0)
    hats = []
    # most HATs of a query spend one and the same epsilon
    epsilons = {micro: from_micro_epsilon(micro) for micro in np.unique(micro_epsilons).tolist()}
    spent, chosen = micro_epsilons.tolist(), published.tolist()
    grid = contributions.window.grid
    for number, (cell, slot, index) in enumerate(
        zip(selection.cell.tolist(), selection.slot.tolist(), selection.index.tolist(), strict=True)
    ):
        plan = None
        if index >= 0 and chosen[index]:
            plan = question.statistic.plan(counts(index), epsilons[spent[index]], question)
        hats.append(PlannedHat(cell=cell, slot=slot, grid=grid, index=index, plan=plan))
        planning((number + 1) / len(selection), "Planning")
    return QueryPlan(
        query=query,
        hats=tuple(hats),
        upper_bound=users.upper_bound,
        charge=charge_of(contributions, micro_epsilons, users.unit, kept.rows if kept else None),
        kept=kept,
    )


def _plan_joint(
    contributions: Contributions,
    users: UserTable,
    selection: Selection,
    query: Query,
    published: NDArray[np.bool_],
    delta: Decimal,
    progress: Progress,
    cache: PlanCache,
) -> QueryPlan:
    """All HATs as one. Raises InputError for a mechanism that looks at no counts."""
    if not isinstance(query.question.params, TokensParams):
        raise InputError(
            f"{query.question.title} is planned from public constants, not from counts.",
            where="query.mechanism",
            mend='write relation = "user", or choose a mechanism of relation values',
        )
    city, charge = plan_city_query(
        contributions,
        users,
        published,
        query.budget,
        query.question.params,
        delta,
        selection.columns,
        progress,
        cache.apart,
    )
    return QueryPlan(
        query=query,
        hats=_planned_hats(contributions, selection, city_hat_plans(city)),
        upper_bound=users.upper_bound,
        charge=charge,
        city=city,
    )


def _plan_by_region(
    contributions: Contributions,
    users: UserTable,
    selection: Selection,
    query: Query,
    minimum_vehicles: int,
    delta: Decimal,
    progress: Progress,
) -> QueryPlan:
    """All hexagons that are selected in any slot, in all of their slots: a region is hexagons times hours."""
    chosen = np.isin(contributions.cell, selection.cell)
    if not chosen.any():
        _require_any(chosen, minimum_vehicles)
    city, charge = plan_region_query(
        contributions,
        users,
        chosen,
        query.budget,
        query.question.params,
        delta,
        minimum_vehicles,
        progress,
    )
    index, empty = np.flatnonzero(chosen), selection.index < 0
    hats = Selection(
        cell=np.concatenate((contributions.cell[index], selection.cell[empty])),
        slot=np.concatenate((contributions.slot[index], selection.slot[empty])),
        index=np.concatenate((index, selection.index[empty])),
    )
    of_region, column = city_hat_plans(city), city.columns(contributions.hats)
    plans = {hat: of_region[column[hat]] for hat in np.flatnonzero(column >= 0).tolist()}
    return QueryPlan(
        query=query,
        hats=_planned_hats(contributions, hats, plans),
        upper_bound=users.upper_bound,
        charge=charge,
        city=city,
    )


def _planned_hats(
    contributions: Contributions, selection: Selection, plans: Mapping[int, AnyHatPlan]
) -> tuple[PlannedHat, ...]:
    """The selected HATs with their plans, by number in the contributions."""
    grid = contributions.window.grid
    columns = (selection.cell.tolist(), selection.slot.tolist(), selection.index.tolist())
    return tuple(
        PlannedHat(cell=cell, slot=slot, grid=grid, index=index, plan=plans.get(index))
        for cell, slot, index in zip(*columns, strict=True)
    )


@dataclass(frozen=True, slots=True)
class _Shares:
    """Divides a query's budget over HATs."""

    contributions: Contributions
    users: UserTable
    query: Query
    cache: PlanCache

    def divided(
        self, published: NDArray[np.bool_], kept: KeptUsers | None, progress: Progress
    ) -> NDArray[np.int64]:
        """Epsilon of each HAT in steps of 1e-6, shape (G,)."""
        budget, scales = self.query.budget, None
        question = self.query.question
        if budget.noise_scale is not None:
            return _of_noise_scale(question, budget.noise_scale, self._counts(kept), published, progress)
        if budget.needs_scales:
            scales = _scales(question, self._counts(kept), published, progress)
        return hat_micro_epsilons(
            budget,
            self.contributions,
            published,
            self.users.unit,
            scales=scales,
            kept=kept.rows if kept else None,
        )

    def _counts(self, kept: KeptUsers | None) -> Callable[[int], HatCounts]:
        return counts_of(self.contributions, self.users, kept, self.cache)


def publishable(
    contributions: Contributions, selection: Selection, minimum_vehicles: int
) -> NDArray[np.bool_]:
    """Shape (G,): selected HATs with so many distinct vehicles. Raises InputError where there is none."""
    published = np.zeros(contributions.hats, bool)
    published[selection.index[selection.index >= 0]] = True
    published &= distinct_vehicles(contributions) >= minimum_vehicles
    _require_any(published, minimum_vehicles)
    return published


def _require_any(published: NDArray[np.bool_], minimum_vehicles: int) -> None:
    if not published.any():
        raise InputError(
            f"Every selected hexagon slot has fewer than {count_of(minimum_vehicles, 'vehicle')}.",
            where="selection.minimum_vehicles",
            mend="choose a coarser resolution or a longer slot, or select other hexagon slots",
        )


def _scales(
    question: AnyQuestion,
    counts: Callable[[int], HatCounts],
    published: NDArray[np.bool_],
    progress: Progress,
) -> NDArray[np.float64]:
    """c of every published HAT, shape (G,)."""
    scales = np.zeros(published.size)
    for index in np.flatnonzero(published).tolist():
        scale = question.statistic.scale(counts(index), question)
        if scale is None:
            raise InputError(
                f"{question.title} has noise that depends on more than counts and epsilon.",
                where="query.division",
                mend='divide the total equally (division = "equal"), or choose another method',
            )
        scales[index] = scale
        progress(index / published.size, "Planning")
    return scales


def _of_noise_scale(
    question: AnyQuestion,
    noise_scale: Decimal,
    counts: Callable[[int], HatCounts],
    published: NDArray[np.bool_],
    progress: Progress,
) -> NDArray[np.int64]:
    """Epsilon of each HAT in steps of 1e-6, shape (G,): every noisy number gets noise of B at least."""
    micro_epsilons = np.zeros(published.size, np.int64)
    for index in np.flatnonzero(published).tolist():
        numbers = question.statistic.numbers(counts(index), question)
        if numbers is None:
            raise InternalError("a Laplace scale is asked of a statistic that takes none")
        epsilon = epsilon_of_scale(numbers.sensitivity, noise_scale, numbers.parts)
        micro_epsilons[index] = to_micro_epsilon(epsilon)
        progress(index / published.size, "Planning")
    return micro_epsilons


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRows:
    """What the noise of a query gave."""

    rows: tuple[tuple[Estimate, ...], ...]
    """Of every selected HAT, in the order of `QueryPlan.hats`, empty where one is suppressed; or of every
    region, in theirs."""
    scales: NDArray[np.float64] | None = None
    """Shape (published,): of each first number's noise, where drawing decided it; None where the plan did."""
    unbiased: NDArray[np.float64] | None = None
    """Shape (published,): what smoothing goes by in relation `user`, in the value's unit above its lower
    bound; None: the numbers themselves."""
    corrected: Corrected | None = None
    """Of the published HATs, where the city was looked at twice: what intervals of smoothed values go by."""


def draw_query(plan: QueryPlan, users: UserTable, pairs: PairTable, noise: Scopes) -> DrawnRows:
    """Draw every published HAT, or region."""
    statistic = plan.query.question.statistic
    if plan.city is not None:
        name = statistic.measures[0].name
        estimates, drawn = draw_city_query(plan.city, users, noise, plan.query.id, name)
        if plan.regions:
            listed = range(len(plan.regions))
            return DrawnRows(rows=tuple(statistic.counted_from_zero(estimates[number]) for number in listed))
        rows = tuple(statistic.counted_from_zero(estimates.get(hat.index, ())) for hat in plan.hats)
        place = {index: place for place, index in enumerate(plan.city.hat_index.tolist())}
        order = np.array([place[hat.index] for hat in plan.published])
        corrected = drawn.corrected and drawn.corrected.only(order)
        return DrawnRows(rows=rows, scales=drawn.scale[order], corrected=corrected)
    return DrawnRows(rows=_draw_each(plan, users, pairs, noise))


def _draw_each(
    plan: QueryPlan, users: UserTable, pairs: PairTable, noise: Scopes
) -> tuple[tuple[Estimate, ...], ...]:
    """Each HAT alone."""
    statistic = plan.query.question.statistic
    kept, rows = (plan.kept.users, plan.kept.rows) if plan.kept else (None, None)
    return tuple(
        statistic.counted_from_zero(
            statistic.draw(
                hat.plan,
                HatRecords(users=users.hat_data(hat.index, kept), pairs=pairs.hat(hat.index, rows)),
                noise.scope(plan.scope(hat)),
            )
        )
        if hat.plan
        else ()
        for hat in plan.hats
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSpread:
    """Over the published HATs, in the unit of one measure: the median and the largest."""

    median: float
    largest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryErrors:
    """What a query's numbers miss, from public counts alone (method 10.1)."""

    typical: ErrorSpread
    """Expected |noise + modelled bias|: the headline."""
    at_worst: ErrorSpread
    """Noise plus worst-case bias."""


def query_errors(plans: tuple[AnyHatPlan, ...], measure: int = 0) -> QueryErrors:
    """Typical error and error at worst of one of the statistic's measures; plans must not be empty."""
    one = [plan.measures[measure] for plan in plans]
    return QueryErrors(
        typical=_spread_of([plan.typical_error for plan in one]),
        at_worst=_spread_of([plan.error_at_worst for plan in one]),
    )


def smoothed_errors(plan: QueryPlan) -> ErrorSpread | None:
    """Typical error of the smoothed numbers; None where the plan does not hold it."""
    return plan.once(_smoothed_spread)


def _smoothed_spread(plan: QueryPlan) -> ErrorSpread | None:
    return _spread_of(list(plan.smoothed_errors)) if plan.smoothed_errors else None


def _published_of(plan: QueryPlan) -> tuple[PlannedHat, ...]:
    return tuple(hat for hat in plan.hats if hat.plan)


def _plans_of(plan: QueryPlan) -> tuple[AnyHatPlan, ...]:
    return tuple(hat.plan for hat in plan.hats if hat.plan)


def _draws_gaussian(plan: QueryPlan) -> bool:
    if plan.city is not None:
        return plan.city.noise.squared
    if plan.bounded is not None:
        return plan.bounded.noise.squared
    return any(one.rho for one in plan.plans)


def _leading_errors(plan: QueryPlan) -> QueryErrors:
    return query_errors(plan.plans)


def rising_epsilons(plan: QueryPlan) -> tuple[Decimal, ...]:
    """What each published HAT gets, ascending."""
    return plan.once(_sorted_epsilons)


def _sorted_epsilons(plan: QueryPlan) -> tuple[Decimal, ...]:
    return tuple(sorted(one.epsilon for one in plan.plans))


def tells_no_more_than_a_constant(plan: QueryPlan) -> bool:
    """Half of the leading numbers typically miss as much as one constant for the city (method 10.5)."""
    constant = error_of_a_constant(plan)
    return constant is not None and plan.errors.typical.median >= constant


def error_of_a_constant(plan: QueryPlan) -> float | None:
    """What one public constant for every HAT typically misses, in the unit of the leading measure.

    Where no range holds for all numbers, half of that of the median HAT; None where nothing public tells one.
    """
    constant = plan.query.question.statistic.measures[0].constant_error(plan.upper_bound)
    return plan.once(_half_of_usual_range) if constant is None else constant


def _half_of_usual_range(plan: QueryPlan) -> float | None:
    largest = [one.lead.largest for one in plan.plans if one.lead.largest is not None]
    return float(np.median(largest)) / 2.0 if largest else None


def _spread_of(errors: list[float]) -> ErrorSpread:
    return ErrorSpread(median=float(np.median(errors)), largest=max(errors))


def largest_noise_scale(plans: tuple[AnyHatPlan, ...]) -> Decimal:
    """The largest Laplace scale, in the statistic's unit, to six decimals."""
    return Decimal(f"{max(plan.lead.noise_scale for plan in plans):.6f}")


def largest_sensitivity(plans: tuple[AnyHatPlan, ...]) -> Decimal:
    """The largest sensitivity, in the statistic's unit, to six decimals."""
    return Decimal(f"{max(plan.lead.sensitivity for plan in plans):.6f}")
