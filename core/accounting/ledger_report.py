"""What a ledger shows: populations, limits and entries, without keys, hashes or draws.

Source: method 13 (what exports omit), method 15 (`ledger show`, `ledger export`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.accounting.ledger_events import EVENT_FORMAT
from core.accounting.ledger_state import (
    ZERO,
    Entry,
    EntryState,
    LedgerState,
    Population,
    spent_per_date,
    spent_per_vehicle,
)
from core.privacy import Charge, Relation, Unit, charge_to_json
from core.values import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrySummary:
    """One entry that a population pays for."""

    number: int
    population: str
    """Whose release it is; another name when it is charged through a link."""
    charged: tuple[str, ...]
    reserved_on: dt.date
    """UTC."""
    relation: Relation
    unit: Unit
    dates: tuple[dt.date, ...]
    hours: tuple[str, str]
    mechanisms: tuple[str, ...]
    epsilons: Mapping[str, str]
    """Query id -> decimal text as given."""
    constants: Mapping[str, str]
    code_version: str
    charge: Charge
    state: EntryState
    bundles: tuple[str, ...]
    """Names of the published bundles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationSummary:
    """A population's budget. All amounts are exact decimals of pure epsilon."""

    name: str
    relation: Relation | None
    """None until the first reservation."""
    per_vehicle: Decimal
    """Limit per vehicle over all time."""
    per_vehicle_day: Decimal | None
    """Limit per vehicle and date; None for no such limit."""
    delta: Decimal
    spent: Decimal
    """Per vehicle over all time."""
    spent_per_day: Decimal
    """Per vehicle on the costliest date."""
    left: Decimal
    """Per vehicle; 0 when the limit was lowered below what is spent."""
    linked: tuple[str, ...]
    evaluated_on: dt.date | None
    """When errors on its true values were first asked for, UTC; None for never."""
    entries: tuple[EntrySummary, ...]

    def spent_per_day_with(self, charge: Charge) -> Decimal:
        """What a vehicle would have spent, with this charge too, on the dearest of its dates."""
        return max(
            (
                sum((entry.charge.per_date.get(date, ZERO) for entry in self.entries), asked)
                for date, asked in charge.per_date.items()
            ),
            default=ZERO,
        )


def summarise_populations(state: LedgerState) -> tuple[PopulationSummary, ...]:
    """Every population, by name."""
    return tuple(_summary(state, population) for population in state.populations.values())


def _summary(state: LedgerState, population: Population) -> PopulationSummary:
    entries = state.charged_to(population.name)
    policy = population.policy
    spent = spent_per_vehicle(entries)
    return PopulationSummary(
        name=population.name,
        relation=population.relation,
        per_vehicle=policy.per_vehicle,
        per_vehicle_day=policy.per_vehicle_day,
        delta=policy.delta,
        spent=spent,
        spent_per_day=max(spent_per_date(entries).values(), default=ZERO),
        left=max(policy.per_vehicle - spent, ZERO),
        linked=population.linked,
        evaluated_on=population.evaluated_on,
        entries=tuple(_entry(entry) for entry in entries),
    )


def _entry(entry: Entry) -> EntrySummary:
    reserved = entry.reserved
    return EntrySummary(
        number=reserved.entry,
        population=reserved.population,
        charged=reserved.charged,
        reserved_on=reserved.reserved_on,
        relation=reserved.relation,
        unit=reserved.unit,
        dates=reserved.dates,
        hours=reserved.hours,
        mechanisms=reserved.mechanisms,
        epsilons=reserved.epsilons,
        constants=reserved.constants,
        code_version=reserved.code_version,
        charge=reserved.charge,
        state=entry.state,
        bundles=tuple(published.bundle for published in entry.bundles),
    )


def export_json(populations: Sequence[PopulationSummary]) -> dict[str, Any]:
    """Populations and their entries as plain JSON values; amounts and dates become text."""
    entries = {entry.number: entry for population in populations for entry in population.entries}
    return {
        "format": EVENT_FORMAT,
        "populations": [_population_json(population) for population in populations],
        "entries": [_entry_json(entries[number]) for number in sorted(entries)],
    }


def _population_json(population: PopulationSummary) -> dict[str, Any]:
    per_day = population.per_vehicle_day
    return {
        "name": population.name,
        "relation": population.relation and population.relation.value,
        "limit_per_vehicle": plain(population.per_vehicle),
        "limit_per_vehicle_day": None if per_day is None else plain(per_day),
        "delta": plain(population.delta),
        "spent_per_vehicle": plain(population.spent),
        "spent_per_vehicle_day": plain(population.spent_per_day),
        "left_per_vehicle": plain(population.left),
        "linked": list(population.linked),
        "evaluated_on": population.evaluated_on and population.evaluated_on.isoformat(),
        "entries": [entry.number for entry in population.entries],
    }


def _entry_json(entry: EntrySummary) -> dict[str, Any]:
    return {
        "entry": entry.number,
        "population": entry.population,
        "charged": list(entry.charged),
        "reserved_on": entry.reserved_on.isoformat(),
        "relation": entry.relation.value,
        "unit": entry.unit.value,
        "dates": [date.isoformat() for date in entry.dates],
        "hours": list(entry.hours),
        "mechanisms": list(entry.mechanisms),
        "epsilons": dict(entry.epsilons),
        "constants": dict(entry.constants),
        "code_version": entry.code_version,
        "charge": charge_to_json(entry.charge),
        "state": entry.state.value,
        "bundles": list(entry.bundles),
    }
