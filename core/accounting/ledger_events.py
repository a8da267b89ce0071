"""Events and charges of a ledger, by date and vehicle-day: their format; a changed part counts twice.

Each event has a public body and a private part (keys, HMACs, hashes of vehicles) as plain JSON values;
`write_parts` and `read_event` are inverses. How events add up is in `ledger_state`.

Source: method 13.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Annotated, Any, ClassVar

from core.accounting.privacy_loss import LossPair
from core.accounting.vehicle_marks import MARK_KEYS, VehicleMarks
from core.codec import Coded, from_json, key, to_json
from core.errors import InternalError, LedgerError
from core.privacy import (
    Allowance,
    Charge,
    Confidential,
    Relation,
    RhoCharge,
    StoredAllowance,
    Unit,
)
from core.records.id_folds import OtherTexts
from core.system.nested_texts import json_value

EVENT_FORMAT = 2
"""Of a ledger's events. In 1 draws lie in their event, and no state is stored between events."""
HexBytes = Annotated[bytes, Coded(bytes.hex, bytes.fromhex)]
_MARKS = "vehicle_marks"
_PRIVATE = {"private": True}
"""Metadata of fields that the public body leaves out."""
_REPLACED = 2
"""What the charges of a ledger are multiplied by where presence is protected: to change a part of a unit is
to remove it and to add another; a rho grows with the square of that.
"""


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
    format: int = field(default=EVENT_FORMAT, metadata=key(written=True))
    vehicle_key: HexBytes = field(repr=False, metadata=_PRIVATE)
    """32 random bytes: key of the hashes of vehicles, shared by all populations."""

    def __post_init__(self) -> None:
        if self.format not in (1, EVENT_FORMAT):
            raise ValueError("unknown format")


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationCreated:
    """A name came into being, with its own keys."""

    kind: ClassVar[str] = "population_created"
    population: str
    tie_key: HexBytes = field(repr=False, metadata=_PRIVATE)
    """32 random bytes that order users with equal counts (method 4)."""
    hmac_key: HexBytes = field(repr=False, metadata=_PRIVATE)
    """32 random bytes that key the fingerprints of requests."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfTwo:
    """What an administrator said of two populations."""

    populations: tuple[str, str]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonTerms:
    """What reservations by one spec have in common."""

    population: str
    charged: tuple[str, ...]
    """The populations that pay: this one and those linked to it at the time. Who pays now follows from the
    links; versions before left out populations linked through others."""
    relation: Relation
    unit: Unit
    hours: tuple[str, str]
    mechanisms: tuple[str, ...]
    epsilons: Mapping[str, str]
    constants: Mapping[str, str]
    code_version: str
    zone: str = field(default="", metadata=key(written=True))
    """IANA name; empty in entries from before it was recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserved(CommonTerms):
    """Budget was set aside for one release: from here on it counts as spent."""

    kind: ClassVar[str] = "reserved"
    entry: int
    """1, 2, ... over the whole ledger."""
    dates: tuple[dt.date, ...]
    charge: Charge
    allowances: tuple[StoredAllowance, ...]
    reserved_on: dt.date
    """UTC."""
    cumulative: Mapping[Unit, Decimal]
    """Epsilon that the population and those linked to it have spent per unit, this entry included."""
    cumulative_parts: Mapping[Unit, LossPair] = field(default_factory=dict)
    """What that epsilon was converted from; empty where no rho is in it."""
    delta: Decimal = Decimal(0)
    """At which it was converted; 0 where no rho is in it."""
    delta_before: Decimal = Decimal(0)
    """The smallest at which an earlier total was converted, where that was below `delta`; 0 elsewhere."""
    limits: Mapping[Unit, Decimal | None]
    """The smallest of their limits."""
    evaluated: bool = field(default=False, metadata=key(written=True))
    """The population, or one linked to it, had been evaluated by then."""
    fingerprint: str = field(repr=False, metadata=_PRIVATE)
    spec_fingerprint: str = field(repr=False, metadata=_PRIVATE)
    place_fingerprint: str = field(default="", repr=False, metadata=_PRIVATE)
    """Empty where nothing but `fingerprint` marks the request, and in entries older than this field."""
    new_vehicles: Annotated[VehicleMarks, Coded(VehicleMarks.to_json, VehicleMarks.from_json)] = field(
        repr=False, metadata=_PRIVATE | key(_MARKS)
    )
    """Of the vehicles that this population had not used before."""

    @property
    def terms(self) -> CommonTerms:
        """That part of it."""
        return CommonTerms(**{one.name: getattr(self, one.name) for one in fields(CommonTerms)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """The noise of an entry was drawn; what came out is stored, so that it can be published again."""

    kind: ClassVar[str] = "spent"
    entry: int
    draws: str = field(default="", repr=False)
    """JSON text; empty in format 2, where it lies in its own table."""
    draws_sha256: str = ""
    """Of that text there, as hexadecimal digits; empty in format 1."""

    def __post_init__(self) -> None:
        if bool(self.draws) is bool(self.draws_sha256):
            raise ValueError("draws in one place")


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A bundle of an entry's draws reached its folder; once for each bundle."""

    kind: ClassVar[str] = "published"
    entry: int
    bundle: str
    """`<name>-<version>`, never a path."""
    manifest_sha256: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpointed:
    """What all events before this one add up to is stored beside them, under this hash.

    Versions that know format 1 alone cannot read it, and refuse the ledger.
    """

    kind: ClassVar[str] = "checkpointed"
    format: int = field(default=EVENT_FORMAT, metadata=key(written=True))
    state_sha256: str
    """Hexadecimal digits."""


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
    | Checkpointed
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
        Checkpointed,
    )
}


def write_parts(event: Event) -> tuple[str, str]:
    """An event's body and private part as canonical JSON text."""
    hidden = {one.name for one in fields(event) if "private" in one.metadata}
    stored = to_json(event)
    marks = stored.pop(_MARKS, {})  # they lie beside the other marks, as ever
    body = {name: value for name, value in stored.items() if name not in hidden}
    return _canonical(body), _canonical({name: stored[name] for name in stored.keys() & hidden} | marks)


def read_event(kind: str, body: str, private: str, *, allowances: bool = True) -> Event:
    """The inverse of `write_parts`. Raises LedgerError for an event that this version cannot read.

    allowances: False leaves out those of a reservation, of which a city has thousands.
    """
    try:
        shown, hidden = json_value(body), json_value(private)
        if not allowances and kind == Reserved.kind:
            shown["allowances"] = []
        marks = {name: hidden.pop(name) for name in MARK_KEYS if name in hidden}
        return from_json(_KINDS[kind], shown | hidden | ({_MARKS: marks} if marks else {}))
    except (AttributeError, LookupError, TypeError, ValueError):
        raise LedgerError(
            "The ledger contains an event that this version cannot read.",
            where=f"ledger, event of kind {kind!r}",
            mend="open it with the version that wrote it, or restore the ledger and its head from a backup",
        ) from None


def _canonical(value: Mapping[str, Any]) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
