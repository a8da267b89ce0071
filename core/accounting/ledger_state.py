"""The state of a ledger: its entries by number, and how charges add up.

Charges of different releases add for a vehicle over all time. For a vehicle on one day only releases
that cover the date add, so the largest sum over dates counts. A date of an entry that may have been
counted in another zone overlaps two days, and counts on its neighbours too. Pure epsilon and rho add apart;
which date costs most follows from what the two come to at the population's delta.

Sums are added up as entries are made (`ledger_fold`), and an entry is read when it is asked for: with ten
thousand of them a call reads none but those that it needs.

Source: method 13.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, overload

from core.accounting.ledger_events import CommonTerms, Noticed, PolicySet, Published
from core.accounting.privacy_loss import NO_LOSS, LossPair, PrivacyLoss, loss_of, losses_by_date, sum_of
from core.accounting.vehicle_marks import VehicleMarks
from core.codec import Coded, from_json, key, to_json
from core.errors import LedgerError
from core.privacy import Charge, Relation, Unit
from core.records.zone_names import main_zone
from core.system.nested_texts import json_value
from core.system.paths import program_name
from core.texts import text_of

_DAY = dt.timedelta(days=1)
ZERO = Decimal(0)


class EntryState(StrEnum):
    """How far an entry has come. All three count as spent."""

    RESERVED = "reserved"
    SPENT = "spent"
    PUBLISHED = "published"


@dataclass(frozen=True, slots=True)
class Place:
    """Where an event lies in the chain."""

    seq: int = 0
    hash: str = ""
    """Of its row; empty where the events are no stored ones."""


def _terms_to_text(terms: CommonTerms) -> str:
    return json.dumps(to_json(terms), sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=256)
def _terms_of_text(text: str) -> CommonTerms:
    """Read once for all entries by one spec."""
    return from_json(CommonTerms, json_value(text))


_StoredTerms = Annotated[CommonTerms, Coded(_terms_to_text, _terms_of_text)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One reservation and what became of it."""

    number: int
    terms: _StoredTerms
    dates: tuple[dt.date, ...]
    charge: Charge
    reserved_on: dt.date
    """UTC."""
    fingerprint: str = field(repr=False)
    spec_fingerprint: str = field(repr=False)
    place_fingerprint: str = field(repr=False)
    reserved_at: Place
    """Its event has the rest: allowances, sums and vehicles."""
    drawn_at: Place | None = None
    """None until the draws are stored."""
    bundles: tuple[Published, ...] = ()
    notices: tuple[Noticed, ...] = ()
    """What its publisher said of bundles that are out, in order."""
    zone: str = ""
    """IANA name of the zone of its dates; empty where an older ledger does not tell."""
    uncertain: bool = field(default=False, metadata=key(stored=False))
    """Its dates may be days of another zone than its population's."""

    @property
    def state(self) -> EntryState:
        if self.bundles:
            return EntryState.PUBLISHED
        return EntryState.RESERVED if self.drawn_at is None else EntryState.SPENT

    def days_of(self, date: dt.date, zone: str) -> tuple[dt.date, ...]:
        """The days of `zone` that one of its dates counts on."""
        if main_zone(self.zone) == main_zone(zone) and not self.uncertain:
            return (date,)
        return (date - _DAY, date, date + _DAY)


@dataclass(frozen=True, slots=True)
class StoredEntries(Sequence[Entry]):
    """StoredEntries 1, 2, ... in order: stored ones are read when they are asked for."""

    size: int = 0
    texts: Sequence[str] = field(default=(), repr=False)
    """The first ones, as JSON."""
    changed: Mapping[int, Entry] = field(default_factory=dict)
    """Number -> an entry that is newer than its text, or has none."""
    uncertain: frozenset[int] = frozenset()
    """Numbers of those whose dates may be days of another zone."""

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, index: int) -> Entry: ...

    @overload
    def __getitem__(self, index: slice) -> list[Entry]: ...

    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:
        places = range(len(self))[index]
        return self._read(places + 1) if isinstance(places, int) else [self._read(at + 1) for at in places]

    def _read(self, number: int) -> Entry:
        found = self.changed.get(number) or from_json(Entry, json_value(self.texts[number - 1]))
        return dataclasses.replace(found, uncertain=True) if number in self.uncertain else found

    def holding(self, mark: str) -> Iterator[Entry]:
        """Those whose text holds `mark`, and all newer ones, the newest first: of others none is read."""
        for number in range(len(self), 0, -1):
            if number in self.changed or mark in self.texts[number - 1]:
                yield self._read(number)


