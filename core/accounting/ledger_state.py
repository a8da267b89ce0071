"""The state of a ledger: a pure fold over its events, and how charges add up.

Charges of different releases add for a vehicle over all time. For a vehicle on one day only releases
that cover the date add, so the largest sum over dates counts. A date of an entry that may have been
counted in another zone overlaps two days, and counts on its neighbours too. Pure epsilon and rho add apart;
which date costs most follows from what the two come to at the population's delta.

Source: method 13.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from core.accounting.ledger_events import (
    Different,
    Evaluated,
    Event,
    LedgerCreated,
    Linked,
    Noticed,
    PolicySet,
    PopulationCreated,
    Published,
    Reserved,
    Spent,
)
from core.accounting.privacy_loss import NO_LOSS, PrivacyLoss, loss_of, losses_by_date, sum_of
from core.accounting.vehicle_marks import VehicleMarks
from core.errors import LedgerError
from core.privacy import Charge, Relation, Unit
from core.system.nested_texts import json_value
from core.system.paths import program_name
from core.texts import text_of

_DAY = dt.timedelta(days=1)
_ZONE_OF_DRAWS = re.compile(r'"zone": ("(?:[^"\\]|\\.)*")')
"""The only key of this name in stored draws: they can be too large to be parsed at every opening."""
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
    notices: tuple[Noticed, ...] = ()
    """What its publisher said of bundles that are out, in order."""
    zone: str = ""
    """IANA name of the zone of its dates; empty where an older ledger does not tell."""
    uncertain: bool = False
    """Its dates may be days of another zone than its population's."""

    @property
    def state(self) -> EntryState:
        if self.bundles:
            return EntryState.PUBLISHED
        return EntryState.RESERVED if self.draws is None else EntryState.SPENT

    def days_of(self, date: dt.date, zone: str) -> tuple[dt.date, ...]:
        """The days of `zone` that one of its dates counts on."""
        if self.zone == zone and not self.uncertain:
            return (date,)
        return (date - _DAY, date, date + _DAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """A named set of vehicles with its keys and policy.

    What its own entries fix is here; where it is linked, what counts is in `LedgerState`.
    """

    name: str
    tie_key: bytes = field(repr=False)
    hmac_key: bytes = field(repr=False)
    policy: PolicySet | None
    """None until a limit is set: nothing is released."""
    relation: Relation | None
    """None until the first reservation."""
    zone: str
    """IANA name, fixed by the first reservation; empty until then, or where an older ledger does not tell."""
    linked: tuple[str, ...]
    """Every population linked to it, directly or through others."""
    different: tuple[str, ...]
    """Those of other things, whatever their ids look like; a link counts for more."""
    vehicles: VehicleMarks = field(repr=False)
    """Of every vehicle seen in its own entries."""
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
                "The ledger has no entry {number}.",
                number=number,
                mend=text_of("see `{value} ledger show` for its entries", value=program_name()),
            )
        return self.entries[number - 1]

    def has_draws(self, population: str, spec_fingerprint: str) -> bool:
        """Whether draws are stored for a request that was the same before its data were read."""
        return any(
            entry.draws is not None and entry.reserved.spec_fingerprint == spec_fingerprint
            for entry in self.entries
            if entry.reserved.population == population
        )

    def group(self, population: str) -> list[Population]:
        """Everybody who pays for an entry of a population: itself first, then those linked to it."""
        first = self.populations[population]
        return [first, *(self.populations[name] for name in first.linked)]

    def charged_to(self, population: str) -> list[Entry]:
        """The entries that a population pays for: its own and those of populations linked to it.

        All that were ever made, also before the link.
        """
        names = {member.name for member in self.group(population)}
        return [entry for entry in self.entries if entry.reserved.population in names]

    def relation_of(self, population: str) -> Relation | None:
        """The relation of a population, its own or that of those linked to it; None until it is fixed."""
        return next((member.relation for member in self.group(population) if member.relation), None)

    def zone_of(self, population: str) -> str:
        """The zone of a population's days, likewise; empty until it is fixed."""
        return next((member.zone for member in self.group(population) if member.zone), "")


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
    different: dict[str, set[str]] = field(default_factory=dict)
    relations: dict[str, Relation] = field(default_factory=dict)
    zones: dict[str, str] = field(default_factory=dict)
    """Of the populations whose entries tell it themselves."""
    vehicles: dict[str, VehicleMarks] = field(default_factory=dict)
    evaluated: dict[str, dt.date] = field(default_factory=dict)
    entries: dict[int, Reserved] = field(default_factory=dict)
    draws: dict[int, str] = field(default_factory=dict)
    bundles: dict[int, list[Published]] = field(default_factory=dict)
    notices: dict[int, list[Noticed]] = field(default_factory=dict)

    def apply(self, event: Event) -> None:
        if isinstance(event, LedgerCreated):
            self.vehicle_key = event.vehicle_key
        elif isinstance(event, PopulationCreated):
            self._create(event)
        elif isinstance(event, PolicySet):
            self.policies[self.created[event.population].population] = event
        elif isinstance(event, Linked | Different):
            known = self.links if isinstance(event, Linked) else self.different
            first, second = event.populations
            known[first].add(second)
            known[second].add(first)
        elif isinstance(event, Evaluated):
            self.evaluated.setdefault(self.created[event.population].population, event.on)
        elif isinstance(event, Reserved):
            self._reserve(event)
        elif isinstance(event, Noticed):
            self._notice(event)
        else:
            self._conclude(event)

    def _create(self, event: PopulationCreated) -> None:
        if event.population in self.created:
            raise ValueError("created twice")
        self.created[event.population] = event
        self.links[event.population] = set()
        self.different[event.population] = set()
        self.vehicles[event.population] = VehicleMarks()

    def _reserve(self, event: Reserved) -> None:
        if event.entry != len(self.entries) + 1 or event.population not in event.charged:
            raise ValueError("misnumbered or not charged to itself")
        if self.relations.setdefault(event.population, event.relation) != event.relation:
            raise ValueError("two relations")
        if event.zone and self.zones.setdefault(event.population, event.zone) != event.zone:
            raise ValueError("two zones")
        self.vehicles[event.population] |= event.new_vehicles
        self.entries[event.entry] = event
        self.bundles[event.entry] = []

    def _notice(self, event: Noticed) -> None:
        if event.bundle not in {published.bundle for published in self.bundles[event.entry]}:
            raise ValueError("a notice on what was not published")
        self.notices.setdefault(event.entry, []).append(event)

    def _conclude(self, event: Spent | Published) -> None:
        drawn = event.entry in self.draws
        if drawn is isinstance(event, Spent) or event.entry not in self.entries:
            raise ValueError("wrong order of states")
        if isinstance(event, Spent):
            self.draws[event.entry] = event.draws
        else:
            self.bundles[event.entry].append(event)

    def finish(self) -> LedgerState:
        zones = {
            number: event.zone or _zone_of_draws(self.draws.get(number, ""))
            for number, event in self.entries.items()
        }
        own = {name: self._numbers(name) for name in self.created}
        uncertain = {number for numbers in own.values() for number in self._uncertain(numbers, zones)}
        return LedgerState(
            vehicle_key=self.vehicle_key,
            populations={
                name: self._population(name, [zones[number] for number in own[name]])
                for name in sorted(self.created)
            },
            entries=tuple(
                Entry(
                    reserved=event,
                    draws=self.draws.get(number),
                    bundles=tuple(self.bundles[number]),
                    notices=tuple(self.notices.get(number, ())),
                    zone=zones[number],
                    uncertain=number in uncertain,
                )
                for number, event in self.entries.items()
            ),
        )

    def _numbers(self, name: str) -> list[int]:
        """The entries of a population, in order."""
        return [number for number, event in self.entries.items() if event.population == name]

    def _uncertain(self, own: list[int], zones: Mapping[int, str]) -> Iterator[int]:
        """Of one population's entries those from before zones were fixed whose dates are not surely its own.

        These are the ones of no known zone, and of several zones all but the newest.
        """
        old = [number for number in own if not self.entries[number].zone]
        known = [number for number in old if zones[number]]
        several = len({zones[number] for number in known}) > 1
        return (number for number in old if not zones[number] or (several and number != known[-1]))

    def _group(self, name: str) -> set[str]:
        """A population and all that links lead to."""
        found, left = {name}, [name]
        while left:
            new = self.links[left.pop()] - found
            found |= new
            left += new
        return found

    def _population(self, name: str, zones: list[str]) -> Population:
        """zones: of its entries, in order; the newest that is known is its own."""
        group = self._group(name)
        return Population(
            name=name,
            tie_key=self.created[name].tie_key,
            hmac_key=self.created[name].hmac_key,
            policy=self.policies.get(name),
            relation=self.relations.get(name),
            zone=next((zone for zone in reversed(zones) if zone), ""),
            linked=tuple(sorted(group - {name})),
            different=tuple(sorted(self.different[name] - group)),
            vehicles=self.vehicles[name],
            evaluated_on=self.evaluated.get(name),
        )


