"""Which column is which, by names and cells, or why none is clear: speed, position, time (method 2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyarrow as pa

from core.assist.column_names import (
    AGENCY_NAMES,
    AXES,
    CLOCK_NAMES,
    DATE_NAMES,
    LATITUDE_NAMES,
    LONGITUDE_NAMES,
    OTHER_SUBJECTS,
    OTHER_VALUES,
    POSITION_NAMES,
    PREFIXES,
    SENSOR_NAMES,
    SPECIFIED_UNITS,
    SPEED_UNIT,
    TENTHS,
    TIME_NAMES,
    UNIT_ENDINGS,
    UNSURE_VEHICLE_NAMES,
    VALUE_NAMES,
    VEHICLE_NAMES,
    is_other_speed,
    plain_name,
)
from core.assist.hemispheres import hemisphere_column
from core.assist.number_date_notation import NUMBER_LIKE, Evidence, date_order, decimal_mark
from core.assist.position_units import METRES, position_order, position_unit
from core.assist.time_cells import time_cells
from core.assist.time_shapes import (
    CLOCK_ALONE,
    DATE_ALONE,
    ENOUGH,
    FORMATS_PAGE,
    MIDNIGHT,
    are_times,
    cell_shape,
    time_format,
)
from core.assist.trip_ends import trip_ends
from core.clean.mapping import ColumnMapping, DerivedSpeed, UnitRange
from core.clean.placed_positions import DEGREES
from core.clean.position_notations import lettered
from core.clean.positions import parse_one_column, parse_two_columns
from core.clean.split_times import names_seconds
from core.clean.value_units import UNIT_FACTORS, behind_number, unit_factor, unit_in_cells, unit_of_factor
from core.errors import InputError
from core.privacy import Confidential
from core.read.file_format import EITHER_MARK, FileFormat
from core.read.path_columns import FILE_NAME
from core.read.preview_rows import Preview, some_names
from core.texts import Name, joined, text_of

_GTFS_SPEED = "position.speed"
_GTFS_BESIDE = ("position.latitude", "position.longitude", "vehicle.id")
"""Fields of a VehiclePosition that stand beside its speed, by their names in GTFS Realtime."""

NOTHING_FOUND = "nothing found: choose"
NO_SPEED = "no column looks like a speed"
UNIT_NOT_STATED = "the file does not say"

_UNIT_BEHIND = re.compile(
    r"(?<=\d)(?:" + "|".join(behind_number(unit).removeprefix("(?i)") for unit in UNIT_FACTORS) + ")",
    re.IGNORECASE,
)
_SPEEDS = ("speed", "velocity", "velocidad", "vitesse", "geschwindigkeit", "spd")
_CLOCK_OF_DIGITS = re.compile(r"\d{4}(\d\d)?", re.ASCII)
_COUNTED_TIME = re.compile(r"\d{5,}[.,]\d+")
"""Days of a spreadsheet, or seconds since 1970, with a fraction: their mark is that of all numbers."""
_TYPES = (
    *("_seconds", "value", "S", "N"),
    *("stringValue", "integerValue", "doubleValue", "timestampValue"),
)
"""What Firestore, SIRI and DynamoDB put below a field for its value."""
_SECONDS = re.compile(r"\d{1,6}([.,]\d*)?", re.ASCII)
_MOST_LATITUDE, _MOST_LONGITUDE = 90.0, 180.0
_MOST_CELLS = 60
"""Cells that are looked at where the name says nothing: enough to tell, and quick for many columns."""
_MOST_COLUMNS = 500
"""More columns are not looked at one by one: who has so many names those that are meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundColumn:
    """A column that fits a part of the mapping, and why."""

    column: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GuessedMapping(Confidential):
    """A mapping and how the file is written, with the reason for each part (part -> reason)."""

    mapping: ColumnMapping
    file_format: FileFormat
    reasons: dict[str, str]


