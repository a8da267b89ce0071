"""What a person has chosen so far of how a file is read; a value without name, unit or bounds is open."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from core.clean.bounded_value import BoundedValue
from core.clean.mapping import (
    DEFAULT_PHYSICAL_MAX,
    REGULAR,
    Box,
    ColumnMapping,
    DerivedSpeed,
    ReadingRules,
    UnitRange,
)
from core.clean.placed_positions import DEGREES
from core.clean.record_filter import RecordFilter
from core.errors import InputError
from core.read.file_format import MISSING_WORDS, FileFormat

PARTS = (
    "encoding",
    "sheet",
    "vehicle",
    "time",
    "zone",
    "position",
    "latitude",
    "longitude",
    "value",
    "quantity",
    "unit",
    "decimal",
    "date_order",
)
"""Everything that has to be chosen, in the order in which a person is asked."""
OPEN_UNIT = UnitRange(unit="")
"""All dates, in a unit that has still to be chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """An empty text is still open."""

    vehicle: str = ""
    vehicle_within: tuple[str, ...] = ()
    """Columns whose texts stand before those of `vehicle` in an id: the agency that numbers them."""
    vehicle_fold: bool = False
    time: str = ""
    date: str = ""
    """Empty: `time` holds the date too."""
    value: str = ""
    derived: DerivedSpeed | None = None
    """Speeds come from positions; `value` and `units` do not count."""
    is_speed: bool = True
    """Otherwise `units`, `derived` and `physical_max` do not count."""
    named: BoundedValue | None = None
    """What the value is where it is no speed; None: open."""
    one_column: bool = False
    """Both coordinates are in the column `position`, not in `latitude` and `longitude`."""
    position: str = ""
    position_order: str = "lon,lat"
    position_unit: str = DEGREES
    crs: str = ""
    latitude: str = ""
    longitude: str = ""
    units: tuple[UnitRange, ...] = (OPEN_UNIT,)
    zone: str = ""
    pings: str = REGULAR
    """Why there is a record: there is always a choice, as the file may not tell."""
    physical_max: int = DEFAULT_PHYSICAL_MAX
    """Thousandths of km/h."""
    box: Box | None = None
    encoding: str | None = ""
    """None: open, as the file is not UTF-8 and has no mark."""
    delimiter: str = ""
    sheet: str | tuple[str, ...] | None = ""
    """None: open, as several sheets of the workbook hold data."""
    decimal: str | None = "."
    """None: open, as the numbers of the file may be read in two ways."""
    date_order: str | None = ""
    """None: open, as the dates of the file may be read in two ways."""
    missing: tuple[str, ...] = MISSING_WORDS
    records: str = ""
    skip_lines: int = 0
    skip_damaged: bool = False
    public_columns: tuple[tuple[str, str], ...] = ()
    filters: tuple[RecordFilter, ...] = ()
    """As the spec names them: the form alters none."""

    @property
    def columns(self) -> dict[str, str]:
        """The parts that need a column, in order, each with the column chosen for it."""
        date = ("date",) if self.date else ()
        value = () if self.derives else ("value",)
        return {part: getattr(self, part) for part in ("vehicle", "time", *date, *self._places, *value)}

    @property
    def chosen_twice(self) -> dict[str, tuple[str, ...]]:
        """Columns that several parts take, with those parts: of all but one that is hardly meant."""
        parts: dict[str, tuple[str, ...]] = {}
        for part, column in self.columns.items():
            if column:
                parts[column] = (*parts.get(column, ()), part)
        return {column: found for column, found in parts.items() if len(found) > 1}

    @property
    def has_position(self) -> bool:
        """No column of the position is open."""
        return all(getattr(self, part) for part in self._places)

    @property
    def _places(self) -> tuple[str, ...]:
        return ("position",) if self.one_column else ("latitude", "longitude")

    @property
    def derives(self) -> bool:
        """Speeds come from positions."""
        return self.is_speed and self.derived is not None

    @property
    def still_open(self) -> tuple[str, ...]:
        """The parts that have to be chosen before the file can be loaded."""
        units = bool(self.units) and all(item.unit for item in self.units)
        done = {part: bool(column) for part, column in self.columns.items()} | {
            "encoding": self.encoding is not None,
            "sheet": self.sheet is not None,
            "zone": bool(self.zone),
            "unit": units or self.derives or not self.is_speed,
            "quantity": self.is_speed or self.named is not None,
            "decimal": self.decimal is not None,
            "date_order": self.date_order is not None,
        }
        return tuple(part for part in PARTS if not done.get(part, True))

    @property
    def file_format(self) -> FileFormat:
        """How the file is written; what is open counts as usual. Raises InputError for what cannot be."""
        return FileFormat(
            encoding=self.encoding or "",
            delimiter=self.delimiter,
            sheet=self.sheet or "",
            decimal=self.decimal or ".",
            date_order=self.date_order or "",
            missing=self.missing,
            records=self.records,
            skip_lines=self.skip_lines,
        )

    def rules(self, upper_bound: int) -> ReadingRules:
        """The choices as rules, U of a speed in thousandths.

        Raises InputError while the position or the quantity is open, and for units that do not fit together.
        """
        value = self._named()
        mapping = ColumnMapping(
            vehicle=(*self.vehicle_within, self.vehicle) if self.vehicle_within else self.vehicle,
            vehicle_fold=self.vehicle_fold,
            time=self.time,
            date=self.date,
            value="" if self.derives else self.value,
            derived=self.derived if self.derives else None,
            position=self.position if self.one_column else "",
            position_order=self.position_order,
            position_unit=self.position_unit,
            crs=self.crs,
            latitude="" if self.one_column else self.latitude,
            longitude="" if self.one_column else self.longitude,
            box=self.box,
            public_columns=self.public_columns,
        )
        if value is None:
            units = mapping.units if self.derives else self.units
            mapping = dataclasses.replace(mapping, units=units, physical_max=self.physical_max)
        return ReadingRules(
            mapping=mapping,
            zone=self.zone or None,
            upper_bound=upper_bound if value is None else value.span,
            format=self.file_format,
            pings=self.pings,
            value=value,
            skip_damaged=self.skip_damaged,
            filters=self.filters,
        )

    def _named(self) -> BoundedValue | None:
        if self.is_speed:
            return None
        if self.named is None:
            raise InputError(
                "The value has no name, unit or bounds.", where="data.value", mend="name the value"
            )
        return self.named


