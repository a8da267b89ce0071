"""Which columns mean what: units by date, ranges, derived speeds, and what contradicts itself (method 2)."""

from __future__ import annotations

import datetime as dt
import itertools
from dataclasses import dataclass

from core.clean.bounded_value import EXAMPLE_LINES, BoundedValue
from core.clean.placed_positions import DEGREES, require_placing
from core.clean.record_filter import RecordFilter
from core.clean.value_units import UNIT_FACTORS, unit_factor
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.quantity import SPEED, Quantity
from core.read.file_format import AS_FOUND, FileFormat
from core.records.labels import LabelledZones
from core.texts import text_of

POSITION_ORDERS = ("lon,lat", "lat,lon")
REGULAR = "regular"
"""Records come at a fixed rate as long as a vehicle is on its way: a slow one gives more of them."""
EVENTS = "events"
"""A record is something that happened, such as the end of a trip."""
PINGS = (REGULAR, EVENTS)
DEFAULT_PHYSICAL_MAX = 200 * THOUSAND
"""Of a speed; where U lies above it, U."""
_NO_UNIT = "none"
"""What once stood for a value that is no speed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRange:
    """The unit of the value, for all records or for those of an inclusive range of local dates."""

    unit: str
    first: dt.date | None = None
    last: dt.date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle of degrees that positions must lie in, edges included."""

    south: float
    west: float
    north: float
    east: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedSpeed:
    """Speed from distance and time since the vehicle's record before, where a file has none (method 2)."""

    max_gap_seconds: int = 120
    """After a longer pause there is no speed."""


def require_units(units: tuple[UnitRange, ...]) -> None:
    """Raise InputError for units that are unknown, run backwards or overlap."""
    for unit_range in units:
        if unit_range.first and unit_range.last and unit_range.last < unit_range.first:
            raise InputError(
                "The dates of the unit {unit} run backwards.",
                unit=unit_range.unit,
                where="data.units",
                mend="write the earlier date as from",
            )
        if unit_range.unit == _NO_UNIT:
            raise InputError(
                'unit = "none" is no longer used: a value other than speed has a name and bounds.',
                where="data.mapping.unit",
                mend=text_of(
                    "in place of unit, upper_bound_kmh and physical_max_kmh write for instance\n"
                    "{example_lines}",
                    example_lines="\n".join(EXAMPLE_LINES),
                ),
            )
        if not unit_range.unit or unit_factor(unit_range.unit) is None:
            raise InputError(
                "The unit {unit} is unknown.",
                unit=f"{unit_range.unit!r}",
                where="data.mapping.unit",
                mend=text_of(
                    "write one of {unit_factors}, or unit_kmh", unit_factors=", ".join(UNIT_FACTORS)
                ),
            )
    if not units:
        raise InputError(
            "The unit of the value is missing.",
            where="data.mapping.unit",
            mend=text_of("write one of {unit_factors}, or unit_kmh", unit_factors=", ".join(UNIT_FACTORS)),
        )
    in_order = sorted(units, key=lambda item: item.first or dt.date.min)
    for earlier, later in itertools.pairwise(in_order):
        if (later.first or dt.date.min) <= (earlier.last or dt.date.max):
            raise InputError(
                "Two units are given for one date.",
                where="data.units",
                mend="let each range of dates end before the next begins",
            )


