"""What a draft of relation `user` would give by public counts, once C is typed (method 12).

The counts of the records pass through to confidential screens; nothing that is planned looks at them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np

from core.advice.forecast import Forecast, HatOverview
from core.arrays import Floats
from core.bounding.bounded_mean import BoundedMeanPlan
from core.bounding.bounded_query2 import BoundedLimitsPlan
from core.bounding.candidates import candidate_hats
from core.bounding.constants import BoundingConstants
from core.bounding.public_counts import PublicCounts
from core.errors import InputError
from core.grouping.plan_cache import PlanCache
from core.hats.places import HEXAGONS, PlaceIds
from core.hats.window import Window
from core.planning.constant_choice import errors_of_hats
from core.planning.from_constants import FromConstants
from core.planning.query_plan import PlannedHat, Query, QueryPlan
from core.planning.user_query import ONE_DAY, days_that_count, plan_user_query
from core.prior.public_prior import PriorReader, PublicPrior
from core.prior.public_source import PublicSource
from core.privacy import Unit
from core.progress import Progress, silent
from core.selection.base import CellColumns, ListedHats, Selection
from core.statistics.mean import MeanQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicChoices:
    """What somebody has typed or named so far, and what is public beside it; none of it from the records."""

    unit: Unit | None
    hats_per_vehicle: int | None
    """C."""
    days_per_vehicle: int | None
    """Days of one vehicle that count, where a query counts them apart."""
    cells: tuple[int, ...]
    places: PlaceIds = HEXAGONS
    """What `cells` number."""
    hats: ListedHats = ()
    """Those that a list names with their slots; empty: every slot of each place."""
    columns: CellColumns
    """What the boundary's file says about the cells."""
    resolution: int
    window: Window
    upper_bound: int
    """U in thousandths of the value's unit."""
    derived: bool
    """Values follow from positions."""
    threshold: int
    """The noisy number of vehicles that publishes a HAT."""
    prior: PublicPrior
    """What is known beforehand."""
    reader: PriorReader = field(compare=False, repr=False)
    delta: Decimal
    """What the population allows."""
    cache: PlanCache | None = field(default=None, compare=False, repr=False)
    """Of an owner who asks for the same plans again."""

    def constants(self) -> BoundingConstants:
        """With a vehicle, one HAT and one day where these are still open, for what follows from none of them.

        Raises InputError for constants that bound nothing.
        """
        return BoundingConstants(
            unit=self.unit or Unit.VEHICLE,
            hats_per_vehicle=1 if self.hats_per_vehicle is None else self.hats_per_vehicle,
            days_per_vehicle=ONE_DAY if self.days_per_vehicle is None else self.days_per_vehicle,
            cells=self.cells,
            places=self.places,
            window=self.window,
            listed=self.hats,
            upper_bound=self.upper_bound,
            derived=self.derived,
        )

    def source(self, progress: Progress = silent) -> PublicSource | None:
        """What the source of public counts states of the candidates; None where numbers are typed.

        Raises InputError for what cannot be read or used, and what `progress` raises.
        """
        asked = self.cells, self.window, self.resolution, self.unit or Unit.VEHICLE
        return self.reader.read(self.prior, *asked, progress, places=self.places)

    def planner(self, progress: Progress = silent) -> Callable[[Query], FromConstants]:
        """Plans queries, with what public counts say of them where enough is known. Raises as `source`."""
        return self.planner_by(self.source(progress))

    def planner_by(self, found: PublicSource | None) -> Callable[[Query], FromConstants]:
        """The same by what the source of public counts states."""
        constants = self.constants()
        public = self.prior.counts(candidate_hats(constants), found) if self.prior.enough else None

        def planned(query: Query) -> FromConstants:
            asked = self.threshold, self.delta, self.columns, self.cache
            plan = plan_user_query(query, constants, *asked)
            return plan if public is None else informed_by(plan, public, constants)

        return planned