def guess_mapping(preview: Preview, *, where: str, spread: Preview | None = None) -> GuessedMapping:
    """The most likely mapping; without a column that looks like a speed, it is derived from positions.

    spread: rows from all over the file, where the first ones leave the order of day and month open.

    Raises InputError that names every part for which no column was found, and what of the decimal mark
    and the order of day and month the file does not tell: all together, so that one look mends them.
    """
    found = find_columns(preview)
    columns: dict[str, Any] = {part: item.column for part, item in found.items()}
    within = agencies(preview, columns.get("vehicle", ""))
    if "position" not in found and not {"latitude", "longitude"} <= found.keys():
        columns.pop("latitude", None)
        columns.pop("longitude", None)
    wrong = [
        _no_column(part, preview, where)
        for part in ("vehicle", "time", "position")
        if part not in columns and not (part == "position" and "latitude" in columns)
    ]
    decimal = find_decimal(preview, columns)
    time, date = columns.get("time", ""), columns.get("date", "")
    order = date_order(cells_of_both(preview, spread, time, date) if time else ())
    wrong += [
        _not_stated(key, found, where)
        for key, found in (("decimal", decimal), ("date_order", order))
        if found.choice is None
    ]
    other = other_value(preview)
    if other and other.vehicle and columns.get("vehicle", other.vehicle.column) == other.vehicle.column:
        wrong.append(_no_speed(other, where))  # what stands still has no speed to derive
    if wrong:
        raise _all_of(wrong)
    order_of_both, counted = position_parts(preview, columns)
    file_format = FileFormat(decimal=decimal.choice or "", date_order=order.choice or "")
    unit, unit_reason = guess_unit(columns.get("value", ""), preview.columns, preview)
    if within:
        columns["vehicle"] = (*within, columns["vehicle"])
    mapping = ColumnMapping(
        **columns,
        position_order=order_of_both,
        position_unit=counted.choice or DEGREES,
        derived=None if "value" in columns else DerivedSpeed(),
        units=(UnitRange(unit=unit or "km/h"),),
    )
    places = [item for part in ("position", "latitude", "longitude") if (item := columns.get(part))]
    reasons = {
        "vehicle": found["vehicle"].reason,
        "time": found["time"].reason,
        "time_format": time_format(time_cells(preview, time, date), file_format.date_order).reason,
        "position": (
            found["position"].reason
            if "position" in found
            else text_of("named {places}", places=joined(", ", map(Name, places)))
        ),
        "value": found["value"].reason
        if "value" in found
        else text_of("{no_speed}: derived from positions", no_speed=unread_speed(preview) or NO_SPEED),
        "unit": unit_reason if unit else text_of("{unit_reason}; km/h is assumed", unit_reason=unit_reason),
        "decimal": text_of('"{decimal}": {reason}', decimal=file_format.decimal, reason=decimal.reason),
        "date_order": text_of("{order}: {reason}", order=file_format.date_order, reason=order.reason)
        if file_format.date_order
        else order.reason,
    }
    if date:
        reasons["date"] = found["date"].reason
    if counted.reason:
        reasons["position_unit"] = counted.reason
    if mapping.derived:
        reasons["unit"] = "a derived speed is in km/h"
    return GuessedMapping(mapping=mapping, file_format=file_format, reasons=reasons)


