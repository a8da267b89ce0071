"""Which HATs a command takes for a whole city: a spec's, or a draft's.

And what of its population a plan counts with: the delta, and the order of users with equal counts.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from decimal import Decimal

from core.accounting.epsilon_input import parse_delta
from core.accounting.ledger import Ledger
from core.accounting.ledger_rules import clean_name
from core.console.home_option import home_of
from core.contributions import EVALUATION_TIE_KEY
from core.hats.record_dates import all_hours
from core.hats.window import Window
from core.privacy import Unit
from core.records.records import Records
from core.selection.base import SelectionRequest
from core.spec import DEFAULT_THRESHOLD, ReleaseSpec, SpecParts, default_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CityGrid:
    """Which HATs of the data make a joint release."""

    resolution: int
    window: Window
    selection: SelectionRequest
    minimum_vehicles: int
    unit: Unit


GRID_TABLES = ("hats", "selection", "privacy")
"""The tables of a spec that `grid_of` looks at."""


def grid_of(spec: SpecParts | None, records: Records) -> CityGrid:
    """As far as the spec has it, otherwise as a new draft has it."""
    parts = spec or SpecParts()
    return CityGrid(
        resolution=parts.resolution or default_of("hats.resolution"),
        window=parts.window or all_hours(records),
        selection=parts.selection or SelectionRequest(rule="hat", threshold=DEFAULT_THRESHOLD),
        minimum_vehicles=minimum_of(parts),
        unit=parts.unit or Unit.VEHICLE,
    )


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
