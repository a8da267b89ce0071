"""Verify: privacy.json by itself: dates, hours, periods, labels, deltas, parts of epsilon (method 14)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from core.accounting.exact_loss import CONVERSIONS, RUNNING, StatedLoss
from core.accounting.privacy_loss import PrivacyLoss
from core.bundle.stated import STATEMENTS, FirstStatement, ThirdGrid, ThirdStatement, UnitAmounts
from core.bundle.stated_quantity import stated_bounds, stated_quantity
from core.codec import ShapeError, from_json
from core.errors import InputError
from core.hats.cells import require_mixed
from core.hats.groups import DAY_KIND, Group, Groups, require_group_labels
from core.hats.places import HEXAGON_CHOICE, LABELLED, PLACE_KINDS, ZONED, PlaceChoice
from core.hats.slots import ALL, Periods, SlotLength, parse_clock, periods_of, require_periods
from core.privacy import Relation, Unit
from core.quantity import Quantity
from core.signed.bundle_names import PRIVACY
from core.signed.findings import Finding, json_object, require
from core.verify.folder import BundleFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedParts:
    """What epsilons are converted from: pure epsilon and rho of each unit, and at which delta."""

    pure: Mapping[Unit, Decimal]
    rho: Mapping[Unit, Decimal]
    delta: Decimal

    def epsilon(self, unit: Unit) -> Decimal:
        """What the parts of a unit come to in the running total."""
        return self.of(unit, RUNNING).charged

    def of(self, unit: Unit, conversion: str) -> StatedLoss:
        """The parts of a unit, as one release by itself states them by this formula."""
        return StatedLoss(PrivacyLoss(self.pure[unit], self.rho[unit]), self.delta, conversion)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyStatement:
    """The parts of privacy.json that can be checked against the data."""

    stated: FirstStatement
    """All of it, as it is written."""
    release: str
    """`<name>-<version>`."""
    key_id: str
    relation: Relation
    unit: Unit
    charges: Mapping[Unit, Decimal]
    parts: StatedParts | None
    """Of the charges; None where the release has no Gaussian noise."""
    conversion: str
    """The formula that the charges are stated by."""
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
    place: PlaceChoice
    """What places are."""
    slot_minutes: int
    """0 where slots are periods."""
    periods: Periods
    groups: Groups
    hats_listed: bool
    """A list names the HATs of relation `user`."""

    @property
    def slot_length(self) -> SlotLength:
        """As a window takes it."""
        start, end = self.hours
        return self.periods or (ALL if self.slot_minutes == end - start else self.slot_minutes)


def read_statement(folder: BundleFolder) -> PrivacyStatement:
    """What privacy.json states. Raises Finding unless it has the form that it names, and fits itself."""
    return _statement(folder.read(PRIVACY), folder.format.name)


def is_practice(folder: BundleFolder) -> bool:
    """Whether privacy.json says that this is a practice release. Raises Finding where it is none of ours."""
    return read_statement(folder).stated.practice


def _statement(content: bytes, format_name: str) -> PrivacyStatement:
    """Read once for all checks of a bundle."""
    document = json_object(PRIVACY, content)
    require(document.get("format") == format_name, "{privacy} is of another format")
    try:
        stated = from_json(STATEMENTS[format_name], document)
    except ShapeError as error:
        raise Finding("{privacy}: {error}", error=error.args[0]) from None
    require(bool(stated.name and stated.version), "{privacy} names no release")
    ranges = _ranges(stated)
    days = sum((last - first).days + 1 for first, last in ranges)
    require(stated.period.days == days, "{privacy}: the number of days is wrong")
    lower, upper = stated_bounds(document, PRIVACY)
    statement = PrivacyStatement(
        stated=stated,
        release=f"{stated.name}-{stated.version}",
        key_id=stated.signature.key_id,
        relation=stated.relation,
        unit=stated.privacy_unit,
        charges=stated.charges.by_unit,
        parts=_parts("charges", stated.charges_pure, stated.charges_rho, stated.headline.delta),
        conversion=_conversion(stated),
        cumulative=stated.cumulative.by_unit,
        cumulative_parts=_parts(
            "cumulative", stated.cumulative_pure, stated.cumulative_rho, stated.cumulative_delta
        ),
        lower=stated.bounds.lower,
        upper=stated.bounds.upper,
        quantity=stated_quantity(document, PRIVACY),
        span=upper - lower,
        ranges=ranges,
        first=ranges[0][0].isoformat(),
        last=ranges[-1][1].isoformat(),
        days=days,
        hours=_hours(stated),
        resolution=stated.grid.h3_resolution,
        place=_place(stated),
        slot_minutes=stated.grid.slot_minutes,
        periods=_periods(stated),
        groups=_groups(stated, ranges),
        hats_listed=isinstance(stated.grid, ThirdGrid) and stated.grid.hats_listed,
    )
    if stated.delta_before is not None:
        parts = statement.cumulative_parts
        raised = parts is not None and 0 < stated.delta_before < parts.delta
        require(raised, "{privacy}: delta_before is not a smaller delta of all releases")
    headline = (Unit.VEHICLE, stated.relation, stated.charges.vehicle)
    rho = None if stated.charges_rho is None else stated.charges_rho.vehicle
    require(
        (stated.headline.unit, stated.headline.relation, stated.headline.epsilon) == headline
        and stated.headline.rho == rho,
        "{privacy}: the headline is not the charge of a vehicle",
    )
    return statement


def _place(stated: FirstStatement) -> PlaceChoice:
    """Hexagons of a resolution, or other places that have none."""
    grid = stated.grid
    if not isinstance(grid, ThirdGrid):
        return HEXAGON_CHOICE
    place = PlaceChoice(
        place_kind=grid.place,
        place_column=grid.place_column,
        zones_sha256=grid.zones_sha256,
        mixed=_mixed(grid),
    )
    known = (grid.place in PLACE_KINDS, place.hexagons == bool(grid.h3_resolution))
    column = (grid.place == LABELLED) == bool(grid.place_column)
    column = column and (grid.place == ZONED) == bool(grid.zones_sha256)
    require(all(known) and column, "{privacy} states impossible places")
    return place


def _mixed(grid: ThirdGrid) -> tuple[int, ...]:
    """The resolutions of a release that has several, coarsest first."""
    if not grid.coarser_h3_resolutions:
        return ()
    try:
        return require_mixed((*grid.coarser_h3_resolutions, grid.h3_resolution))
    except InputError:
        raise Finding("{privacy} states impossible resolutions") from None


def _conversion(stated: FirstStatement) -> str:
    """Of the charges and the headline; those of the queries must be known as well."""
    if not isinstance(stated, ThirdStatement):
        return RUNNING
    named = {stated.conversion, *(query.conversion for query in stated.queries)}
    require(
        stated.headline.conversion == stated.conversion and named <= {"", *CONVERSIONS},
        "{privacy} names two formulas of epsilon for one charge, or one that is not known",
    )
    return stated.conversion or RUNNING


def _parts(
    name: str, pure: UnitAmounts | None, rho: UnitAmounts | None, delta: Decimal
) -> StatedParts | None:
    """The parts of some epsilons, with their delta; None where the document states neither."""
    if not delta:
        require(pure is None and rho is None, "{privacy}: parts of {name} without a delta", name=name)
        return None
    require(delta < 1, "{privacy}: the delta of {name} is not between 0 and 1", name=name)
    if pure is None or rho is None:
        raise Finding("{privacy}: a delta is stated, but no part of {name}", name=name)
    return StatedParts(pure=pure.by_unit, rho=rho.by_unit, delta=delta)


def _hours(stated: FirstStatement) -> tuple[int, int]:
    try:
        start, end = (parse_clock(text, where=PRIVACY) for text in stated.period.hours)
    except InputError:
        raise Finding("{privacy}: a time of day is malformed") from None
    minutes = stated.grid.slot_minutes
    whole = not minutes if stated.grid.periods else minutes > 0 and (end - start) % minutes == 0
    require(start < end and whole, "{privacy}: the hours are not whole slots")
    return start, end


def _periods(stated: FirstStatement) -> Periods:
    """Raises Finding unless they lie inside the hours, apart, by their start."""
    if not stated.grid.periods:
        return ()
    try:
        listed = [
            (one.name, parse_clock(one.start, where=PRIVACY), parse_clock(one.end, where=PRIVACY))
            for one in stated.grid.periods
        ]
        periods = require_periods(periods_of(listed, where=PRIVACY), *_hours(stated))
        sorted_as_stated = [one.name for one in periods] == [name for name, *_ in listed]
    except InputError:
        sorted_as_stated = False
    require(sorted_as_stated, "{privacy}: the periods do not fit the hours, or each other")
    return periods


def _groups(stated: FirstStatement, ranges: tuple[tuple[dt.date, dt.date], ...]) -> Groups:
    """Raises Finding for labels that cannot be, and for kinds of day that are not of each date one."""
    dates = [first + dt.timedelta(days=n) for first, last in ranges for n in range((last - first).days + 1)]
    found = []
    for group in stated.grid.groups:
        kinds = [(date, kind) for kind, listed in (group.dates or {}).items() for date in listed]
        try:
            labels = require_group_labels(group.labels, where=PRIVACY)
        except InputError:
            labels = ()
        whole = sorted(date for date, _ in kinds) == dates and {kind for _, kind in kinds} == set(labels)
        require(
            labels == group.labels and (whole if group.name == DAY_KIND else not kinds),
            "{privacy}: the labels of {name} do not fit",
            name=group.name,
        )
        found.append(Group(group.name, labels, tuple(sorted(kinds))))
    return tuple(found)


def _ranges(stated: FirstStatement) -> tuple[tuple[dt.date, dt.date], ...]:
    ranges = stated.period.date_ranges
    require(bool(ranges), "{privacy} states no dates")
    rising = all(first <= last for first, last in ranges) and all(
        last < first for (_, last), (first, _) in pairwise(ranges)
    )
    require(rising, "{privacy}: the dates are out of order")
    return ranges