def find_columns(preview: Preview) -> dict[str, FoundColumn]:
    """The parts for which a column was found; `position` leaves out `latitude` and `longitude`.

    `date` is there where `time` holds the time of day alone.
    """
    if FILE_NAME in preview.columns:  # means what a person says
        preview = preview.without(FILE_NAME)
    found = {
        "vehicle": _by_name(preview, VEHICLE_NAMES, bool)
        or _by_name(preview, UNSURE_VEHICLE_NAMES, _are_numbered)
        or _by_name(preview, SENSOR_NAMES, bool),
        **_times(preview),
        "position": _by_name(preview, POSITION_NAMES, _are_positions),
        "latitude": _by_name(preview, LATITUDE_NAMES, _are_latitudes),
        "longitude": _by_name(preview, LONGITUDE_NAMES, _are_longitudes),
        "value": _by_name(preview, VALUE_NAMES, _are_speeds)
        or _by_name(preview, _prefixed(VALUE_NAMES), _are_speeds)
        or _by_unit(preview)
        or _by_contents(preview, _name_a_unit, "its cells name a unit of speed"),
    }
    if not found["latitude"] and not found["longitude"]:
        found |= _prefixed_coordinates(preview)
    found |= _axes(preview, found["latitude"], found["longitude"])
    if _mirrored(preview, found["latitude"], found["longitude"]):
        found["latitude"] = found["longitude"] = None
    if not found["position"] and not (found["latitude"] and found["longitude"]):
        found["position"] = _by_contents(preview, _are_positions, "looks like positions")
    if found["position"]:
        found["latitude"] = found["longitude"] = None
    found |= _beside(preview, found["position"] or found["latitude"], apart="date" in found)
    return {part: item for part, item in found.items() if item}


def _beside(preview: Preview, place: FoundColumn | None, *, apart: bool) -> dict[str, FoundColumn]:
    """Vehicle and time in the object of the position: those around it are of who sent it, and when.

    apart: whether date and time of day stand apart.
    """
    parts = _parts(place.column)[:-1] if place else []
    objects = [".".join(parts[:depth]) + "." for depth in range(len(parts), 0, -1)]
    kinds = (("vehicle", VEHICLE_NAMES, bool), ("time", () if apart else TIME_NAMES, _are_times))
    found = {
        part: next(filter(None, (_by_name(preview, names, fits, within) for within in objects)), None)
        for part, names, fits in kinds
    }
    return {part: item for part, item in found.items() if item}


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherValue:
    """A value that is no speed, and what reports it."""

    column: str
    name: str
    unit: str
    """As people read it; empty where several are in use."""
    column_unit: str
    vehicle: FoundColumn | None
    """What stands for the vehicle, where nothing else does."""


def other_value(preview: Preview) -> OtherValue | None:
    """By its name, where no column looks like a speed."""
    if "value" in find_columns(preview):
        return None
    subjects = [name for names in OTHER_SUBJECTS.values() for name in names]
    for (name, unit, column_unit), names in OTHER_VALUES.items():
        if found := _by_name(preview, names, _are_numbers):
            vehicle = _by_name(preview, subjects, bool)
            return OtherValue(
                column=found.column, name=name, unit=unit, column_unit=column_unit, vehicle=vehicle
            )
    return None


def subject_of_id(column: str, *, beside_other_value: bool) -> str:
    """What a column of ids says that reports, in a word; empty where it says vehicle, or nothing."""
    plain = _last(column)
    said = next((subject for subject, names in OTHER_SUBJECTS.items() if plain in names), "")
    return said if beside_other_value or plain in SENSOR_NAMES else ""


def agencies(preview: Preview, vehicle: str) -> tuple[str, ...]:
    """The column of who numbers the vehicles, where there is one beside theirs."""
    found = _by_name(preview, AGENCY_NAMES, bool) if vehicle else None
    return (found.column,) if found and found.column != vehicle else ()


def _times(preview: Preview) -> dict[str, FoundColumn | None]:
    """The column of times, or those of date and time of day.

    Times that are all midnights are dates, where a time of day stands beside them.
    """
    whole = _by_name(preview, TIME_NAMES, _are_times)
    if whole and not _are_midnights(_cells(preview, whole.column)):
        return {"time": whole}
    date, clock = _by_name(preview, DATE_NAMES, _may_be_dates), _by_name(preview, CLOCK_NAMES, _may_be_clocks)
    if pair := _pair(preview, date, clock):
        return pair
    whole = whole or _by_contents(preview, _are_written_times, "looks like times")
    if whole and not _are_midnights(_cells(preview, whole.column)):
        return {"time": whole}
    date = date or _by_contents(preview, _are_dates, "looks like dates")
    clock = clock or _by_contents(preview, _are_clocks, "looks like times of day")
    return _pair(preview, date, clock) or {"time": whole}


