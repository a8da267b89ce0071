"""The parts of privacy.json that can be checked against the data, read strictly (method 14)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.accounting.zcdp import epsilon_of
from core.bundle.stated_quantity import stated_bounds, stated_quantity
from core.errors import InputError
from core.hats.slots import parse_clock
from core.privacy import Relation, Unit
from core.quantity import Quantity
from core.signed.bundle_names import PRIVACY
from core.signed.findings import Finding, json_object, require, text_at, value_at
from core.verify.folder import BundleFolder
from core.verify.tables import is_date, is_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedParts:
    """What epsilons are converted from: pure epsilon and rho of each unit, and at which delta."""

    pure: Mapping[Unit, Decimal]
    rho: Mapping[Unit, Decimal]
    delta: Decimal

    def epsilon(self, unit: Unit) -> Decimal:
        """What the parts of a unit come to."""
        return epsilon_of(self.pure[unit], self.rho[unit], self.delta)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyStatement:
    """The parts of privacy.json that can be checked against the data."""

    release: str
    """`<name>-<version>`."""
    key_id: str
    relation: str
    unit: Unit
    charges: Mapping[Unit, Decimal]
    parts: StatedParts | None
    """Of the charges; None where the release has no Gaussian noise."""
    cumulative: Mapping[Unit, Decimal]
    """Epsilons of all releases so far."""
    cumulative_parts: StatedParts | None
    """Of the epsilons of all releases so far; None where none of them had any."""
    lower: str
    upper: str
    """Bounds of the value in its unit, as written."""
    quantity: Quantity
    span: int
    """U: upper less lower, thousandths."""
    ranges: tuple[tuple[dt.date, dt.date], ...]
    """Of dates, both ends included."""
    first: str
    last: str
    days: int
    hours: tuple[int, int]
    """Start and end of the window, minutes since local midnight."""
    resolution: int
    slot_minutes: int


def read_statement(folder: BundleFolder) -> PrivacyStatement:
    """What privacy.json states. Raises Finding unless it has the declared shape."""
    document = json_object(PRIVACY, folder.read(PRIVACY))
    require(document.get("format") == folder.format.name, f"{PRIVACY} is of another format")
    charges = {unit: _amount(document, "charges", unit.value) for unit in Unit}
    require(len(value_at(document, "charges")) == len(charges), f"{PRIVACY}: charges of unknown units")
    ranges = _ranges(document)
    days = sum((last - first).days + 1 for first, last in ranges)
    require(_integer(document, "period", "days") == days, f"{PRIVACY}: the number of days is wrong")
    _flag(document, "parameters_chosen_after_confidential_evaluation")
    parts = _parts(document, "charges", value_at(document, "headline", "delta"))
    cumulative_parts = _parts(document, "cumulative", document.get("cumulative_delta", "0"))
    if "delta_before" in document:
        raised = (
            cumulative_parts is not None and 0 < _amount(document, "delta_before") < cumulative_parts.delta
        )
        require(raised, f"{PRIVACY}: delta_before is no smaller delta of all releases")
    lower, upper = stated_bounds(document, PRIVACY)
    statement = PrivacyStatement(
        release=f"{text_at(document, 'name')}-{text_at(document, 'version')}",
        key_id=text_at(document, "signature", "key_id"),
        relation=_one_of([item.value for item in Relation], document, "relation"),
        unit=Unit(_one_of([item.value for item in Unit], document, "privacy_unit")),
        charges=charges,
        parts=parts,
        cumulative={unit: _amount(document, "cumulative", unit.value) for unit in Unit},
        cumulative_parts=cumulative_parts,
        lower=text_at(document, "bounds", "lower"),
        upper=text_at(document, "bounds", "upper"),
        quantity=stated_quantity(document, PRIVACY),
        span=upper - lower,
        ranges=tuple(ranges),
        first=ranges[0][0].isoformat(),
        last=ranges[-1][1].isoformat(),
        days=days,
        hours=_hours(document),
        resolution=_integer(document, "grid", "h3_resolution"),
        slot_minutes=_integer(document, "grid", "slot_minutes"),
    )
    start, end = statement.hours
    whole = statement.slot_minutes > 0 and (end - start) % statement.slot_minutes == 0
    require(start < end and whole, f"{PRIVACY}: the hours are no whole slots")
    headline = {"unit": Unit.VEHICLE.value, "relation": statement.relation}
    if parts is not None:
        headline["rho"] = document["charges_rho"][Unit.VEHICLE.value]
    require(
        all(value_at(document, "headline", name) == value for name, value in headline.items())
        and _amount(document, "headline", "epsilon") == charges[Unit.VEHICLE],
        f"{PRIVACY}: the headline is not the charge of a vehicle",
    )
    return statement


def is_practice(folder: BundleFolder) -> bool:
    """Whether privacy.json says that this is a practice release. Raises Finding where it is none of ours."""
    document = json_object(PRIVACY, folder.read(PRIVACY))
    return "practice" in document and _flag(document, "practice")


def _one_of(options: list[str], document: Any, *names: str) -> str:
    value = text_at(document, *names)
    require(value in options, f"{PRIVACY}: {'.'.join(names)} is unknown")
    return value


def _integer(document: Any, *names: str) -> int:
    value = value_at(document, *names)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Finding(f"{PRIVACY}: {'.'.join(names)} is no integer")
    return value


def _flag(document: Any, *names: str) -> bool:
    value = value_at(document, *names)
    if not isinstance(value, bool):
        raise Finding(f"{PRIVACY}: {'.'.join(names)} is neither true nor false")
    return value


def _amount(document: Any, *names: str) -> Decimal:
    value = text_at(document, *names)
    require(is_plain(value), f"{PRIVACY}: {'.'.join(names)} is no plain decimal")
    return Decimal(value)


def _parts(document: Any, name: str, delta: Any) -> StatedParts | None:
    """The parts of some epsilons, with their delta; None where the document tells of neither."""
    names = f"{name}_pure", f"{name}_rho"
    if delta == "0":
        require(not document.keys() & set(names), f"{PRIVACY}: parts of {name} without a delta")
        return None
    require(isinstance(delta, str) and is_plain(delta), f"{PRIVACY}: the delta of {name} is no plain decimal")
    require(0 < Decimal(delta) < 1, f"{PRIVACY}: the delta of {name} is not between 0 and 1")
    pure, rho = ({unit: _amount(document, one, unit.value) for unit in Unit} for one in names)
    return StatedParts(pure=pure, rho=rho, delta=Decimal(delta))


def _hours(document: Any) -> tuple[int, int]:
    stated = value_at(document, "period", "hours")
    if not isinstance(stated, list) or len(stated) != 2 or not all(isinstance(text, str) for text in stated):
        raise Finding(f"{PRIVACY}: the hours are no pair")
    try:
        start, end = (parse_clock(text, where=PRIVACY) for text in stated)
    except InputError:
        raise Finding(f"{PRIVACY}: a time of day is malformed") from None
    return start, end


def _ranges(document: Any) -> list[tuple[dt.date, dt.date]]:
    stated = value_at(document, "period", "date_ranges")
    require(isinstance(stated, list) and bool(stated), f"{PRIVACY} states no dates")
    dates: list[dt.date] = []
    for pair in stated:
        if not isinstance(pair, list) or len(pair) != 2:
            raise Finding(f"{PRIVACY}: a range of dates is no pair")
        for text in pair:
            require(isinstance(text, str) and is_date(text), f"{PRIVACY}: a date is malformed")
            dates.append(dt.date.fromisoformat(text))
    ranges = list(zip(dates[::2], dates[1::2], strict=True))
    rising = all(first <= last for first, last in ranges) and all(
        last < first for last, first in zip(dates[1::2], dates[2::2], strict=False)
    )
    require(rising, f"{PRIVACY}: the dates are out of order")
    return ranges
