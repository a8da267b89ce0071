"""A statistic of every selected HAT: planned without any value, then drawn (method 7-9)."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from threading import Event, Lock
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.accounting.budgets import Budget
from core.accounting.compose import to_micro_epsilon
from core.accounting.exact_loss import RUNNING, conversion_of
from core.accounting.query_epsilons import QueryEpsilons
from core.arrays import Floats
from core.bounding.bounding_facts import BoundingFacts
from core.bounding.counts_file import CountedHats
from core.city.city_draw import Corrected
from core.city.noise_kind import NoiseKind
from core.city.regions import Region, Regions
from core.contributions import Contributions, PairTable, UserTable
from core.hats.places import HEXAGONS, PlaceIds
from core.hats.slots import SlotGrid
from core.mechanisms.covariate import PublicSign
from core.noise.source import Scopes
from core.planning.hat_figures import HatFigures
from core.planning.user_suppression import RetainedUsers
from core.prior.public_source import SourceRequest
from core.privacy import Allowance, Charge, Unit
from core.progress import Progress
from core.shares.share_model import constant_error_of_shares
from core.statistics.base import AnyHatPlan, AnyQuestion, Estimate, MadeBy, MeasurePlan
from core.statistics.cdf_band import ExpectedBand
from core.statistics.share import AnyShareParams, asked_ranges

T = TypeVar("T")
_LOOK_S = 0.1
"""Seconds between two looks at whether the thread that plans or draws is done."""
_WORKING: dict[tuple[int, Callable[..., Any]], Event] = {}
"""By the plan's id and what is computed of it: that is set once it is done."""
_WORKING_LOCK = Lock()


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
    """How many units that source counts; 0 where it does not."""
    former_spreads: tuple[float, ...] = field(default=(), compare=False)
    """What the newest release of the same city was fitted to, in the value's unit; empty: there is none.

    Errors of smoothed numbers are foretold by it, and no plan follows from it.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedHat:
    """One selected HAT; `plan` is None where it is suppressed."""

    cell: int
    """The hexagon, or the number of another place."""
    slot: int
    grid: SlotGrid
    """What the slot is counted in."""
    places: PlaceIds = HEXAGONS
    index: int
    """Number in the contributions, -1 where there are no records, and in relation `user`."""
    plan: AnyHatPlan | None

    @property
    def cell_text(self) -> str:
        return self.places.id_text(self.cell)

    @property
    def name(self) -> str:
        """The id text of the HAT."""
        return self.places.hat_id(self.grid, self.slot, self.cell)


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


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class QueryPlan(ABC):
    """A whole query before any noise: what it will cost and how exact it will be.

    It is of one of three kinds: `Separate`, `Joint` or `FromConstants`. Methods say what they differ in, so
    that nobody has to ask which it is.
    """

    query: Query
    hats: tuple[PlannedHat, ...]
    charge: Charge
    upper_bound: int
    """U in thousandths of km/h."""
    smoothed_errors: tuple[float, ...] | None = None
    """What the smoothed number of each of `published` typically misses, in the value's unit; None where
    nothing is smoothed, or where that was not computed (`core.advice.smoothed`)."""
    drawn_errors: DrawnErrors | None = None
    """Of stored draws, where a search may find another plan today; None: nothing is drawn yet."""
    _found: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """By what `once` was given."""

    def once(self, work: Callable[..., T], *watched: Progress) -> T:
        """What follows from the plan alone, computed at the first call: of many HATs it takes a while.

        A second thread waits for the first, and computes it where that one was stopped. Raises what the work
        and `watched` raise.
        """
        key = id(self), work
        while work not in self._found:
            with _WORKING_LOCK:
                done = _WORKING.get(key)
                own = _WORKING.setdefault(key, Event())
            if done is not None:
                while not done.wait(_LOOK_S):
                    for progress in watched:
                        progress(0.0)
                continue
            try:
                self._found[work] = work(self, *watched)
            finally:
                with _WORKING_LOCK:
                    del _WORKING[key]
                own.set()
        found: T = self._found[work]
        return found

    def outlived_by(self, made: T) -> T:
        """What was made of this plan holds it: who asks for the same plan later finds it still."""
        if isinstance(made, QueryPlan):
            made._found[QueryPlan.outlived_by] = self
        return made

    def foretold_by(self, former_spreads: tuple[float, ...]) -> Self:
        """The same plan, whose errors of smoothed numbers are to be foretold by these spreads."""
        if former_spreads == self.query.former_spreads:
            return self
        query = dataclasses.replace(self.query, former_spreads=former_spreads)
        return dataclasses.replace(self, query=query, smoothed_errors=None)

    def sampled(self, _most: int) -> Self:
        """The same plan of so many published HATs, where each is drawn alone; else all of it."""
        return self

    # what the kinds differ in

    @property
    @abstractmethod
    def gaussian(self) -> bool:
        """All of its noise is Gaussian."""

    @property
    @abstractmethod
    def lattice_error(self) -> float:
        """H of all that it draws with Gaussian noise (method 13.8); 0 without any."""

    @property
    @abstractmethod
    def division(self) -> str:
        """How the budget was spread over the HATs."""

    @property
    @abstractmethod
    def merged(self) -> Regions | None:
        """What HATs are merged into; None where each is published."""

    @property
    @abstractmethod
    def allowances(self) -> tuple[Allowance, ...]:
        """What the noise of each HAT, or of all of them together, may spend."""

    @abstractmethod
    def draw(
        self, contributions: Contributions, users: UserTable, pairs: PairTable, key: bytes, noise: Scopes, /
    ) -> DrawnRows:
        """Draw every published HAT, or region; in relation `user` every candidate.

        users, pairs: of the contributions; key: of the population, by which relation `user` chooses the HATs
        of a vehicle that count.
        """

    @property
    @abstractmethod
    def made_by(self) -> Mapping[str, MadeBy]:
        """What a reader needs beside the scales to work these out again."""

    @property
    @abstractmethod
    def half_widths(self) -> Floats | None:
        """Of the 95 % interval of each published HAT's number; None where they are not known before."""

    @property
    def retained(self) -> RetainedUsers | None:
        """Who stays where; None where nobody was suppressed."""
        return None

    @property
    def bounding(self) -> BoundingFacts | None:
        """The public constants that it follows from; None where it follows from exact counts."""
        return None

    @property
    def noise_kind(self) -> NoiseKind | None:
        """Of all HATs together; None where each is planned by itself."""
        return None

    @property
    def hat_figures(self) -> Mapping[int, HatFigures]:
        """Number of a HAT in the contributions -> its figures, where all are planned together."""
        return {}

    @property
    def expected_band(self) -> ExpectedBand | None:
        """Of a usual HAT's curve, the one with the median typical error. None where there are no curves."""
        errors = np.array([one.lead.typical_error for one in self.plans])
        usual = self.plans[int(np.argsort(errors, kind="stable")[errors.size // 2])]
        return self.query.question.statistic.expected_band(usual)

    @property
    def of_a_usual_hat(self) -> bool:
        """Errors are those of a HAT that is just published: no count tells how busy each one is."""
        return False

    @property
    def noise_follows_draw(self) -> bool:
        """Only released numbers tell how exact each of them is."""
        return False

    @property
    def largest_error(self) -> float:
        """What the noisiest region misses on average."""
        return max(one.lead.typical_error for one in self.plans)

    @property
    def region_epsilons(self) -> Sequence[Decimal]:
        """What a unit spends in each of `regions` at most."""
        return ()

    def epsilon_alone(self, _contributions: Contributions, _users: UserTable, /) -> Decimal:
        """What a HAT has, or would have if each were drawn alone by pure epsilon."""
        return self.plans[0].epsilon

    def day_epsilons(self, _contributions: Contributions, _unit: Unit, /) -> QueryEpsilons | None:
        """By vehicle, vehicle-day and HAT, where a Laplace scale may be asked of the statistic (method 8)."""
        return None

    def smoothed_hats(self, _drawn: DrawnRows | None, /) -> tuple[PlannedHat, ...]:
        """Whose numbers are smoothed; drawn: what the noise gave, if it is drawn."""
        return self.published

    def smoothed_sign(self, _drawn: DrawnRows | None, /) -> PublicSign | None:
        """The public sign of the mean of each of `smoothed_hats`; None: there is none."""
        return None

    def biases(self, leads: Sequence[MeasurePlan]) -> tuple[Floats, Floats]:
        """What intervals allow for, and what is expected; shape (G,). leads: of the smoothed HATs."""
        interval = np.array([lead.interval_bias or 0.0 for lead in leads])
        return interval, np.array([lead.typical_bias or 0.0 for lead in leads])

    # what follows from it

    @property
    def errors_known_of(self) -> str:
        """Which HAT a typical error is stated for; empty where it is stated for all."""
        return "" if self.bounding is None else self.bounding.errors_known_of

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


def conversion_of_plans(plans: Sequence[QueryPlan]) -> str:
    """The formula by which a release of these queries is stated, or one of them by itself (method 13.8)."""
    gaussian = any(plan.charge.rho for plan in plans)
    return conversion_of(sum(plan.lattice_error for plan in plans)) if gaussian else RUNNING


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


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnErrors:
    """What the numbers miss of the plan that was drawn."""

    raw: QueryErrors
    smoothed: ErrorSpread | None
    """Typical; None where nothing is smoothed."""


def query_errors(plans: tuple[AnyHatPlan, ...], measure: int = 0) -> QueryErrors:
    """Typical error and error at worst of one of the statistic's measures; plans must not be empty."""
    one = [plan.measures[measure] for plan in plans]
    return QueryErrors(
        typical=_spread_of([plan.typical_error for plan in one]),
        at_worst=_spread_of([plan.error_at_worst for plan in one]),
    )


def hats_with_errors(plan: QueryPlan) -> Iterator[tuple[PlannedHat, float | None]]:
    """Every selected HAT with what the number that readers see typically misses, smoothed where it is known;
    None where nothing is published.
    """
    errors = iter(plan.smoothed_errors or [one.lead.typical_error for one in plan.plans])
    return ((hat, next(errors) if hat.plan else None) for hat in plan.hats)


def seen_errors(plan: QueryPlan) -> ErrorSpread:
    """Typical error of the numbers that readers see: smoothed where the plan holds it."""
    return smoothed_errors(plan) or plan.errors.typical


def smoothed_errors(plan: QueryPlan) -> ErrorSpread | None:
    """Typical error of the smoothed numbers; None where the plan does not hold it."""
    return plan.once(_smoothed_spread)


def _smoothed_spread(plan: QueryPlan) -> ErrorSpread | None:
    if plan.drawn_errors is not None:
        return plan.drawn_errors.smoothed
    return _spread_of(list(plan.smoothed_errors)) if plan.smoothed_errors else None


def _published_of(plan: QueryPlan) -> tuple[PlannedHat, ...]:
    return tuple(hat for hat in plan.hats if hat.plan)


def _plans_of(plan: QueryPlan) -> tuple[AnyHatPlan, ...]:
    return tuple(hat.plan for hat in plan.hats if hat.plan)


def _leading_errors(plan: QueryPlan) -> QueryErrors:
    return query_errors(plan.plans) if plan.drawn_errors is None else plan.drawn_errors.raw


def rising_epsilons(plan: QueryPlan) -> tuple[Decimal, ...]:
    """What each published HAT gets, ascending."""
    return plan.once(_sorted_epsilons)


def _sorted_epsilons(plan: QueryPlan) -> tuple[Decimal, ...]:
    return tuple(sorted(one.epsilon for one in plan.plans))


def error_of_constant(question: AnyQuestion, upper_bound: int) -> float | None:
    """The same before there is a plan; None where no range holds for all numbers. U in thousandths."""
    params, statistic = question.params, question.statistic
    if isinstance(params, AnyShareParams):
        return constant_error_of_shares(asked_ranges(params, statistic.quantity.lower, upper_bound))
    return statistic.measures[0].constant_error(upper_bound)


def error_of_a_constant(plan: QueryPlan) -> float | None:
    """What one public constant for every HAT typically misses, in the unit of the leading measure.

    Where no range holds for all numbers, half of that of the median HAT; None where nothing public tells one.
    """
    constant = error_of_constant(plan.query.question, plan.upper_bound)
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