def _pair(
    preview: Preview, date: FoundColumn | None, clock: FoundColumn | None
) -> dict[str, FoundColumn | None]:
    """Both, where they are read as times together; else nothing."""
    if not (date and clock) or date.column == clock.column:
        return {}
    cells = [cell for cell in time_cells(preview, clock.column, date.column) if cell]
    digits, days = _cells(preview, clock.column), _cells(preview, date.column)
    counted = all(map(_SECONDS.fullmatch, digits)) and not all(map(str.isdecimal, days))
    is_named = names_seconds(clock.column)
    if counted and not is_named and all(map(_like_a_clock, digits)) and preview.cells_tell:
        return {}  # 93015 may be seconds since midnight or 9:30:15
    return {"time": clock, "date": date} if _are_times(cells) else {}


def _prefixed(names: Sequence[str]) -> tuple[str, ...]:
    """Behind each prefix; a plain axis is known by its own name alone."""
    return tuple(prefix + name for prefix in PREFIXES for name in names if name not in AXES)


def _prefixed_coordinates(preview: Preview) -> dict[str, FoundColumn | None]:
    """Both coordinates behind one and the same prefix: two prefixes may be of two places."""
    for prefix in PREFIXES:
        latitude, longitude = (
            _by_name(preview, [prefix + name for name in names if name not in AXES], fits)
            for names, fits in ((LATITUDE_NAMES, _are_latitudes), (LONGITUDE_NAMES, _are_longitudes))
        )
        if latitude and longitude:
            return {"latitude": latitude, "longitude": longitude}
    return {}


def _axes(
    preview: Preview, latitude: FoundColumn | None, longitude: FoundColumn | None
) -> dict[str, FoundColumn | None]:
    """Two axes as the coordinates that their ranges allow: Y is the latitude if either may be.

    Who calls has seen that the cells of both look like numbers; a few may be none.
    """
    are_axes = latitude and longitude and {_last(latitude.column), _last(longitude.column)} <= AXES
    if not (latitude and longitude and are_axes and preview.cells_tell):
        return {"latitude": latitude, "longitude": longitude}
    y, x = (_numbers(preview, item.column) for item in (latitude, longitude))
    if _within(y, _MOST_LATITUDE) and _within(x, _MOST_LONGITUDE):
        return {"latitude": latitude, "longitude": longitude}
    if _within(x, _MOST_LATITUDE) and _within(y, _MOST_LONGITUDE):
        reason = text_of("within 90 degrees, and {column} is not", column=Name(latitude.column))
        return {
            "latitude": FoundColumn(column=longitude.column, reason=joined(", ", (longitude.reason, reason))),
            "longitude": latitude,
        }
    return {"latitude": None, "longitude": None}


def _mirrored(preview: Preview, latitude: FoundColumn | None, longitude: FoundColumn | None) -> str:
    """The column with the sides of the world that two columns of numbers lack; empty where they lack none."""
    if not (latitude and longitude and preview.cells_tell):
        return ""
    return hemisphere_column(preview, latitude.column, longitude.column)


def unread_position(preview: Preview) -> str:
    """What is said about two axes that are no degrees or have no sign; empty where there are no such ones."""
    named = [_by_name(preview, names, _are_numbers) for names in (LATITUDE_NAMES, LONGITUDE_NAMES)]
    found = find_columns(preview)
    if "position" not in found and (sides := _mirrored(preview, *named)):
        return text_of(
            "{columns} have no sign, and {sides} says where they lie south or west: write a minus before "
            "those, or the letter behind each number, such as 23.53S",
            columns=joined(" and ", (Name(item.column) for item in named if item)),
            sides=Name(sides),
        )
    if None in named or "position" in found or {"latitude", "longitude"} <= found.keys():
        return ""
    columns = joined(" and ", (Name(item.column) for item in reversed(named) if item))
    return text_of(
        "{columns} contain numbers beyond 180, which are not degrees but may be metres of a national grid: "
        'name its system in a spec file, such as crs = "EPSG:25832", with both columns',
        columns=columns,
    )


