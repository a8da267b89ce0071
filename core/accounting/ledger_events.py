"""What happened to a ledger, as frozen events, and the request that a reservation answers.

Each event has a public `body` and a `private` part (keys, HMACs, hashes of vehicles) as plain JSON
values; `write_parts` and `read_event` are inverses. How events add up is in `ledger_state`.

Source: method 13.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar, Self

from core.accounting.privacy_loss import PrivacyLoss, parts_from_json, parts_to_json
from core.accounting.vehicle_marks import VehicleMarks
from core.errors import InternalError, LedgerError
from core.privacy import (
    Allowance,
    Charge,
    Confidential,
    Relation,
    RhoCharge,
    Unit,
    allowance_from_json,
    allowance_to_json,
    charge_from_json,
    charge_to_json,
)
from core.records.id_folds import OtherTexts
from core.system.nested_texts import json_value

EVENT_FORMAT = 1


_REPLACED = 2
"""Where presence is protected, to change a part of a unit is to remove it and to add another; a rho grows
with the square of that."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReservationRequest(Confidential):
    """What a release asks of a population's budget. Holds ids of vehicles, so its text shows sizes only.

    Raises InternalError when the charge contradicts itself or its dates.
    """

    population: str
    relation: Relation
    unit: Unit
    dates: tuple[dt.date, ...]
    """Every date of the window, with or without records."""
    hours: tuple[str, str]
    """Local `HH:MM`, end exclusive."""
    zone: str
    """IANA name of the zone that dates and hours are local in."""
    mechanisms: tuple[str, ...]
    """Keys of the mechanisms."""
    epsilons: Mapping[str, str]
    """Query id -> decimal text as the analyst gave it."""
    constants: Mapping[str, str]
    code_version: str
    charge: Charge
    allowances: tuple[Allowance, ...]
    fingerprint: str
    """`Ledger.fingerprint` over the canonical spec, the contribution table and the code version."""
    spec_fingerprint: str = ""
    """`Ledger.fingerprint` over what is known before data are read; empty when unused."""
    place_fingerprint: str = ""
    """Another mark of the same request, by where its files lie; empty when unused."""
    vehicles: Collection[str]
    """Ids of all vehicles whose records are used; hashed with the ledger's key before they are stored."""
    other_texts: OtherTexts = field(default_factory=dict)
    """How ids were read that were written otherwise; hashed likewise."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "vehicles", frozenset(self.vehicles))
        if not self.dates or len(set(self.dates)) != len(self.dates):
            raise InternalError("a reservation needs its dates, each once")
        presence = self.relation is Relation.USER
        _check_charge(self.charge, self.dates, part=_REPLACED if presence else 1)
        _check_charge(self.charge.rho, self.dates, part=_REPLACED**2 if presence else 1)
        if not self.charge.rho and any(allowance.rho for allowance in self.allowances):
            raise InternalError("nobody is charged for the rho that may be spent")


def _check_charge(charge: Charge | RhoCharge, dates: tuple[dt.date, ...], *, part: int) -> None:
    """part: how many times what a whole costs its parts may; more than once where presence is protected."""
    per_date = charge.per_date.values()
    amounts = (charge.per_vehicle_hat_day, charge.per_vehicle_day, charge.per_vehicle, *per_date)
    if not all(amount.is_finite() and amount >= 0 for amount in amounts):
        raise InternalError("a charge must be finite and not negative")
    smaller, day, vehicle = amounts[:3]
    if not (smaller <= part * day and day <= part * vehicle):
        raise InternalError("the three charges are not in order")
    if not charge.per_date.keys() <= set(dates):
        raise InternalError("a charge falls on a date outside the window")
    if max(per_date, default=Decimal(0)) > charge.per_vehicle_day:
        raise InternalError("a date costs more than the charge per vehicle-day")
    if charge.per_vehicle_day > 0 and not any(amount > 0 for amount in per_date):
        raise InternalError("a charge per vehicle-day falls on no date")


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerCreated:
    """The first event of every ledger."""

    kind: ClassVar[str] = "ledger_created"
    vehicle_key: bytes = field(repr=False)
    """32 random bytes: key of the hashes of vehicles, shared by all populations."""

    def body(self) -> dict[str, Any]:
        return {"format": EVENT_FORMAT}

    def private(self) -> dict[str, Any]:
        return {"vehicle_key": self.vehicle_key.hex()}

    @classmethod
    def read(cls, body: Mapping[str, Any], private: Mapping[str, Any]) -> LedgerCreated:
        if body["format"] != EVENT_FORMAT:
            raise ValueError("unknown format")
        return cls(vehicle_key=bytes.fromhex(private["vehicle_key"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationCreated:
    """A name came into being, with its own keys."""

    kind: ClassVar[str] = "population_created"
    population: str
    tie_key: bytes = field(repr=False)
    """32 random bytes that order users with equal counts (method 4)."""
    hmac_key: bytes = field(repr=False)
    """32 random bytes that key the fingerprints of requests."""

    def body(self) -> dict[str, Any]:
        return {"population": self.population}

    def private(self) -> dict[str, Any]:
        return {"tie_key": self.tie_key.hex(), "hmac_key": self.hmac_key.hex()}

    @classmethod
    def read(cls, body: Mapping[str, Any], private: Mapping[str, Any]) -> PopulationCreated:
        return cls(
            population=body["population"],
            tie_key=bytes.fromhex(private["tie_key"]),
            hmac_key=bytes.fromhex(private["hmac_key"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySet:
    """An administrator set the limits of a population; the latest counts."""

    kind: ClassVar[str] = "policy_set"
    population: str
    per_vehicle: Decimal
    """Limit of epsilon per vehicle over all time."""
    per_vehicle_day: Decimal | None
    """Limit of epsilon per vehicle and date; None for no such limit."""
    delta: Decimal
    """At which rho is converted to epsilon; 0: no Gaussian noise."""

    def body(self) -> dict[str, Any]:
        return {
            "population": self.population,
            "per_vehicle": str(self.per_vehicle),
            "per_vehicle_day": _optional_text(self.per_vehicle_day),
            "delta": str(self.delta),
        }

    def private(self) -> dict[str, Any]:
        return {}

    @classmethod
    def read(cls, body: Mapping[str, Any], _private: Mapping[str, Any]) -> PolicySet:
        return cls(
            population=body["population"],
            per_vehicle=Decimal(body["per_vehicle"]),
            per_vehicle_day=_optional_decimal(body["per_vehicle_day"]),
            delta=Decimal(body["delta"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfTwo:
    """What an administrator said of two populations."""

    first: str
    second: str

    def body(self) -> dict[str, Any]:
        return {"populations": [self.first, self.second]}

    def private(self) -> dict[str, Any]:
        return {}

    @classmethod
    def read(cls, body: Mapping[str, Any], _private: Mapping[str, Any]) -> Self:
        first, second = body["populations"]
        return cls(first=first, second=second)


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked(_OfTwo):
    """They may share vehicles: each pays for every entry of either."""

    kind: ClassVar[str] = "linked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Different(_OfTwo):
    """They are of different things: ids that look alike are no vehicle of both."""

    kind: ClassVar[str] = "different"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """Errors on true values of a population were asked for; its later releases say so (method 10)."""

    kind: ClassVar[str] = "evaluated"
    population: str
    on: dt.date
    """UTC."""

    def body(self) -> dict[str, Any]:
        return {"population": self.population, "on": self.on.isoformat()}

    def private(self) -> dict[str, Any]:
        return {}

    @classmethod
    def read(cls, body: Mapping[str, Any], _private: Mapping[str, Any]) -> Evaluated:
        return cls(population=body["population"], on=dt.date.fromisoformat(body["on"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserved:
    """Budget was set aside for one release: from here on it counts as spent."""

    kind: ClassVar[str] = "reserved"
    entry: int
    """1, 2, ... over the whole ledger."""
    population: str
    charged: tuple[str, ...]
    """The populations that pay: this one and those linked to it at the time. Who pays now follows from the
    links; versions before left out populations linked through others."""
    relation: Relation
    unit: Unit
    dates: tuple[dt.date, ...]
    hours: tuple[str, str]
    mechanisms: tuple[str, ...]
    epsilons: Mapping[str, str]
    constants: Mapping[str, str]
    code_version: str
    charge: Charge
    allowances: tuple[Allowance, ...]
    reserved_on: dt.date
    """UTC."""
    cumulative: Mapping[Unit, Decimal]
    """Epsilon that the population and those linked to it have spent per unit, this entry included."""
    cumulative_parts: Mapping[Unit, PrivacyLoss] = field(default_factory=dict)
    """What that epsilon was converted from; empty where no rho is in it."""
    delta: Decimal = Decimal(0)
    """At which it was converted; 0 where no rho is in it."""
    delta_before: Decimal = Decimal(0)
    """The smallest at which an earlier total was converted, where that was below `delta`; 0 elsewhere."""
    limits: Mapping[Unit, Decimal | None]
    """The smallest of their limits."""
    zone: str = ""
    """IANA name; empty in entries from before it was kept."""
    evaluated: bool = False
    """The population, or one linked to it, had been evaluated by then."""
    fingerprint: str = field(repr=False)
    spec_fingerprint: str = field(repr=False)
    place_fingerprint: str = field(default="", repr=False)
    """Empty where nothing but `fingerprint` marks the request, and in entries from before this was kept."""
    new_vehicles: VehicleMarks = field(repr=False)
    """Of the vehicles that this population had not used before."""

    def body(self) -> dict[str, Any]:
        return {
            "entry": self.entry,
            "population": self.population,
            "charged": list(self.charged),
            "relation": self.relation.value,
            "unit": self.unit.value,
            "dates": [date.isoformat() for date in self.dates],
            "hours": list(self.hours),
            "mechanisms": list(self.mechanisms),
            "epsilons": dict(self.epsilons),
            "constants": dict(self.constants),
            "code_version": self.code_version,
            "charge": charge_to_json(self.charge),
            "allowances": [allowance_to_json(allowance) for allowance in self.allowances],
            "reserved_on": self.reserved_on.isoformat(),
            "cumulative": {unit.value: str(amount) for unit, amount in self.cumulative.items()},
            "limits": {unit.value: _optional_text(limit) for unit, limit in self.limits.items()},
            "zone": self.zone,
            "evaluated": self.evaluated,
        } | parts_to_json(self.cumulative_parts, self.delta, self.delta_before)

    def private(self) -> dict[str, Any]:
        place = {"place_fingerprint": self.place_fingerprint} if self.place_fingerprint else {}
        return place | {
            "fingerprint": self.fingerprint,
            "spec_fingerprint": self.spec_fingerprint,
            **self.new_vehicles.to_json(),
        }

    @classmethod
    def read(cls, body: Mapping[str, Any], private: Mapping[str, Any]) -> Reserved:
        return cls(
            entry=body["entry"],
            population=body["population"],
            charged=tuple(body["charged"]),
            relation=Relation(body["relation"]),
            unit=Unit(body["unit"]),
            dates=tuple(dt.date.fromisoformat(date) for date in body["dates"]),
            hours=(body["hours"][0], body["hours"][1]),
            mechanisms=tuple(body["mechanisms"]),
            epsilons=dict(body["epsilons"]),
            constants=dict(body["constants"]),
            code_version=body["code_version"],
            charge=charge_from_json(body["charge"]),
            allowances=tuple(allowance_from_json(stored) for stored in body["allowances"]),
            reserved_on=dt.date.fromisoformat(body["reserved_on"]),
            cumulative={Unit(unit): Decimal(amount) for unit, amount in body["cumulative"].items()},
            cumulative_parts=parts_from_json(body),
            delta=Decimal(body.get("delta", "0")),  # only where rho is in it
            delta_before=Decimal(body.get("delta_before", "0")),
            limits={Unit(unit): _optional_decimal(limit) for unit, limit in body["limits"].items()},
            zone=body.get("zone", ""),  # older ledgers do not say
            evaluated=body.get("evaluated", False),  # nor this
            fingerprint=private["fingerprint"],
            spec_fingerprint=private["spec_fingerprint"],
            place_fingerprint=private.get("place_fingerprint", ""),
            new_vehicles=VehicleMarks.from_json(private),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """The noise of an entry was drawn; what came out is stored, so that it can be published again."""

    kind: ClassVar[str] = "spent"
    entry: int
    draws: str = field(repr=False)
    """JSON text, in the order it was given: a repeated release writes the same bytes."""

    def body(self) -> dict[str, Any]:
        return {"entry": self.entry, "draws": self.draws}

    def private(self) -> dict[str, Any]:
        return {}

    @classmethod
    def read(cls, body: Mapping[str, Any], _private: Mapping[str, Any]) -> Spent:
        return cls(entry=body["entry"], draws=body["draws"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A bundle of an entry's draws reached its folder; once for each bundle."""

    kind: ClassVar[str] = "published"
    entry: int
    bundle: str
    """`<name>-<version>`, never a path."""
    manifest_sha256: str

    def body(self) -> dict[str, Any]:
        return {"entry": self.entry, "bundle": self.bundle, "manifest_sha256": self.manifest_sha256}

    def private(self) -> dict[str, Any]:
        return {}

    @classmethod
    def read(cls, body: Mapping[str, Any], _private: Mapping[str, Any]) -> Published:
        return cls(entry=body["entry"], bundle=body["bundle"], manifest_sha256=body["manifest_sha256"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """The publisher corrected or withdrew a published bundle; what it cost stays spent."""

    kind: ClassVar[str] = "noticed"
    entry: int
    bundle: str
    """`<name>-<version>`, as the publication has it."""
    notice: str
    """`withdrawn` or `corrected`."""
    replaced_by: str
    """`<name>-<version>` of the bundle that takes its place; empty for one that was withdrawn."""
    on: dt.date
    """UTC."""

    def body(self) -> dict[str, Any]:
        return {
            "entry": self.entry,
            "bundle": self.bundle,
            "notice": self.notice,
            "replaced_by": self.replaced_by,
            "on": self.on.isoformat(),
        }

    def private(self) -> dict[str, Any]:
        return {}

    @classmethod
    def read(cls, body: Mapping[str, Any], _private: Mapping[str, Any]) -> Noticed:
        return cls(
            entry=body["entry"],
            bundle=body["bundle"],
            notice=body["notice"],
            replaced_by=body["replaced_by"],
            on=dt.date.fromisoformat(body["on"]),
        )


Event = (
    LedgerCreated
    | PopulationCreated
    | PolicySet
    | Linked
    | Different
    | Evaluated
    | Reserved
    | Spent
    | Published
    | Noticed
)

_KINDS: dict[str, type[Event]] = {
    event.kind: event
    for event in (
        LedgerCreated,
        PopulationCreated,
        PolicySet,
        Linked,
        Different,
        Evaluated,
        Reserved,
        Spent,
        Published,
        Noticed,
    )
}


def write_parts(event: Event) -> tuple[str, str]:
    """An event's body and private part as canonical JSON text."""
    return _canonical(event.body()), _canonical(event.private())


def read_event(kind: str, body: str, private: str) -> Event:
    """The inverse of `write_parts`. Raises LedgerError for an event that this version cannot read."""
    try:
        return _KINDS[kind].read(json_value(body), json_value(private))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise LedgerError(
            "The ledger holds an event that this version cannot read.",
            where=f"ledger, event of kind {kind!r}",
            mend="open it with the version that wrote it, or restore the ledger and its head from a backup",
        ) from None


def _canonical(value: Mapping[str, Any]) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _optional_text(value: Decimal | None) -> str | None:
    return None if value is None else str(value)


def _optional_decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
