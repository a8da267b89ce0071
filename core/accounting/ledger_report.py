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
    limits,
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
    zone: str
    """IANA name; empty where an older ledger does not tell."""
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
    """A population's budget. All amounts are exact decimals of pure epsilon.

    Linked populations have one budget: what any of them ever spent, and the smallest of their limits.
    """

    name: str
    relation: Relation | None
    """None until the first reservation."""
    zone: str
    """IANA name of the zone of its days; empty until the first reservation."""
    per_vehicle: Decimal | None
    """Limit per vehicle over all time; None: it has none yet, and releases nothing."""
    per_vehicle_day: Decimal | None
    """Limit per vehicle and date; None for no such limit."""
    own_per_vehicle: Decimal | None
    """Its own limit, where those linked to it may have smaller ones."""
    own_per_vehicle_day: Decimal | None
    delta: Decimal
    spent: Decimal
    """Per vehicle over all time."""
    spent_per_day: Decimal
    """Per vehicle on the costliest date."""
    spent_by_date: Mapping[dt.date, Decimal]
    """Per vehicle on each date with a charge."""
    left: Decimal
    """Per vehicle; 0 when the limit is below what is spent."""
    over_limit: bool
    """Linked populations that together spent more than a limit release nothing until it is raised."""
    linked: tuple[str, ...]
    """All that share its vehicles, directly or through others."""
    evaluated_on: dt.date | None
    """When errors on its true values were first asked for, UTC; None for never."""
    entries: tuple[EntrySummary, ...]

    def spent_per_day_with(self, charge: Charge) -> Decimal:
        """What a vehicle would have spent, with this charge too, on the dearest of its dates.

        At least `charge.per_vehicle_day`, which several queries, whose maxima add, may lift above every date.
        """
        by_date = (self.spent_by_date.get(date, ZERO) + asked for date, asked in charge.per_date.items())
        return max((charge.per_vehicle_day, *by_date))


def summarise_populations(state: LedgerState) -> tuple[PopulationSummary, ...]:
    """Every population, by name."""
    return tuple(_summary(state, population) for population in state.populations.values())


def _summary(state: LedgerState, population: Population) -> PopulationSummary:
    name, policy = population.name, population.policy
    entries, zone = state.charged_to(name), state.zone_of(name)
    smallest = limits(state.group(name))
    per_vehicle, per_day = smallest[Unit.VEHICLE], smallest[Unit.VEHICLE_DAY]
    spent, by_date = spent_per_vehicle(entries), spent_per_date(entries, zone)
    dearest = max(by_date.values(), default=ZERO)
    return PopulationSummary(
        name=name,
        relation=state.relation_of(name),
        zone=zone,
        per_vehicle=per_vehicle,
        per_vehicle_day=per_day,
        own_per_vehicle=policy.per_vehicle if policy else None,
        own_per_vehicle_day=policy.per_vehicle_day if policy else None,
        delta=policy.delta if policy else ZERO,
        spent=spent,
        spent_per_day=dearest,
        spent_by_date=by_date,
        left=ZERO if per_vehicle is None else max(per_vehicle - spent, ZERO),
        over_limit=bool(population.linked) and (_exceeds(spent, per_vehicle) or _exceeds(dearest, per_day)),
        linked=population.linked,
        evaluated_on=population.evaluated_on,
        entries=tuple(_entry(entry) for entry in entries),
    )


def _exceeds(spent: Decimal, limit: Decimal | None) -> bool:
    return limit is not None and spent > limit


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
        zone=entry.zone,
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
    return {
        "name": population.name,
        "relation": population.relation and population.relation.value,
        "zone": population.zone or None,
        "limit_per_vehicle": _optional(population.per_vehicle),
        "limit_per_vehicle_day": _optional(population.per_vehicle_day),
        "own_limit_per_vehicle": _optional(population.own_per_vehicle),
        "own_limit_per_vehicle_day": _optional(population.own_per_vehicle_day),
        "delta": plain(population.delta),
        "spent_per_vehicle": plain(population.spent),
        "spent_per_vehicle_day": plain(population.spent_per_day),
        "left_per_vehicle": plain(population.left),
        "linked": list(population.linked),
        "evaluated_on": population.evaluated_on and population.evaluated_on.isoformat(),
        "entries": [entry.number for entry in population.entries],
    }


def _optional(amount: Decimal | None) -> str | None:
    return None if amount is None else plain(amount)


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
        "zone": entry.zone or None,
        "mechanisms": list(entry.mechanisms),
        "epsilons": dict(entry.epsilons),
        "constants": dict(entry.constants),
        "code_version": entry.code_version,
        "charge": charge_to_json(entry.charge),
        "state": entry.state.value,
        "bundles": list(entry.bundles),
    }
