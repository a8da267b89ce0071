"""Which HATs a command takes for a whole city, and the delta that it counts with: a spec's, or a draft's."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from decimal import Decimal

from core.accounting.ledger import Ledger
from core.cli.home_option import home_of
from core.hats.record_dates import all_hours
from core.hats.window import Window
from core.privacy import Unit
from core.records.records import Records
from core.selection.base import SelectionRequest
from core.spec import DEFAULT_THRESHOLD, ReleaseSpec, default_of
from core.values import parse_delta


@dataclass(frozen=True, slots=True, kw_only=True)
class CityGrid:
    """Which HATs of the data make a joint release."""

    resolution: int
    window: Window
    selection: SelectionRequest
    minimum_vehicles: int
    unit: Unit


def grid_of(spec: ReleaseSpec | None, records: Records) -> CityGrid:
    """As the spec has it, otherwise as a new draft has it."""
    if spec is not None:
        return CityGrid(
            resolution=spec.resolution,
            window=spec.window,
            selection=spec.selection,
            minimum_vehicles=spec.minimum_vehicles,
            unit=spec.unit,
        )
    return CityGrid(
        resolution=default_of("hats.resolution"),
        window=all_hours(records),
        selection=SelectionRequest(rule="hat", threshold=DEFAULT_THRESHOLD),
        minimum_vehicles=default_of("selection.minimum_vehicles"),
        unit=Unit.VEHICLE,
    )


def add_delta(parser: argparse.ArgumentParser) -> None:
    """Add `--delta`."""
    parser.add_argument(
        "--delta", metavar="D", help="allows Gaussian noise (default: what the spec's population allows)"
    )


def delta_for(options: argparse.Namespace, spec: ReleaseSpec | None, population: str = "") -> Decimal:
    """What is given, otherwise what the spec's population, or the named one, allows; 0 without either."""
    if options.delta is not None:
        return parse_delta(options.delta, where="--delta")
    name = spec.population if spec is not None else population
    if not name:
        return Decimal(0)
    with Ledger.open(home_of(options).ledger) as ledger:
        return ledger.delta_of(name)