def _zone_of_draws(draws: str) -> str:
    """The zone in stored draws; empty where there is none."""
    found = _ZONE_OF_DRAWS.search(draws)
    return str(json_value(found[1])) if found else ""


def spent_per_vehicle(entries: Iterable[Entry]) -> PrivacyLoss:
    """Per vehicle over all time: entries add."""
    return sum_of(loss_of(entry.reserved.charge, Unit.VEHICLE) for entry in entries)


def spent_per_date(entries: Iterable[Entry], zone: str) -> dict[dt.date, PrivacyLoss]:
    """Day of `zone` -> the largest vehicle-day charges on it, summed over entries."""
    return _sum_by_day(
        (day, loss)
        for entry in entries
        for date, loss in losses_by_date(entry.reserved.charge).items()
        for day in entry.days_of(date, zone)
    )


def _spent_per_hat_and_date(entries: Iterable[Entry], zone: str) -> dict[dt.date, PrivacyLoss]:
    return _sum_by_day(
        (day, loss_of(entry.reserved.charge, Unit.VEHICLE_HAT_DAY))
        for entry in entries
        for date in entry.reserved.dates
        for day in entry.days_of(date, zone)
    )


def _sum_by_day(losses: Iterable[tuple[dt.date, PrivacyLoss]]) -> dict[dt.date, PrivacyLoss]:
    spent: dict[dt.date, PrivacyLoss] = {}
    for day, loss in losses:
        spent[day] = spent.get(day, NO_LOSS) + loss
    return spent