def unread_time(preview: Preview) -> str:
    """What is said of a column that is named like a time and holds none; empty where there is no such one."""
    date, clock = _by_name(preview, DATE_NAMES, bool), _by_name(preview, CLOCK_NAMES, bool)
    if (
        date
        and clock
        and all(map(str.isdecimal, _cells(preview, date.column) + _cells(preview, clock.column)))
    ):
        return text_of(
            "{clock} is named like a time, but beside digits in {date} its numbers may be seconds since "
            "midnight or clocks: write the dates as 2025-03-04 where they are seconds, six digits where they "
            "are clocks",
            clock=Name(clock.column),
            date=Name(date.column),
        )
    named = _by_name(preview, TIME_NAMES, bool)
    if named is None or _are_times(cells := _cells(preview, named.column)):
        return ""
    return text_of(
        "{column} is named like a time, but {reason}",
        column=Name(named.column),
        reason=time_format(cells).reason,
    )


def find_decimal(preview: Preview, columns: dict[str, str]) -> Evidence:
    """The decimal mark of the columns (part -> column) that hold plain numbers."""
    names = [name for part in ("latitude", "longitude", "value") if (name := columns.get(part))]
    cells = {name: [without_unit(cell) for cell in preview.column(name)] for name in names}
    times = columns.get("time", "")
    if times and all(map(_COUNTED_TIME.fullmatch, counted := _cells(preview, times))):
        cells[times] = counted
    return decimal_mark(cells)


def cells_of_both(preview: Preview, spread: Preview | None, time: str, date: str = "") -> list[str]:
    """The times of the first rows, and of those from all over the file where there are any."""
    return time_cells(preview, time, date) + (time_cells(spread, time, date) if spread else [])


def unread_speed(preview: Preview) -> str:
    """What is said of a column that is named like a speed and not read; empty where there is none."""
    for column in preview.columns:
        plain = plain_name(column)
        named = any(name in plain for name in _SPEEDS) and not is_other_speed(plain)
        unread = [cell for cell in _cells(preview, column) if not NUMBER_LIKE.fullmatch(without_unit(cell))]
        if named and unread and preview.cells_tell:
            return text_of(
                "{no_speed}; {column} is named so, but has cells like {shape}",
                no_speed=NO_SPEED,
                column=Name(column),
                shape=cell_shape(unread[0]),
            )
        if named and preview.cells_tell and _are_speeds(_cells(preview, column)):
            return text_of(
                "{no_speed}; {column} is named so, but its unit is not known: name it as the value, with "
                "unit, or unit_kmh = 0.1 for tenths of km/h",
                no_speed=NO_SPEED,
                column=Name(column),
            )
    return ""


def guess_unit(value: str, columns: Sequence[str] = (), preview: Preview | None = None) -> tuple[str, str]:
    """The unit that a column's name tells, or those beside it, or its cells, and the reason; empty where
    they tell none."""
    cells = _cells(preview, value) if preview and value in preview.columns else []
    if unit := unit_in_cells(cells):
        return unit, text_of("its cells name a unit: {unit}", unit=unit)
    prefix = value.removesuffix(_GTFS_SPEED)
    if prefix != value and {prefix + name for name in _GTFS_BESIDE} <= set(columns):
        return "m/s", "GTFS Realtime gives m/s"
    plain = plain_name(_parts(value)[-1])
    beside = {plain_name(_parts(column)[-1]) for column in columns}
    for name, others, unit, title in SPECIFIED_UNITS:
        if plain == name and beside.issuperset(others):
            return unit, text_of("{title} gives {unit}", title=title, unit=unit)
    plain = plain_name(".".join(_parts(value)))
    if TENTHS.search(plain):
        return _tenths(plain)
    for ending, unit in UNIT_ENDINGS:
        if plain.endswith(ending) and (plain != ending or SPEED_UNIT.search(value)):
            return unit, text_of("its name ends in a unit: {unit}", unit=unit)
    return "", UNIT_NOT_STATED