def choices_of(rules: ReadingRules) -> Choices:
    """The inverse of `Choices.rules`, without U."""
    mapping, file_format = rules.mapping, rules.format
    return Choices(
        vehicle=mapping.vehicle_columns[-1],
        vehicle_within=mapping.vehicle_columns[:-1],
        vehicle_fold=mapping.vehicle_fold,
        time=mapping.time,
        date=mapping.date,
        value=mapping.value,
        derived=mapping.derived,
        is_speed=rules.value is None,
        named=rules.value,
        one_column=bool(mapping.position),
        position=mapping.position,
        position_order=mapping.position_order,
        position_unit=mapping.position_unit,
        crs=mapping.crs,
        latitude=mapping.latitude,
        longitude=mapping.longitude,
        units=(OPEN_UNIT,) if rules.value else mapping.units,
        zone=rules.zone or "",
        pings=rules.pings,
        physical_max=mapping.physical_max,
        box=mapping.box,
        encoding=file_format.encoding,
        delimiter=file_format.delimiter,
        sheet=file_format.sheet,
        decimal=file_format.decimal,
        date_order=file_format.date_order,
        missing=file_format.missing,
        records=file_format.records,
        skip_lines=file_format.skip_lines,
        skip_damaged=rules.skip_damaged,
        public_columns=mapping.public_columns,
        filters=rules.filters,
    )