def user_forecast(
    overview: HatOverview,
    choices: Callable[[], PublicChoices],
    queries: Callable[[PublicSource | None], Sequence[Query]],
    progress: Progress = silent,
) -> Forecast:
    """Plan as far as the choices go. Never raises for a choice that does not fit.

    choices, queries: free to raise InputError; queries gets what the source of public counts states. Where
    something is known beforehand, typical errors are those that it expects, and a HAT without anybody has no
    plan.
    """
    selection: Selection | None = None
    plans: tuple[QueryPlan, ...] = ()
    problem: InputError | None = None
    try:
        chosen = choices()
        constants = chosen.constants()
        candidates = candidate_hats(constants)
        selection = Selection(
            cell=candidates.cell, slot=candidates.slot, index=np.full(len(candidates), -1, np.int64)
        )
        if chosen.unit is not None:
            found = chosen.source(progress)
            asked = queries(found)
            _require_hats_per_vehicle(chosen, asked)
            days_that_count(asked, chosen.unit, chosen.window, chosen.days_per_vehicle)
            plan, planned = chosen.planner_by(found), []
            for number, query in enumerate(asked):
                progress(number / len(asked), "Planning the noise")
                planned.append(plan(query))
            plans = tuple(planned)
    except InputError as error:
        problem = error
    return Forecast(
        overview=overview,
        selection=selection,
        users=None,
        plans=plans,
        single_vehicle=0,
        problem=problem,
        alone=None,
        protects_presence=True,
    )


def informed_by(plan: FromConstants, public: PublicCounts, constants: BoundingConstants) -> FromConstants:
    """The plan with what public counts say of it, where counts had no part in it: what means are expected to
    miss, and how many vehicles there are to count.

    Without a plan is a HAT where nobody is expected to give a mean. Noise, charge and what is drawn are the
    same. public: of all candidates, in their order. Raises InputError where nobody is expected anywhere.
    """
    drawn_by = plan.bounded.plan
    if isinstance(drawn_by, BoundedLimitsPlan):
        # a protected unit counts on so many days, of its kind where kinds tell rows apart; numbers are of one
        days = drawn_by.days
        most: Floats = public.retained(constants) * np.minimum(constants.days, days) / days
        counted = zip(plan.hats, most.tolist(), strict=True)
        return dataclasses.replace(plan, hats=tuple(_at_most(hat, one) for hat, one in counted))
    if not isinstance(plan.query.question, MeanQuestion) or not isinstance(drawn_by, BoundedMeanPlan):
        return plan
    errors: Floats = errors_of_hats(drawn_by, public, constants)
    expected = zip(plan.hats, errors.tolist(), strict=True)
    return dataclasses.replace(plan, hats=tuple(_expected(hat, error) for hat, error in expected))


def _at_most(hat: PlannedHat, vehicles: float) -> PlannedHat:
    """vehicles: that a usual day has at most; 0 says nothing of a HAT, as it may only be missing."""
    if hat.plan is None or not vehicles:
        return hat
    measures = tuple(dataclasses.replace(one, largest=vehicles) for one in hat.plan.measures)
    return dataclasses.replace(hat, plan=dataclasses.replace(hat.plan, measures=measures))


def _expected(hat: PlannedHat, error: float) -> PlannedHat:
    if hat.plan is None or np.isnan(error):
        return dataclasses.replace(hat, plan=None)
    measures = tuple(dataclasses.replace(one, typical_error=error) for one in hat.plan.measures)
    return dataclasses.replace(hat, plan=dataclasses.replace(hat.plan, measures=measures))


def _require_hats_per_vehicle(chosen: PublicChoices, queries: Sequence[Query]) -> None:
    if chosen.hats_per_vehicle is None and any(map(_counts_hats, queries)):
        raise InputError(
            "The number of hexagon slots that count per vehicle (C) is missing.",
            where="privacy.hats_per_vehicle",
            mend="enter roughly how many a vehicle in this city visits; public counts show which is best",
        )


def _counts_hats(query: Query) -> bool:
    """Whether C bounds what a unit adds; records have prices of their own in a plan by public counts."""
    takes = (query.question.statistic, getattr(query.question, "mechanism", None))
    return not any(getattr(one, "takes_public_counts", False) for one in takes)
