"""The state of a ledger: a pure fold over its events, and how charges add up.

Charges of different releases add for a vehicle over all time. For a vehicle on one day only releases
that cover the date add, so the largest sum over dates counts. Sums are rounded up should they ever
exceed fifty digits, so that what was spent is never understated.

Source: method 13.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Context, Decimal
from enum import StrEnum

from core.accounting.ledger_events import (
    Evaluated,
    Event,
    LedgerCreated,
    Linked,
    PolicySet,
    PopulationCreated,
    Published,
    Reserved,
    Spent,
)
from core.errors import LedgerError
from core.paths import program_name
from core.privacy import Charge, Relation, Unit

_ADDING = Context(prec=50, rounding=ROUND_CEILING)
ZERO = Decimal(0)


class EntryState(StrEnum):
    """How far an entry has come. All three count as spent."""

    RESERVED = "reserved"
    SPENT = "spent"
    PUBLISHED = "published"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One reservation and what became of it."""

    reserved: Reserved
    draws: str | None = field(default=None, repr=False)
    """JSON text; None until the draws are stored."""
    bundles: tuple[Published, ...] = ()

    @property
    def state(self) -> EntryState:
        if self.bundles:
            return EntryState.PUBLISHED
        return EntryState.RESERVED if self.draws is None else EntryState.SPENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """A named set of vehicles with its keys and policy."""

    name: str
    tie_key: bytes = field(repr=False)
    hmac_key: bytes = field(repr=False)
    policy: PolicySet
    relation: Relation | None
    """None until the first reservation."""
    linked: tuple[str, ...]
    vehicles: frozenset[str] = field(repr=False)
    """Keyed hashes of every vehicle seen in its own entries."""
    evaluated_on: dt.date | None = None
    """When errors on its true values were first asked for, UTC; None for never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerState:
    """Everything the events add up to. `populations` by name; `entries` in order of their numbers."""

    vehicle_key: bytes = field(default=b"", repr=False)
    populations: Mapping[str, Population] = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()

    def entry(self, number: int) -> Entry:
        """Raises LedgerError when there is no such entry."""
        if not 1 <= number <= len(self.entries):
            raise LedgerError(
                f"The ledger has no entry {number}.",
                mend=f"see `{program_name()} ledger show` for its entries",
            )
        return self.entries[number - 1]

    def has_draws(self, population: str, spec_fingerprint: str) -> bool:
        """Whether draws are stored for a request that was the same before its data were read."""
        return any(
            entry.draws is not None and entry.reserved.spec_fingerprint == spec_fingerprint
            for entry in self.entries
            if entry.reserved.population == population
        )

    def charged_to(self, population: str) -> list[Entry]:
        """The entries that a population pays for: its own and those of populations linked to it."""
        return [entry for entry in self.entries if population in entry.reserved.charged]


def fold(events: Iterable[Event]) -> LedgerState:
    """The state after `events`. Raises LedgerError when they contradict each other."""
    draft = _Draft()
    try:
        for event in events:
            draft.apply(event)
        return draft.finish()
    except (LookupError, ValueError):
        raise LedgerError(
            "The events of the ledger contradict each other.",
            where="ledger",
            mend="restore the ledger and its head from the newest backup",
        ) from None


@dataclass(slots=True)
class _Draft:
    """The state while it is being folded; LookupError or ValueError for a contradiction."""

    vehicle_key: bytes = b""
    created: dict[str, PopulationCreated] = field(default_factory=dict)
    policies: dict[str, PolicySet] = field(default_factory=dict)
    links: dict[str, set[str]] = field(default_factory=dict)
    relations: dict[str, Relation] = field(default_factory=dict)
    vehicles: dict[str, set[str]] = field(default_factory=dict)
    evaluated: dict[str, dt.date] = field(default_factory=dict)
    entries: dict[int, Reserved] = field(default_factory=dict)
    draws: dict[int, str] = field(default_factory=dict)
    bundles: dict[int, list[Published]] = field(default_factory=dict)

    def apply(self, event: Event) -> None:
        if isinstance(event, LedgerCreated):
            self.vehicle_key = event.vehicle_key
        elif isinstance(event, PopulationCreated):
            self._create(event)
        elif isinstance(event, PolicySet):
            self.policies[self.created[event.population].population] = event
        elif isinstance(event, Linked):
            self.links[event.first].add(event.second)
            self.links[event.second].add(event.first)
        elif isinstance(event, Evaluated):
            self.evaluated.setdefault(self.created[event.population].population, event.on)
        elif isinstance(event, Reserved):
            self._reserve(event)
        else:
            self._conclude(event)

    def _create(self, event: PopulationCreated) -> None:
        if event.population in self.created:
            raise ValueError("created twice")
        self.created[event.population] = event
        self.links[event.population] = set()
        self.vehicles[event.population] = set()

    def _reserve(self, event: Reserved) -> None:
        if event.entry != len(self.entries) + 1 or event.population not in event.charged:
            raise ValueError("misnumbered or not charged to itself")
        if self.relations.setdefault(event.population, event.relation) != event.relation:
            raise ValueError("two relations")
        self.vehicles[event.population] |= event.new_vehicles
        self.entries[event.entry] = event
        self.bundles[event.entry] = []

    def _conclude(self, event: Spent | Published) -> None:
        drawn = event.entry in self.draws
        if drawn is isinstance(event, Spent) or event.entry not in self.entries:
            raise ValueError("wrong order of states")
        if isinstance(event, Spent):
            self.draws[event.entry] = event.draws
        else:
            self.bundles[event.entry].append(event)

    def finish(self) -> LedgerState:
        return LedgerState(
            vehicle_key=self.vehicle_key,
            populations={name: self._population(name) for name in sorted(self.created)},
            entries=tuple(
                Entry(reserved=event, draws=self.draws.get(number), bundles=tuple(self.bundles[number]))
                for number, event in self.entries.items()
            ),
        )

    def _population(self, name: str) -> Population:
        return Population(
            name=name,
            tie_key=self.created[name].tie_key,
            hmac_key=self.created[name].hmac_key,
            policy=self.policies[name],
            relation=self.relations.get(name),
            linked=tuple(sorted(self.links[name])),
            vehicles=frozenset(self.vehicles[name]),
            evaluated_on=self.evaluated.get(name),
        )


def add(*amounts: Decimal) -> Decimal:
    """The sum of budgets, never rounded down."""
    total = ZERO
    for amount in amounts:
        total = _ADDING.add(total, amount)
    return total


def spent_per_vehicle(entries: Iterable[Entry]) -> Decimal:
    """Epsilon per vehicle over all time: entries add."""
    return add(*(entry.reserved.charge.per_vehicle for entry in entries))


def spent_per_date(entries: Iterable[Entry]) -> dict[dt.date, Decimal]:
    """Date -> epsilon of the largest vehicle-day charges on it, summed over entries."""
    spent: dict[dt.date, Decimal] = {}
    for entry in entries:
        for date, amount in entry.reserved.charge.per_date.items():
            spent[date] = add(spent.get(date, ZERO), amount)
    return spent


def _spent_per_hat_and_date(entries: Iterable[Entry]) -> dict[dt.date, Decimal]:
    spent: dict[dt.date, Decimal] = {}
    for entry in entries:
        for date in entry.reserved.dates:
            spent[date] = add(spent.get(date, ZERO), entry.reserved.charge.per_vehicle_hat_day)
    return spent


def cumulative_charge(entries: list[Entry], charge: Charge, dates: Iterable[dt.date]) -> dict[Unit, Decimal]:
    """What a population will have spent per unit once `charge` for `dates` joins its `entries`.

    Per vehicle-day at least `charge.per_vehicle_day`: with several queries, whose maxima add, that can
    exceed the largest sum over one date.
    """
    by_date, by_hat = spent_per_date(entries), _spent_per_hat_and_date(entries)
    per_day = [add(by_date.get(date, ZERO), charge.per_date.get(date, ZERO)) for date in dates]
    per_hat = [add(by_hat.get(date, ZERO), charge.per_vehicle_hat_day) for date in dates]
    return {
        Unit.VEHICLE: add(spent_per_vehicle(entries), charge.per_vehicle),
        Unit.VEHICLE_DAY: max(charge.per_vehicle_day, *per_day),
        Unit.VEHICLE_HAT_DAY: max(per_hat),
    }


def limits(policy: PolicySet) -> dict[Unit, Decimal | None]:
    """The limits of a policy per unit; None where there is none."""
    return {
        Unit.VEHICLE: policy.per_vehicle,
        Unit.VEHICLE_DAY: policy.per_vehicle_day,
        Unit.VEHICLE_HAT_DAY: None,
    }