def _tenths(plain: str) -> tuple[str, str]:
    """The unit of which tenths are named, and the reason; empty where none is."""
    rest = TENTHS.sub("", plain)
    for ending, unit in UNIT_ENDINGS:
        if rest.endswith(ending) and (factor := unit_factor(unit)):
            return unit_of_factor(float(factor / 10)), text_of("its name says tenths of {unit}", unit=unit)
    return "", "its name says tenths, but not of what"


def _by_name(
    preview: Preview, names: Sequence[str], fits: Callable[[list[str]], bool], within: str = ""
) -> FoundColumn | None:
    """The first column, in the order of `names`, whose name and contents fit; within: what it begins with.

    A nested name such as `feature.properties.speed` is also known without its first parts; the fewer of
    them have to be left out, the better.
    """
    for simple in _plain_names(tuple(preview.columns)):
        plain_names = set(simple.values())
        for name in filter(plain_names.__contains__, names):
            for column_name, plain in simple.items():
                named = plain == name and column_name.startswith(within)
                if named and (not preview.cells_tell or fits(_cells(preview, column_name))):
                    return FoundColumn(
                        column=column_name,
                        reason=text_of("named {column_name}", column_name=Name(column_name)),
                    )
    return None


@lru_cache(maxsize=1)  # each kind of column is looked for by name, and a file may have 10,000 columns
def _plain_names(columns: tuple[str, ...]) -> tuple[dict[str, str], ...]:
    """Column -> its plain name, whole and without one more of its first parts each time."""
    parts = {column: _parts(column) for column in columns}
    return tuple(
        {column: plain_name("".join(fields[left_out:])) for column, fields in parts.items()}
        for left_out in range(max(map(len, parts.values()), default=0))
    )


def _by_contents(preview: Preview, fits: Callable[[list[str]], bool], reason: str) -> FoundColumn | None:
    """The one column whose contents fit; none where several do, or where there are too many to look at."""
    if len(preview.columns) > _MOST_COLUMNS:
        return None
    fitting = [
        column for column in dict.fromkeys(preview.columns) if fits(_cells(preview, column)[:_MOST_CELLS])
    ]
    return FoundColumn(column=fitting[0], reason=reason) if len(fitting) == 1 else None


def _name_a_unit(cells: list[str]) -> bool:
    return bool(unit_in_cells(cells)) and _are_speeds(cells)


def _by_unit(preview: Preview) -> FoundColumn | None:
    """The one column of numbers whose name ends in a unit of speed, whatever it is called in its language."""
    fitting = [
        column
        for column in dict.fromkeys(preview.columns)
        if (SPEED_UNIT.search(column) or _is_tenths(plain_name(column)))
        and not is_other_speed(plain_name(column))
        and _are_speeds(_cells(preview, column))
    ]
    if len(fitting) != 1:
        return None
    return FoundColumn(
        column=fitting[0], reason=text_of("{fitting} names a unit of speed", fitting=Name(fitting[0]))
    )


def _is_tenths(plain: str) -> bool:
    return TENTHS.search(plain) is not None and bool(_tenths(plain)[0])


def _cells(preview: Preview, column: str) -> list[str]:
    return [cell for cell in preview.column(column) if cell.strip()]


def _parts(column: str) -> list[str]:
    """Of a nested name, without what a database calls the type of a value: `vehicle.$numberLong`."""
    parts = column.split(".")
    typed = len(parts) > 1 and (parts[-1].startswith("$") or parts[-1] in _TYPES)
    return parts[:-1] if typed else parts