def cumulative_charge(
    entries: list[Entry], charge: Charge, dates: Iterable[dt.date], zone: str, delta: Decimal
) -> dict[Unit, PrivacyLoss]:
    """What a population will have spent per unit once `charge` for `dates` of `zone` joins its `entries`.

    Of dates the one that comes to most at this delta. Per vehicle-day at least `charge.per_vehicle_day`:
    with several queries, whose maxima add, that can exceed the largest sum over one date.
    """
    by_date, by_hat = spent_per_date(entries, zone), _spent_per_hat_and_date(entries, zone)
    asked, asked_per_hat = losses_by_date(charge), loss_of(charge, Unit.VEHICLE_HAT_DAY)
    per_day = [by_date.get(date, NO_LOSS) + asked.get(date, NO_LOSS) for date in dates]
    per_hat = [by_hat.get(date, NO_LOSS) + asked_per_hat for date in dates]
    return {
        Unit.VEHICLE: spent_per_vehicle(entries) + loss_of(charge, Unit.VEHICLE),
        Unit.VEHICLE_DAY: costliest([loss_of(charge, Unit.VEHICLE_DAY), *per_day], delta),
        Unit.VEHICLE_HAT_DAY: costliest(per_hat, delta),
    }


def costliest(losses: Iterable[PrivacyLoss], delta: Decimal) -> PrivacyLoss:
    """The one that comes to most at this delta; nothing where there are none."""
    return max(losses, key=lambda loss: loss.epsilon_at(delta), default=NO_LOSS)


def delta_of(group: Iterable[Population]) -> Decimal:
    """The smallest delta of populations that pay together; 0 where one of them allows no Gaussian noise."""
    return min((member.policy.delta for member in group if member.policy), default=ZERO)


def limits(group: Iterable[Population]) -> dict[Unit, Decimal | None]:
    """The smallest limits per unit of populations that pay together; None where there is none."""
    policies = [member.policy for member in group if member.policy]
    per_day = [policy.per_vehicle_day for policy in policies if policy.per_vehicle_day is not None]
    return {
        Unit.VEHICLE: min((policy.per_vehicle for policy in policies), default=None),
        Unit.VEHICLE_DAY: min(per_day, default=None),
        Unit.VEHICLE_HAT_DAY: None,
    }