@dataclass(frozen=True, slots=True, kw_only=True)
class LossSums:
    """What a vehicle has spent by some entries at most."""

    per_vehicle: LossPair = NO_LOSS
    """Over all time: entries add."""
    by_date: Mapping[dt.date, LossPair] = field(default_factory=dict)
    """Day -> the largest vehicle-day charges on it, summed over entries."""
    by_hat_and_date: Mapping[dt.date, LossPair] = field(default_factory=dict)
    """Day -> the same of the charges per hexagon slot and day."""
    smallest_delta: Decimal = ZERO
    """At which a total of them was converted; 0 where none was."""

    def __add__(self, other: LossSums) -> LossSums:
        deltas = [delta for delta in (self.smallest_delta, other.smallest_delta) if delta]
        return LossSums(
            per_vehicle=self.per_vehicle + other.per_vehicle,
            by_date=_together(self.by_date, other.by_date),
            by_hat_and_date=_together(self.by_hat_and_date, other.by_hat_and_date),
            smallest_delta=min(deltas, default=ZERO),
        )

    def with_days(self, entry: Entry, zone: str) -> LossSums:
        """The same, and what an entry costs on days of `zone`."""
        charge, dates = entry.charge, entry.dates
        hat = loss_of(charge, Unit.VEHICLE_HAT_DAY)
        return dataclasses.replace(
            self,
            by_date=_added(
                self.by_date,
                (
                    (day, loss)
                    for date, loss in losses_by_date(charge).items()
                    for day in entry.days_of(date, zone)
                ),
            ),
            by_hat_and_date=_added(
                self.by_hat_and_date, ((day, hat) for date in dates for day in entry.days_of(date, zone))
            ),
        )


def _together(
    one: Mapping[dt.date, PrivacyLoss], other: Mapping[dt.date, PrivacyLoss]
) -> Mapping[dt.date, PrivacyLoss]:
    return _added(one, other.items()) if one and other else one or other


def _added(
    spent: Mapping[dt.date, PrivacyLoss], losses: Iterable[tuple[dt.date, PrivacyLoss]]
) -> dict[dt.date, PrivacyLoss]:
    total = dict(spent)
    for day, loss in losses:
        total[day] = total.get(day, NO_LOSS) + loss
    return total


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
    """Everything the events add up to. `populations` by name."""

    vehicle_key: bytes = field(default=b"", repr=False)
    populations: Mapping[str, Population] = field(default_factory=dict)
    entries: StoredEntries = field(default_factory=StoredEntries)
    spent: Mapping[str, LossSums] = field(default_factory=dict)
    """Population -> by its own entries; of days by those whose zone is surely its own."""
    of_old_zones: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Population -> numbers of its entries from before zones were fixed: their days are not in `spent`."""

    def entry(self, number: int) -> Entry:
        """Raises LedgerError when there is no such entry."""
        if not 1 <= number <= len(self.entries):
            raise LedgerError(
                "The ledger has no entry {number}.",
                number=number,
                mend=text_of("see `{value} ledger show` for its entries", value=program_name()),
            )
        return self.entries[number - 1]

    def with_draws(self, population: str, mark: str) -> Iterator[Entry]:
        """Entries of a population that have draws and one of whose fingerprints is `mark`, newest first."""
        for entry in self.entries.holding(mark):
            marks = (entry.fingerprint, entry.spec_fingerprint, entry.place_fingerprint)
            if mark in marks and entry.terms.population == population and entry.drawn_at is not None:
                yield entry

    def has_draws(self, population: str, spec_fingerprint: str) -> bool:
        """Whether draws are stored for a request that was the same before its data were read."""
        found = self.with_draws(population, spec_fingerprint)
        return any(entry.spec_fingerprint == spec_fingerprint for entry in found)

    def group(self, population: str) -> list[Population]:
        """Everybody who pays for an entry of a population: itself first, then those linked to it."""
        first = self.populations[population]
        return [first, *(self.populations[name] for name in first.linked)]

    def spending_of(self, population: str, zone: str) -> LossSums:
        """What a vehicle of a population has spent, by its own entries and those of populations linked to it.

        All that were ever made, also before the link. zone: that of the days.
        """
        group = [member.name for member in self.group(population)]
        total = self.spent[group[0]]
        for name in group[1:]:
            total += self.spent[name]
        for number in sorted(number for name in group for number in self.of_old_zones.get(name, ())):
            total = total.with_days(self.entry(number), zone)
        return total

    def spent_per_vehicle(self, population: str) -> PrivacyLoss:
        """The same over all time, whatever the days."""
        return sum_of(self.spent[member.name].per_vehicle for member in self.group(population))

    def relation_of(self, population: str) -> Relation | None:
        """The relation of a population, its own or that of those linked to it; None until it is fixed."""
        return next((member.relation for member in self.group(population) if member.relation), None)

    def zone_of(self, population: str) -> str:
        """The zone of a population's days, likewise; empty until it is fixed."""
        return next((member.zone for member in self.group(population) if member.zone), "")


def cumulative_charge(
    spent: LossSums, charge: Charge, dates: Iterable[dt.date], delta: Decimal
) -> dict[Unit, PrivacyLoss]:
    """What a population will have spent per unit once `charge` for `dates` joins what it has `spent`.

    Of dates the one that comes to most at this delta. Per vehicle-day at least `charge.per_vehicle_day`:
    with several queries, whose maxima add, that can exceed the largest sum over one date.
    """
    asked, asked_per_hat = losses_by_date(charge), loss_of(charge, Unit.VEHICLE_HAT_DAY)
    per_day = [spent.by_date.get(date, NO_LOSS) + asked.get(date, NO_LOSS) for date in dates]
    per_hat = [spent.by_hat_and_date.get(date, NO_LOSS) + asked_per_hat for date in dates]
    return {
        Unit.VEHICLE: spent.per_vehicle + loss_of(charge, Unit.VEHICLE),
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