def _last(column: str) -> str:
    """The last part of a nested name."""
    return plain_name(column.rpartition(".")[2])


def _numbers(preview: Preview, column: str) -> list[str]:
    return [cell for cell in _cells(preview, column) if NUMBER_LIKE.fullmatch(cell)]


def _within(cells: list[str], most: float) -> bool:
    numbers = (cell.replace(",", ".") for cell in cells)
    return _most(number.count(".") < 2 and abs(float(number)) <= most for number in numbers)


def _are_times(cells: list[str]) -> bool:
    return _most(are_times(cells))


def _are_written_times(cells: list[str]) -> bool:
    """Times that no plain number can be mistaken for."""
    return _are_times(cells) and not _most(NUMBER_LIKE.fullmatch(cell) is not None for cell in cells)


def _are_midnights(cells: list[str]) -> bool:
    return all(MIDNIGHT.fullmatch(cell.strip()) for cell in cells)


def _are_dates(cells: list[str]) -> bool:
    days = (found["date"] if (found := MIDNIGHT.fullmatch(cell.strip())) else cell.strip() for cell in cells)
    return _most(DATE_ALONE.fullmatch(day) is not None for day in days)


def _may_be_dates(cells: list[str]) -> bool:
    """Of a column that is named like dates: whether they are read is seen beside a time of day."""
    return bool(cells) and (not _are_times(cells) or _are_midnights(cells))


def _are_clocks(cells: list[str]) -> bool:
    return _most(CLOCK_ALONE.fullmatch(cell.strip()) is not None for cell in cells)


def _may_be_clocks(cells: list[str]) -> bool:
    """Of a column that is named like times of day: 061207 is one too, and so are seconds since midnight."""
    kinds = (_CLOCK_OF_DIGITS, _SECONDS)
    return any(_most(kind.fullmatch(cell.strip()) is not None for cell in cells) for kind in kinds) or (
        _are_clocks(cells)
    )


def _like_a_clock(number: str) -> bool:
    hour, minute, second = (int(number[:end][-2:] or 0) for end in (-4, -2, len(number)))
    return number.isdecimal() and hour <= 23 and minute <= 59 and second <= 59


def without_unit(cell: str) -> str:
    """A cell without a unit of speed behind its number."""
    return _UNIT_BEHIND.sub("", cell)


def _are_speeds(cells: list[str]) -> bool:
    return _are_numbers(list(map(without_unit, cells)))


def _are_numbers(cells: list[str]) -> bool:
    return _most(NUMBER_LIKE.fullmatch(cell) is not None for cell in cells)


def _are_numbered(cells: list[str]) -> bool:
    """Names with a digit: km/h has none."""
    return _most(any(map(str.isdigit, cell)) for cell in cells)


def _are_latitudes(cells: list[str]) -> bool:
    return _are_numbers(cells) or _are_lettered(cells, "NS")


def _are_longitudes(cells: list[str]) -> bool:
    return _are_numbers(cells) or _are_lettered(cells, "EW")


def _are_lettered(cells: list[str], letters: str) -> bool:
    """Degrees with the letter of a side of the world, or with minutes."""
    text = pa.array([cell.strip().replace(",", ".") for cell in cells], pa.string())
    return _most(number == number for number in lettered(text, *letters).tolist())


