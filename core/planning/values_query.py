"""A query of relation `values` planned from counts; all HATs too small for it (method 7-9)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.accounting.budgets import hat_micro_epsilons, hat_pico_rhos
from core.accounting.compose import charge_of, from_micro_epsilon, rho_charge_of, to_micro_epsilon
from core.accounting.exact_loss import BY_PROFILE, conversion_of, stated_epsilon
from core.accounting.query_epsilons import epsilon_of_scale
from core.accounting.zcdp import RHO_STEP, rho_of
from core.city.city_pairs import city_pairs, columns_of
from core.contributions import Contributions, HatUsers, UserTable
from core.contributions.table import changes
from core.counted import count_of
from core.errors import InputError, InternalError
from core.grouping.plan_cache import PlanCache
from core.hats.larger_rows import larger_rows
from core.mechanisms.covariate import PublicSign
from core.mechanisms.smooth_field import SMOOTH
from core.mechanisms.tokens import TokensParams
from core.planning.city_query import city_hat_plans, plan_city_query, plan_region_query
from core.planning.counted_city import CountedCity
from core.planning.joint import Joint
from core.planning.joint_shares import JointShares, plan_shares, share_hat_plans
from core.planning.linear_noise import linear_noises
from core.planning.plan_inputs import inputs_by_counts
from core.planning.query_plan import PlannedHat, Query
from core.planning.separate import Separate, lattice_error_of
from core.planning.user_suppression import RetainedUsers, pairs_of_users, suppress_users
from core.privacy import Unit
from core.progress import Progress, part, silent
from core.selection.base import Selection, days_of_hats
from core.statistics.base import AnyHatPlan, AnyQuestion, HatCounts, SuppressedUsers
from core.statistics.share import ShareParams
from core.texts import text_of

_ZERO = Decimal(0)
ValuesPlan = Separate | Joint
"""What public counts give."""


def distinct_vehicles(
    contributions: Contributions, retained: NDArray[np.bool_] | None = None
) -> NDArray[np.int64]:
    """Shape (G,): different vehicles in each HAT over the window; retained: shape (P,), None: all rows."""
    hat, vehicle = contributions.hat, contributions.vehicle
    if retained is not None:
        hat, vehicle = hat[retained], vehicle[retained]
    return np.bincount(hat[changes(hat, vehicle)], minlength=contributions.hats)


def largest_pairs(
    contributions: Contributions, unit: Unit, retained: NDArray[np.bool_] | None = None
) -> NDArray[np.int64]:
    """Shape (G,): the most (vehicle, day) pairs of one user in each HAT: days of a vehicle, or 1.

    retained: shape (P,), rows of users who were not suppressed; None: all.
    """
    if unit is not Unit.VEHICLE:
        return np.ones(contributions.hats, np.int64)
    hat, _, days = contributions.vehicle_days()
    if retained is not None:
        days = days * retained[contributions.starts_vehicle()]
    largest = np.zeros(contributions.hats, np.int64)
    np.maximum.at(largest, hat, days)
    return largest


def counts_of(
    contributions: Contributions,
    users: UserTable,
    retained: RetainedUsers | None = None,
    cache: PlanCache | None = None,
) -> Callable[[int], HatCounts]:
    """What is public of each HAT, by its number, with the cache that its plan may use."""
    rows, staying = (None, None) if retained is None else (retained.rows, retained.users)
    staying_pairs = contributions.hat if rows is None else contributions.hat[rows]
    pairs = np.bincount(staying_pairs, minlength=contributions.hats).tolist()
    most = largest_pairs(contributions, users.unit, rows).tolist()
    records, days = contributions.records.tolist(), days_of_hats(contributions).tolist()
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
            days=days[index],
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
            retained_pairs=pairs[rows][staying[rows]],
        )

    return of


def plan_query(city: CountedCity, query: Query, progress: Progress = silent) -> ValuesPlan:
    """Plan every selected HAT from public counts.

    Where several kinds of noise may be had, that of the smallest median typical error is planned.
    Raises InputError when every HAT is suppressed, or when the budget does not fit the statistic.
    """
    if city.cache is None:
        return _planned(city.cached(), query, progress)
    inputs, size = inputs_by_counts(city, query), (city.users.hat.size, len(city.selection))
    found = city.cache.whole(inputs, *size, lambda: _planned(city, query, progress))
    return found.foretold_by(query.former_spreads)


def _planned(city: CountedCity, query: Query, progress: Progress) -> ValuesPlan:
    if query.question.by_region:
        return _plan_by_region(city, query, progress)
    published = publishable(city)
    if query.question.joint:
        return _plan_joint(city, query, published, progress)
    kinds = linear_noises(query.question, query.budget, city.delta)
    planned = []
    for number, kind in enumerate(kinds):
        share = part(progress, number / len(kinds), (number + 1) / len(kinds))
        planned.append((_plan_gaussian if kind.squared else _plan_each)(city, query, published, share))
    return min(planned, key=lambda plan: plan.errors.typical.median)


def _plan_gaussian(
    city: CountedCity, query: Query, published: NDArray[np.bool_], progress: Progress
) -> Separate:
    """Each HAT alone, with Gaussian noise under one total that is divided in rho (method 7.5)."""
    if query.budget.total is None:
        raise InternalError("Gaussian noise of hexagon slots is bought by a total")
    contributions, users, delta = city.contributions, city.users, city.delta
    question, counts, scales = query.question, counts_of(contributions, users, cache=city.cache), None
    if query.budget.needs_scales:
        scales = _scales(question, counts, published, part(progress, 0.0, 0.3))
    rho = rho_of(query.budget.total, delta)
    pico_rhos = hat_pico_rhos(query.budget, rho, contributions, published, users.unit, scales=scales)
    costs = {}
    for pico_rho in np.unique(pico_rhos[published]).tolist():
        costs[pico_rho] = pico_rho * RHO_STEP, stated_epsilon(_ZERO, pico_rho * RHO_STEP, delta, BY_PROFILE)
    planning, plans = part(progress, 0.3, 1.0), {}
    for index in np.flatnonzero(published).tolist():
        plans[index] = question.statistic.plan_gaussian(
            counts(index), *costs[int(pico_rhos[index])], question
        )
        planning((index + 1) / published.size, "Planning the noise")
    conversion = conversion_of(lattice_error_of(question.statistic, plans.values()))
    if conversion != BY_PROFILE:
        plans = {
            index: dataclasses.replace(one, epsilon=stated_epsilon(_ZERO, one.rho, delta, conversion))
            for index, one in plans.items()
        }
    return Separate(
        query=query,
        hats=_planned_hats(contributions, city.selection, plans),
        upper_bound=users.upper_bound,
        charge=rho_charge_of(contributions, pico_rhos, users.unit),
        sign=_sign_of(city, published, question),
    )


def _plan_each(city: CountedCity, query: Query, published: NDArray[np.bool_], progress: Progress) -> Separate:
    """Each HAT alone, by pure epsilon."""
    contributions, users, selection = city.contributions, city.users, city.selection
    shares = _Shares(city, query)
    rule = query.question.statistic.suppression(query.question, users.upper_bound)
    micro_epsilons, retained = shares.divided(published, None, part(progress, 0.0, 0.3)), None
    if rule is not None:
        retained = suppress_users(
            contributions, users, published, micro_epsilons, rule, part(progress, 0.3, 0.8)
        )
        published = published & (distinct_vehicles(contributions, retained.rows) >= city.minimum_vehicles)
        _require_any(published, city)
        micro_epsilons = shares.divided(published, retained, part(progress, 0.8, 0.9))
    counts, question = counts_of(contributions, users, retained, city.cache), query.question
    planning = part(progress, 0.9 if rule else 0.3, 1.0)
    hats = []
    # most HATs of a query spend one and the same epsilon
    epsilons = {micro: from_micro_epsilon(micro) for micro in np.unique(micro_epsilons).tolist()}
    spent, chosen = micro_epsilons.tolist(), published.tolist()
    grid, places = contributions.window.grid, contributions.places
    for number, (cell, slot, index) in enumerate(
        zip(selection.cell.tolist(), selection.slot.tolist(), selection.index.tolist(), strict=True)
    ):
        plan = None
        if index >= 0 and chosen[index]:
            plan = question.statistic.plan(counts(index), epsilons[spent[index]], question)
        hats.append(PlannedHat(cell=cell, slot=slot, grid=grid, places=places, index=index, plan=plan))
        planning((number + 1) / len(selection), "Planning the noise")
    return Separate(
        query=query,
        hats=tuple(hats),
        upper_bound=users.upper_bound,
        charge=charge_of(contributions, micro_epsilons, users.unit, retained.rows if retained else None),
        retained=retained,
        sign=_sign_of(city, published, question),
    )


def _sign_of(city: CountedCity, published: NDArray[np.bool_], question: AnyQuestion) -> PublicSign | None:
    """Of the published HATs, as they are selected; None where no number is smoothed."""
    if not getattr(question.params, SMOOTH, False):
        return None
    index = city.selection.index[city.selection.index >= 0]
    sign = city_pairs(city.users, published).records_per_visit(speeds=question.of_speeds)
    return sign.take(columns_of(published)[index[published[index]]])


def _plan_joint(
    counted: CountedCity, query: Query, published: NDArray[np.bool_], progress: Progress
) -> Joint:
    """All HATs as one. Raises InputError for a mechanism that looks at no counts."""
    contributions, selection, params = counted.contributions, counted.selection, query.question.params
    upper_bound = counted.users.upper_bound
    if isinstance(params, ShareParams):
        shares, charge = plan_shares(counted, published, query, params, progress)
        return JointShares(
            query=query,
            hats=_planned_hats(contributions, selection, share_hat_plans(shares)),
            upper_bound=upper_bound,
            charge=charge,
            city=shares.city,
            shares=shares,
        )
    if not isinstance(params, TokensParams):
        raise InputError(
            "{title} is planned from public constants, not from counts.",
            title=query.question.title,
            where="query.mechanism",
            mend='write relation = "user", or choose a mechanism of relation values',
        )
    city, charge = plan_city_query(counted, published, query, params, progress)
    return Joint(
        query=query,
        hats=_planned_hats(contributions, selection, city_hat_plans(city)),
        upper_bound=upper_bound,
        charge=charge,
        city=city,
    )


def _plan_by_region(counted: CountedCity, query: Query, progress: Progress) -> Joint:
    """All hexagons that are selected in any slot, in all of their slots: a region is hexagons times hours."""
    contributions, selection = counted.contributions, counted.selection
    chosen = np.isin(contributions.cell, selection.cell)
    _require_any(chosen, counted)
    city, charge = plan_region_query(counted, chosen, query, progress)
    index, empty = np.flatnonzero(chosen), selection.index < 0
    hats = Selection(
        cell=np.concatenate((contributions.cell[index], selection.cell[empty])),
        slot=np.concatenate((contributions.slot[index], selection.slot[empty])),
        index=np.concatenate((index, selection.index[empty])),
    )
    of_region, column = city_hat_plans(city), city.columns(contributions.hats)
    plans = {hat: of_region[column[hat]] for hat in np.flatnonzero(column >= 0).tolist()}
    return Joint(
        query=query,
        hats=_planned_hats(contributions, hats, plans),
        upper_bound=counted.users.upper_bound,
        charge=charge,
        city=city,
    )


def _planned_hats(
    contributions: Contributions, selection: Selection, plans: Mapping[int, AnyHatPlan]
) -> tuple[PlannedHat, ...]:
    """The selected HATs with their plans, by number in the contributions."""
    grid, places = contributions.window.grid, contributions.places
    columns = (selection.cell.tolist(), selection.slot.tolist(), selection.index.tolist())
    return tuple(
        PlannedHat(cell=cell, slot=slot, grid=grid, places=places, index=index, plan=plans.get(index))
        for cell, slot, index in zip(*columns, strict=True)
    )


@dataclass(frozen=True, slots=True)
class _Shares:
    """Divides a query's budget over HATs."""

    city: CountedCity
    query: Query

    def divided(
        self, published: NDArray[np.bool_], retained: RetainedUsers | None, progress: Progress
    ) -> NDArray[np.int64]:
        """Epsilon of each HAT in steps of 1e-6, shape (G,)."""
        budget, scales = self.query.budget, None
        question = self.query.question
        if budget.noise_scale is not None:
            return _of_noise_scale(question, budget.noise_scale, self._counts(retained), published, progress)
        if budget.needs_scales:
            scales = _scales(question, self._counts(retained), published, progress)
        return hat_micro_epsilons(
            budget,
            self.city.contributions,
            published,
            self.city.users.unit,
            scales=scales,
            retained=retained.rows if retained else None,
        )

    def _counts(self, retained: RetainedUsers | None) -> Callable[[int], HatCounts]:
        return counts_of(self.city.contributions, self.city.users, retained, self.city.cache)


def publishable(city: CountedCity) -> NDArray[np.bool_]:
    """Shape (G,): selected HATs with enough distinct vehicles. Raises InputError where there is none."""
    index = city.selection.index
    published = np.zeros(city.contributions.hats, bool)
    published[index[index >= 0]] = True
    published &= distinct_vehicles(city.contributions) >= city.minimum_vehicles
    _require_any(published, city)
    return published


def _require_any(published: NDArray[np.bool_], city: CountedCity) -> None:
    if not published.any():
        raise InputError(
            "Every selected hexagon slot has fewer than {counted_vehicles}.",
            counted_vehicles=count_of(city.minimum_vehicles, "vehicle"),
            where="selection.minimum_vehicles",
            mend=text_of(
                "choose {larger}, or select other hexagon slots",
                larger=larger_rows(city.contributions.choice.place_kind, city.contributions.window),
            ),
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
                "{title} has noise that depends on more than counts and epsilon.",
                title=question.title,
                where="query.division",
                mend='divide the total equally (division = "equal"), or choose another method',
            )
        scales[index] = scale
        progress(index / published.size, "Planning the noise")
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
        progress(index / published.size, "Planning the noise")
    return micro_epsilons