def require_box(box: Box) -> None:
    """Raise InputError unless the edges are degrees in order."""
    if not (-90 <= box.south < box.north <= 90 and -180 <= box.west < box.east <= 180):
        raise InputError(
            "This is not a box.",
            where="data.mapping.box",
            mend="write south below north within -90 and 90, and west below east within -180 and 180",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMapping:
    """Names of columns (nested ones with dots), units and limits.

    Either `position` (one column holding both coordinates) or `latitude` and `longitude`; either
    `value` or `derived`.
    """

    vehicle: str | tuple[str, ...]
    """One column, or several that make an id together."""
    vehicle_fold: bool = False
    """The id is the further fold of what is read, in which one vehicle is written in one way alone."""
    time: str
    date: str = ""
    """Column of the date, where `time` holds the time of day alone."""
    value: str = ""
    derived: DerivedSpeed | None = None
    latitude: str = ""
    longitude: str = ""
    position: str = ""
    position_order: str = "lon,lat"
    position_unit: str = DEGREES
    """One of `POSITION_UNITS`."""
    crs: str = ""
    """EPSG code of the reference system; empty: WGS 84."""
    units: tuple[UnitRange, ...] = (UnitRange(unit="km/h"),)
    """Of a speed; another value is in its own unit."""
    physical_max: int = DEFAULT_PHYSICAL_MAX
    """Speeds above it (thousandths of km/h) are dropped as impossible; those below 0 always are."""
    box: Box | None = None
    public_columns: tuple[tuple[str, str], ...] = ()
    """Others that a release speaks of: public name and column."""

    def __post_init__(self) -> None:
        for name, columns in (("vehicle", self.vehicle_columns), ("time", (self.time,))):
            if not all(columns) or not columns:
                raise InputError(
                    "A column without a name cannot be read.",
                    where=f"data.mapping.{name}",
                    mend="name the column in the file, then here",
                )
        if self.date == self.time:
            raise InputError(
                "The date and the time of day are in one column.",
                where="data.mapping.date",
                mend="leave date out: time names the column of both",
            )
        pair = bool(self.latitude) and bool(self.longitude)
        if bool(self.position) == pair or bool(self.latitude) != bool(self.longitude):
            raise InputError(
                "The position needs either one column or a latitude and a longitude column.",
                where="data.mapping",
                mend='name position = "..." or latitude = "..." and longitude = "..."',
            )
        if bool(self.value) == bool(self.derived):
            raise InputError(
                "The value needs either a column or a speed derived from positions.",
                where="data.mapping",
                mend='name value = "...", or write [data.derived_speed]',
            )
        if self.derived and self.derived.max_gap_seconds < 1:
            raise InputError(
                "The longest gap must be at least one second.",
                where="data.derived_speed.max_gap_seconds",
                mend="write for instance 120",
            )
        if self.position_order not in POSITION_ORDERS:
            raise InputError(
                "This order of coordinates is unknown.",
                where="data.mapping.position_order",
                mend=text_of("write one of {position_orders}", position_orders=", ".join(POSITION_ORDERS)),
            )
        require_placing(self.position_unit, self.crs)
        require_units(self.units)
        if self.box:
            require_box(self.box)

    @property
    def vehicle_columns(self) -> tuple[str, ...]:
        return (self.vehicle,) if isinstance(self.vehicle, str) else self.vehicle

    @property
    def time_columns(self) -> tuple[str, ...]:
        return (self.date, self.time) if self.date else (self.time,)

    @property
    def position_columns(self) -> tuple[str, ...]:
        return (self.position,) if self.position else (self.latitude, self.longitude)

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that must be read, each once."""
        named = (
            *(*self.vehicle_columns, *self.time_columns, *self.position_columns, self.value),
            *(column for _, column in self.public_columns),
        )
        return tuple(dict.fromkeys(name for name in named if name))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRules:
    """How records are read: the mapping, the data set's zone, and the public bounds of the value."""

    mapping: ColumnMapping
    zone: str | None
    """IANA name. None: taken from the offsets of the file, where it has any."""
    upper_bound: int
    """U in thousandths of the value's unit: the upper bound of a speed, upper less lower of another value."""
    format: FileFormat = AS_FOUND
    pings: str = REGULAR
    """Why there is a record, one of `PINGS`."""
    value: BoundedValue | None = None
    """What the column of the value holds; None: a speed, of 0 to U."""
    skip_damaged: bool = False
    """Files that cannot be read are left out, and named in the report; never in relation `user`."""
    filters: tuple[RecordFilter, ...] = ()
    """Of columns with a public name: the records that all of them let through count."""
    labels: tuple[str, ...] = ()
    """Public names, sorted, of the columns whose texts are places or groups: who has none is no record.

    `LABEL_OF_ZONE` among them is the label of the zone that a record lies in.
    """
    zones: LabelledZones | None = None

    def __post_init__(self) -> None:
        """Raises InputError for a value that is no speed and is read as one."""
        if self.value is None:
            return
        if self.mapping.derived is not None:
            raise InputError(
                "Only a speed can be derived from positions.",
                where="data.derived_speed",
                mend='name value = "..." in [data.mapping], or leave [data.value] out',
            )
        assert self.upper_bound == self.value.span

    @property
    def tell_dwell(self) -> bool:
        """Whether many records in few visits are a sign of a slow vehicle (method 4)."""
        return self.pings == REGULAR and self.value is None

    @property
    def quantity(self) -> Quantity:
        """What is published of the value."""
        return SPEED if self.value is None else self.value.quantity

    @property
    def physical_limits(self) -> tuple[int, int]:
        """Values outside are impossible, and dropped: least and most, thousandths of the unit."""
        if self.value is None:
            return 0, self.mapping.physical_max
        return self.value.physical_min, self.value.physical_max


def usual_physical_max(upper_bound: int) -> int:
    """The physical limit of a speed where none is named, thousandths of km/h."""
    return max(DEFAULT_PHYSICAL_MAX, upper_bound)


def require_open_range(rules: ReadingRules) -> None:
    """Refuse a physical limit inside the bounds: it would drop by value what neighbours may differ in.

    How many records remain is public, so that their number would tell values. A value with a name checks
    its own. Raises InputError. Source: method 2.1.
    """
    if rules.value is None and rules.mapping.physical_max < rules.upper_bound:
        raise InputError(
            "The physical limit lies inside the protected range, so counts of records would reveal speeds.",
            where="data.mapping.physical_max_kmh",
            mend=text_of(
                "write physical_max_kmh = {value} or more, or a smaller U",
                value=f"{rules.upper_bound / THOUSAND:g}",
            ),
        )