def position_parts(preview: Preview, columns: Mapping[str, str]) -> tuple[str, Evidence]:
    """The order of the coordinates in one column, and what the numbers count.

    columns: part -> column; degrees where the parts are open.
    """
    if name := columns.get("position", ""):
        cells = _cells(preview, name)
        order = position_order(_last(name), cells)
        here = parse_one_column(pa.array(cells, pa.string()), order)
        counted = position_unit([_last(name)], here)
        if counted.reason == METRES and preview.system:
            reason = text_of(
                '{metres} = "{system}", as the file says', metres=METRES, system=Name(preview.system)
            )
            counted = Evidence(choice=None, reason=reason)
        return order, counted
    pair = [columns.get(part, "") for part in ("latitude", "longitude")]
    if not all(name in preview.columns for name in pair):
        return "lon,lat", Evidence(choice=DEGREES, reason="")
    north, east = (pa.array(preview.column(name), pa.string()) for name in pair)
    here = parse_two_columns(north, east, EITHER_MARK)
    return "lon,lat", position_unit([_last(name) for name in pair], here)


def _are_positions(cells: list[str]) -> bool:
    latitude = parse_one_column(pa.array(cells, pa.string()), "lon,lat").latitude
    return _most(value == value for value in latitude.tolist())


def _most(fits: Iterable[bool]) -> bool:
    judged = list(fits)
    return bool(judged) and sum(judged) >= ENOUGH * len(judged)


def _no_column(part: str, preview: Preview, where: str) -> InputError:
    unread = {"time": unread_time, "position": unread_position}.get(part, lambda _: "")(preview)
    mend = text_of("name the column of the {part} in a spec file under [data.mapping]", part=part)
    if part == "vehicle":
        mend = text_of('{mend}, or "file:name" if each file is named after its vehicle', mend=mend)
    if part == "time" and _by_name(preview, CLOCK_NAMES, _are_clocks):
        mend = text_of('{mend}, with date = "file:name" if each file is named after its day', mend=mend)
    looked = joined(": ", (part, unread)) if unread else part
    what = text_of("No column looks like the {part}.", part=looked)
    if unread and part == "time":
        what = text_of("The column {unread}.", unread=unread)
    elif part == "position" and (ends := trip_ends(preview.columns)):
        what = text_of("No column looks like the position: {ends}.", ends=ends)
        mend = text_of("export where the vehicles were along the trip, or {mend}", mend=mend)
    elif around := _around(part, preview):
        what = text_of(
            "No column looks like the {part}: each record is inside another object, whose {around} is not "
            "read.",
            part=part,
            around=Name(around),
        )
        mend = text_of("write {around} into each of the records", around=Name(around))
    return InputError(
        what,
        where=f"{where}; its columns: {some_names(preview.columns)}",
        mend=text_of(
            "write the times in a form of {formats_page}, or {mend}", formats_page=FORMATS_PAGE, mend=mend
        )
        if unread and part == "time"
        else mend,
    )


def _around(part: str, preview: Preview) -> str:
    """The field of the object around each record that looks like the part by its name."""
    names = {"vehicle": (*VEHICLE_NAMES, "id"), "time": TIME_NAMES}.get(part, ())
    found = _by_name(Preview(columns=preview.around, rows=(), cells_tell=False), names, bool)
    return found.column if found else ""


def _no_speed(other: OtherValue, where: str) -> InputError:
    return InputError(
        "The column {column} is not a speed, and has no bounds yet.",
        column=Name(other.column),
        where=where,
        mend="name the value, its unit and its bounds in a spec file under [data.value]",
    )


def _not_stated(key: str, finding: Evidence, where: str) -> InputError:
    what = {"decimal": "decimal mark", "date_order": "order of day and month"}[key]
    example = {"decimal": '"," or "." (or ".,")', "date_order": '"dmy" or "mdy"'}[key]
    return InputError(
        "The {what} is not clear: {reason}.",
        what=what,
        reason=finding.reason,
        where=where,
        mend=text_of("write {key} = {example} in a spec file under [data.format]", key=key, example=example),
    )


def _all_of(wrong: Sequence[InputError]) -> InputError:
    """One error that tells all of them; the first says most of where, as it names the columns if any does."""
    return InputError(
        joined(" ", (error.what for error in wrong)),
        where=wrong[0].where,
        mend=joined("; ", (error.mend for error in wrong)),
    )
