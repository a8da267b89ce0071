"""Events added up to a state, from the first or from a stored one; they may contradict each other.

Sums and the latest of everything are added up as events come; of entries the texts stay as they were stored,
but for those that an event changes. `StateDraft.stored` and `resumed` are inverses: to resume gives what all
events give.

Source: method 13.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from core.accounting.ledger_events import (
    Checkpointed,
    Different,
    Evaluated,
    Event,
    HexBytes,
    LedgerCreated,
    Linked,
    Noticed,
    PolicySet,
    PopulationCreated,
    Published,
    Reserved,
    Spent,
)
from core.accounting.ledger_state import Entry, LedgerState, LossSums, Place, Population, StoredEntries
from core.accounting.privacy_loss import loss_of
from core.accounting.vehicle_marks import VehicleMarks
from core.codec import Coded, from_json, key, to_json
from core.errors import LedgerError
from core.privacy import Relation, Unit
from core.records.zone_names import main_zone
from core.system.nested_texts import json_value

_ZONE_OF_DRAWS = re.compile(r'"zone": ("(?:[^"\\]|\\.)*")')
"""The only key of this name in draws of format 1, which can be too large to be parsed."""
_NOWHERE = Place()


def _folds_to_json(marks: VehicleMarks) -> list[list[str] | None]:
    """Each fold; None for one that is the same as that of the ids. Equal marks give the same value."""
    return [sorted(fold) if at == 1 or fold != marks.id else None for at, fold in enumerate(marks.folds)]


def _folds_from_json(stored: Sequence[Sequence[str] | None]) -> VehicleMarks:
    ids = frozenset(stored[1] or ())
    return VehicleMarks(*(ids if fold is None else frozenset(fold) for fold in stored))


_StoredMarks = Annotated[VehicleMarks, Coded(_folds_to_json, _folds_from_json)]


def fold(events: Iterable[Event]) -> LedgerState:
    """The state after `events`. Raises LedgerError when they contradict each other."""
    draft = StateDraft()
    for event in events:
        draft.apply(event)
    return draft.state()


@dataclass(slots=True)
class StateDraft:
    """The state while events are added to it. All is stored between them, of entries the texts beside it."""

    vehicle_key: HexBytes = b""
    created: dict[str, PopulationCreated] = field(default_factory=dict)
    policies: dict[str, PolicySet] = field(default_factory=dict)
    links: dict[str, frozenset[str]] = field(default_factory=dict)
    different: dict[str, frozenset[str]] = field(default_factory=dict)
    relations: dict[str, Relation] = field(default_factory=dict)
    zones: dict[str, str] = field(default_factory=dict)
    """Of the populations whose entries tell it themselves."""
    of_old_zones: dict[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    """Population -> its entries that do not tell their zone: number, and zone of the draws ("": unknown)."""
    vehicles: dict[str, _StoredMarks] = field(default_factory=dict)
    evaluated: dict[str, dt.date] = field(default_factory=dict)
    spent: dict[str, LossSums] = field(default_factory=dict)
    count: int = 0
    """Of entries."""
    texts: Sequence[str] = field(default=(), metadata=key(stored=False))
    changed: dict[int, Entry] = field(default_factory=dict, metadata=key(stored=False))

    def apply(self, event: Event, place: Place = _NOWHERE) -> None:
        """Add an event. Raises LedgerError where it contradicts those before."""
        try:
            self._apply(event, place)
        except (LookupError, ValueError):
            raise LedgerError(
                "The events of the ledger contradict each other.",
                where="ledger",
                mend="restore the ledger and its head from the newest backup",
            ) from None

    def _apply(self, event: Event, place: Place) -> None:
        if isinstance(event, LedgerCreated):
            self.vehicle_key = event.vehicle_key
        elif isinstance(event, PopulationCreated):
            self._create(event)
        elif isinstance(event, PolicySet):
            self.policies[self.created[event.population].population] = event
        elif isinstance(event, Linked | Different):
            known = self.links if isinstance(event, Linked) else self.different
            first, second = event.populations
            known[first] |= {second}
            known[second] |= {first}
        elif isinstance(event, Evaluated):
            self.evaluated.setdefault(self.created[event.population].population, event.on)
        elif isinstance(event, Reserved):
            self._reserve(event, place)
        elif not isinstance(event, Checkpointed):
            self.changed[event.entry] = self._concluded(event, place)

    def _create(self, event: PopulationCreated) -> None:
        if event.population in self.created:
            raise ValueError("created twice")
        self.created[event.population] = event
        self.links[event.population] = frozenset()
        self.different[event.population] = frozenset()
        self.vehicles[event.population] = VehicleMarks()
        self.spent[event.population] = LossSums()

    def _reserve(self, event: Reserved, place: Place) -> None:
        name = event.population
        if event.entry != self.count + 1 or name not in event.charged:
            raise ValueError("misnumbered or not charged to itself")
        if self.relations.setdefault(name, event.relation) != event.relation:
            raise ValueError("two relations")
        if event.zone and main_zone(self.zones.setdefault(name, event.zone)) != main_zone(event.zone):
            raise ValueError("two zones")
        self.vehicles[name] |= event.new_vehicles
        entry = Entry(
            number=event.entry,
            terms=event.terms,
            dates=event.dates,
            charge=event.charge,
            reserved_on=event.reserved_on,
            fingerprint=event.fingerprint,
            spec_fingerprint=event.spec_fingerprint,
            place_fingerprint=event.place_fingerprint,
            reserved_at=place,
            zone=event.zone,
        )
        self.changed[event.entry] = entry
        self.count = event.entry
        paid = LossSums(per_vehicle=loss_of(event.charge, Unit.VEHICLE), smallest_delta=event.delta)
        self.spent[name] += paid.with_days(entry, event.zone) if event.zone else paid
        if not event.zone:
            self.of_old_zones[name] = (*self.of_old_zones.get(name, ()), (event.entry, ""))

    def _concluded(self, event: Spent | Published | Noticed, place: Place) -> Entry:
        """The entry of an event that says what became of it. Raises LookupError and ValueError."""
        if not 1 <= event.entry <= self.count:
            raise ValueError("no number of an entry")
        entry = StoredEntries(self.count, self.texts, self.changed)[event.entry - 1]
        if isinstance(event, Noticed):
            if event.bundle not in {published.bundle for published in entry.bundles}:
                raise ValueError("a notice on what was not published")
            return dataclasses.replace(entry, notices=(*entry.notices, event))
        if (entry.drawn_at is not None) is isinstance(event, Spent):
            raise ValueError("wrong order of states")
        if isinstance(event, Published):
            return dataclasses.replace(entry, bundles=(*entry.bundles, event))
        zone = entry.zone or _zone_of_draws(event.draws)
        name = entry.terms.population
        if not entry.terms.zone:
            old = self.of_old_zones[name]
            self.of_old_zones[name] = tuple(
                (number, zone if number == event.entry else known) for number, known in old
            )
        return dataclasses.replace(entry, drawn_at=place, zone=zone)

    def state(self) -> LedgerState:
        """What the events so far add up to; later ones leave it as it is."""
        uncertain = frozenset(number for old in self.of_old_zones.values() for number in _uncertain(old))
        return LedgerState(
            vehicle_key=self.vehicle_key,
            populations={name: self._population(name) for name in sorted(self.created)},
            entries=StoredEntries(self.count, self.texts, dict(self.changed), uncertain),
            spent=dict(self.spent),
            of_old_zones={name: [number for number, _ in old] for name, old in self.of_old_zones.items()},
        )

    def _group(self, name: str) -> set[str]:
        """A population and all that links lead to."""
        found, left = {name}, [name]
        while left:
            new = self.links[left.pop()] - found
            found |= new
            left += new
        return found

    def _population(self, name: str) -> Population:
        group = self._group(name)
        of_draws = [zone for _, zone in self.of_old_zones.get(name, ()) if zone]
        return Population(
            name=name,
            tie_key=self.created[name].tie_key,
            hmac_key=self.created[name].hmac_key,
            policy=self.policies.get(name),
            relation=self.relations.get(name),
            zone=main_zone(self.zones.get(name) or next(reversed(of_draws), "")),
            linked=tuple(sorted(group - {name})),
            different=tuple(sorted(self.different[name] - group)),
            vehicles=self.vehicles[name],
            evaluated_on=self.evaluated.get(name),
        )

    def stored(self) -> list[str]:
        """The text of all but the entries, then that of each entry."""
        texts = [_text(self), *self.texts, *[""] * (self.count - len(self.texts))]
        for number, entry in self.changed.items():
            texts[number] = _text(entry)
        return texts


def resumed(texts: Sequence[str]) -> StateDraft:
    """The draft that was stored so. Raises LookupError, TypeError or ValueError for other texts."""
    draft: StateDraft = from_json(StateDraft, json_value(texts[0]))
    draft.texts = texts[1:]
    return draft


def _text(value: StateDraft | Entry) -> str:
    """The same for equal values, in whatever order they were put together."""
    return json.dumps(to_json(value), sort_keys=True, separators=(",", ":"), allow_nan=False)


def _uncertain(old: Sequence[tuple[int, str]]) -> Iterable[int]:
    """Of one population's entries that do not tell their zone those whose dates are not surely its own.

    These are the ones of no known zone, and of several zones all but the newest. old: number and zone.
    """
    known = {number: zone for number, zone in old if zone}
    several = len(set(known.values())) > 1
    return (number for number, zone in old if not zone or (several and number != max(known)))


def _zone_of_draws(draws: str) -> str:
    """The zone in stored draws; empty where there is none."""
    found = _ZONE_OF_DRAWS.search(draws)
    return str(json_value(found[1])) if found else ""
