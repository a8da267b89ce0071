"""Which HATs a command takes for a whole city: a spec's, or a draft's.

And what of its population a plan counts with: the delta, and the order of users with equal counts.
"""

from __future__ import annotations

import argparse
import dataclasses
from dataclasses import dataclass
from decimal import Decimal

from core.accounting.budgets import Budget
from core.accounting.epsilon_input import parse_delta, parse_epsilon
from core.accounting.ledger import Ledger
from core.accounting.ledger_rules import clean_name
from core.console.home_option import home_of
from core.contributions import EVALUATION_TIE_KEY, Contributions, contributions_of
from core.draft.draft import USUAL_TOTAL
from core.hats.places import PlaceChoice
from core.hats.record_dates import all_hours
from core.hats.window import Window
from core.mechanisms.registry import mechanisms_of
from core.planning.query_plan import Query
from core.privacy import Relation, Unit
from core.progress import Progress, silent
from core.quantity import Quantity
from core.records.records import Records
from core.release.former_spreads import FormerSpreads, former_spreads
from core.selection.base import SelectionRequest
from core.selection.finer_hats import counted_where_chosen
from core.spec import DEFAULT_THRESHOLD, ReleaseSpec, SpecParts, default_of
from core.statistics.question import question_of
from core.statistics.registry import require_statistic


@dataclass(frozen=True, slots=True, kw_only=True)
class CityGrid:
    """Which HATs of the data make a joint release."""

    resolution: int
    """Of hexagons; 0 for other places."""
    choice: PlaceChoice
    window: Window
    selection: SelectionRequest
    minimum_vehicles: int
    unit: Unit

    @property
    def compared_as(self) -> int:
        """Its resolution among grids that are compared; 0 for what no single resolution tells."""
        return 0 if self.choice.mixed else self.resolution

    def table(
        self, records: Records, resolution: int, window: Window, progress: Progress = silent
    ) -> Contributions:
        """The contributions of a grid; resolution: 0 for the places asked for.

        Raises what `contributions_of` does.
        """
        if resolution:
            return contributions_of(records, resolution, window, progress)
        table = contributions_of(records, self.resolution, window, progress, choice=self.choice)
        return counted_where_chosen(table, self.selection)

    def own_table(self, records: Records) -> Contributions:
        """The contributions of the places asked for."""
        return self.table(records, self.compared_as, self.window)


GRID_TABLES = ("hats", "selection", "privacy", "query")
"""The tables of a spec that `grid_of` and `joint_query` look at."""


def grid_of(spec: SpecParts | None, records: Records) -> CityGrid:
    """As far as the spec has it, otherwise as a new draft has it."""
    parts = spec or SpecParts()
    return CityGrid(
        resolution=default_of("hats.resolution") if parts.resolution is None else parts.resolution,
        choice=parts.place,
        window=parts.window or all_hours(records),
        selection=parts.selection or SelectionRequest(rule="hat", threshold=DEFAULT_THRESHOLD),
        minimum_vehicles=minimum_of(parts),
        unit=parts.unit or Unit.VEHICLE,
    )


def joint_query(
    options: argparse.Namespace, spec: SpecParts | None, total: str | None, quantity: Quantity
) -> Query:
    """The spec's joint query, otherwise tokens as a new draft has them; with the total that is asked for.

    With what the newest release of the spec's population was fitted to. Raises InputError for a total that is
    none.
    """
    return former_of(options, spec).given_to(_joint_query(spec, total, quantity))


def former_of(options: argparse.Namespace, spec: SpecParts | None) -> FormerSpreads:
    """What the newest release of the spec's population was fitted to; nothing without one."""
    if spec is None or not spec.population:
        return FormerSpreads()
    with Ledger.open(home_of(options).ledger) as ledger:
        return former_spreads(ledger, spec.population)


def _joint_query(spec: SpecParts | None, total: str | None, quantity: Quantity) -> Query:
    joint = next((one for one in spec.queries if one.question.joint), None) if spec else None
    budget = Budget(total=USUAL_TOTAL if total is None else parse_epsilon(total, where="--total"))
    if joint is not None:
        return joint if total is None else dataclasses.replace(joint, budget=budget)
    statistic = require_statistic("mean").of(quantity)
    tokens = next(one for one in mechanisms_of(Relation.VALUES).values() if one.joint)
    return Query(id=statistic.key, question=question_of(statistic, tokens, {}), budget=budget)


def minimum_of(parts: SpecParts) -> int:
    """The minimum number of vehicles, otherwise that of a new draft."""
    least = parts.minimum_vehicles
    return default_of("selection.minimum_vehicles") if least is None else least


def add_delta(parser: argparse.ArgumentParser) -> None:
    """Add `--delta`."""
    parser.add_argument(
        "--delta", metavar="D", help="allows Gaussian noise (default: what the spec's population allows)"
    )


def delta_for(
    options: argparse.Namespace, spec: SpecParts | ReleaseSpec | None, population: str = ""
) -> Decimal:
    """What is given, otherwise what the spec's population, or the named one, allows; 0 without either."""
    if options.delta is not None:
        return parse_delta(options.delta, where="--delta")
    name = (spec and spec.population) or population
    if not name:
        return Decimal(0)
    with Ledger.open(home_of(options).ledger) as ledger:
        return ledger.delta_of(name)


def tie_key_for(options: argparse.Namespace, spec: SpecParts | None, population: str = "") -> bytes:
    """What the spec's population, or the named one, orders users by, as its releases do.

    A constant where none is known.
    """
    name = (spec and spec.population) or population
    if not name:
        return EVALUATION_TIE_KEY
    with Ledger.open(home_of(options).ledger) as ledger:
        _, key = ledger.populations_and_key(clean_name(name))
    return key or EVALUATION_TIE_KEY
