"""What a preview suggests, part by part, with reasons: a near zone, the other order of day and month."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from core.assist.column_guesses import (
    NO_SPEED,
    NOTHING_FOUND,
    FoundColumn,
    OtherValue,
    agencies,
    cells_of_both,
    find_columns,
    find_decimal,
    guess_unit,
    other_value,
    position_parts,
    unread_position,
    unread_speed,
    unread_time,
)
from core.assist.column_names import names_utc
from core.assist.coordinate_order import FAR_KM, CoordinateCheck, check_coordinates
from core.assist.number_date_notation import Evidence, date_order
from core.assist.reading_choices import Choices
from core.assist.spacing import spacing_of
from core.assist.time_cells import time_cells
from core.assist.time_shapes import FORMATS_PAGE, time_format, unread_clocks, unread_dates
from core.clean.mapping import REGULAR, DerivedSpeed, UnitRange
from core.clean.placed_positions import DEGREES, placed
from core.clean.positions import parse_one_column, parse_two_columns
from core.clean.times import parse_times
from core.errors import InputError
from core.read.file_format import AS_FOUND, DATE_ORDERS, FileFormat
from core.read.preview_rows import Preview
from core.records.id_folds import id_folds, ids_alike
from core.records.zone_places import ZonePlace
from core.records.zones import suggest_zone
from core.texts import Name, text_of

_NOT_PROPOSED = "in relation user nothing is proposed"
_NEAREST = 8
"""Zones whose nearest places are tried before those that only fit the offsets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """As much as can be guessed; what cannot stays open."""

    choices: Choices
    reasons: dict[str, str]
    """Part -> why it is chosen so, or why it is not."""
    time_format: str = ""
    """The form in which the times are read; empty while they are not."""
    other: OtherValue | None = None
    """The value, where its name says that it is no speed."""


def suggest_choices(preview: Preview, spread: Preview | None = None) -> Suggestion:
    """Choices for the columns of a preview; a unit that nothing tells stays open.

    spread: as in `read_contents`.
    """
    found, other = find_columns(preview), other_value(preview)
    if other is not None:
        reason = text_of("named {column_name}", column_name=Name(other.column))
        found["value"] = FoundColumn(column=other.column, reason=reason)
        if other.vehicle and "vehicle" not in found:
            found["vehicle"] = other.vehicle
    columns: dict[str, Any] = {part: item.column for part, item in found.items()}
    parts = ("vehicle", "time", "position", "latitude", "longitude", "value")
    reasons = {part: found[part].reason if part in found else NOTHING_FOUND for part in parts}
    if "date" in found:
        reasons["date"] = found["date"].reason
    unit, reasons["unit"] = guess_unit(columns.get("value", ""), preview.columns, preview)
    placed = "position" in columns or {"latitude", "longitude"} <= columns.keys()
    derived = placed and {"vehicle", "time"} <= columns.keys() and "value" not in columns
    if derived:
        reasons["value"] = unread_speed(preview) or NO_SPEED
    if not placed and (why := unread_position(preview)):
        reasons |= dict.fromkeys(("position", "latitude", "longitude"), why)
    order, counted = position_parts(preview, columns)
    if counted.reason:
        reasons["position_unit"] = counted.reason
    choices = Choices(
        **columns,
        position_order=order,
        position_unit=counted.choice or DEGREES,
        vehicle_within=agencies(preview, columns.get("vehicle", "")),
        derived=DerivedSpeed() if derived else None,
        one_column="position" in columns,
        is_speed=other is None,
        units=(UnitRange(unit=unit),),
    )
    contents = read_contents(preview, choices, spread)
    reasons |= {part: finding.reason for part, finding in contents.items()}
    return Suggestion(
        choices=with_contents(choices, contents),
        reasons=reasons,
        time_format=contents["time_format"].choice or "",
        other=other,
    )


def suggest_by_headers(preview: Preview) -> Suggestion:
    """The same of names alone, whatever the cells hold: what relation `user` may begin with (method 12.1)."""
    return suggest_choices(dataclasses.replace(preview, rows=(), cells_tell=False))


def read_contents(preview: Preview, choices: Choices, spread: Preview | None = None) -> dict[str, Evidence]:
    """What the cells of the chosen columns say about zone, decimal mark, form and spacing of times.

    spread: rows from all over the file, where the first ones leave the order of day and month open.
    """
    columns = {part: column for part, column in choices.columns.items() if column in preview.columns}
    time, date = columns.get("time", ""), columns.get("date", "")
    times = time_cells(preview, time, date) if time else []
    order = date_order(cells_of_both(preview, spread, time, date) if times else ())
    named = choices.date_order or order.choice or ""
    vehicles = preview.column(columns["vehicle"]) if "vehicle" in columns and times else []
    decimal = find_decimal(preview, columns)
    check = check_positions(preview, choices, decimal.choice or ".")
    return {
        # either order will do to see that times lack an offset, which is reported whatever the order
        "zone": _zone_of(
            times,
            FileFormat(date_order=named or DATE_ORDERS[0]),
            check.nearest_zones(_NEAREST),
            in_utc=next(filter(names_utc, (time, date)), ""),
        ),
        "decimal": decimal,
        "date_order": order,
        "time_format": _time_format_of(preview, time, date, times, named),
        "vehicle_fold": _alike_in(vehicles),
        "pings": spacing_of(vehicles, times if vehicles else [], FileFormat(date_order=named)),
    }


def _alike_in(vehicles: Sequence[str]) -> Evidence:
    alike = ids_alike({id_folds(cell).id for cell in vehicles})
    return Evidence(choice="", reason=text_of("{n} of the first rows", n=alike) if alike else "")


def without_proposals(contents: dict[str, Evidence], *, has_marks: bool) -> dict[str, Evidence]:
    """What relation `user` may know of the cells: how times are read, and no choice (method 12.1).

    has_marks: the file is one whose numbers are text, so that somebody has to say their decimal mark.
    """
    waits = Evidence(choice=None, reason=_NOT_PROPOSED)
    return contents | {
        "zone": waits,
        "decimal": waits if has_marks else Evidence(choice=".", reason=_NOT_PROPOSED),
        "date_order": Evidence(choice="", reason=_NOT_PROPOSED),
        "vehicle_fold": waits,
        "pings": waits,
    }


def check_positions(preview: Preview, choices: Choices, decimal: str) -> CoordinateCheck:
    """Where the rows of the preview lie; nowhere while their columns are open."""
    named = {"position": choices.position} if choices.one_column else {}
    named = named or {"latitude": choices.latitude, "longitude": choices.longitude}
    nothing = np.zeros(0)
    if not set(named.values()) <= set(preview.columns):
        return check_coordinates(nothing, nothing, None)
    cells = {part: pa.array(preview.column(column), pa.string()) for part, column in named.items()}
    if choices.one_column:
        read = parse_one_column(cells["position"], choices.position_order)
    else:
        read = parse_two_columns(cells["latitude"], cells["longitude"], decimal)
    read = placed(read, choices.position_unit, choices.crs)
    return check_coordinates(read.latitude, read.longitude, None, choices.zone)


def with_contents(choices: Choices, contents: dict[str, Evidence]) -> Choices:
    """The choices with what the contents tell."""
    return dataclasses.replace(
        choices,
        zone=contents["zone"].choice or "",
        decimal=contents["decimal"].choice,
        date_order=contents["date_order"].choice,
        pings=contents["pings"].choice or REGULAR,
    )


def suggested_zone(preview: Preview, time: str, date: str = "") -> str:
    """The zone that the offsets of the times suggest; empty if they suggest none."""
    return _zone_of(time_cells(preview, time, date)).choice or ""


def zone_to_look(preview: Preview, time: str, file_format: FileFormat = AS_FOUND, *, date: str = "") -> str:
    """UTC where the times are instants that suggest no zone; empty where they suggest one or need one.

    Enough to count records by. Which local hour they fall in, only a zone that somebody names tells.
    """
    cells = pa.array(time_cells(preview, time, date), pa.string())
    instants = not parse_times(cells, file_format).naive.any()
    return "UTC" if instants and not suggested_zone(preview, time, date) else ""


def _time_format_of(preview: Preview, time: str, date: str, times: list[str], order: str) -> Evidence:
    """How the chosen times are read, or why they are not; without a choice, why what is named so was none.

    What is not read is shown with its column, the form of its cells, what to do and the key that decides it.
    Where date and time of day stand apart, the one that is not read is named, if the other one is.
    """
    found = dataclasses.replace(time_format(times, order), part="date" if date else "time")
    if found.choice is not None:
        return found
    part, column, reason = found.part, " + ".join(filter(None, (date, time))), found.reason
    faults = _faults(preview, time, date, order) if date and reason else {}
    if len(faults) == 1:
        ((part, (column, reason)),) = faults.items()
    why = (
        text_of("In the column {column}, {reason}", column=Name(column), reason=reason)
        if reason
        else ""
        if times
        else unread_time(preview)
    )
    if not why:
        return found
    if order and time_format(times).choice is not None:
        advice = text_of(
            "{why}. 9 stands for a digit, a for a letter. Choose the other order of day and month. In a spec "
            "file the key data.format.date_order decides this.",
            why=why,
        )
    elif faults.keys() == {"date"}:
        advice = text_of(
            "{why}. 9 stands for a digit, a for a letter. Choose another column, or write its dates in a "
            "form of {formats_page}. In a spec file the key data.mapping.date decides this.",
            why=why,
            formats_page=FORMATS_PAGE,
        )
    else:
        advice = text_of(
            "{why}. 9 stands for a digit, a for a letter. Choose another column, or write its times in a "
            "form of {formats_page}. In a spec file the key data.mapping.time decides this.",
            why=why,
            formats_page=FORMATS_PAGE,
        )
    return Evidence(choice=None, reason=advice, part=part)


def _faults(preview: Preview, time: str, date: str, order: str) -> dict[str, tuple[str, str]]:
    """Of two columns those that are not read, whatever stands beside them: part -> (column, why)."""
    unread = {
        "date": (date, unread_dates(preview.column(date), order)),
        "time": (time, unread_clocks(preview.column(time))),
    }
    return {part: (column, why) for part, (column, why) in unread.items() if why}


def _zone_of(
    cells: list[str],
    file_format: FileFormat = AS_FOUND,
    places: Sequence[tuple[ZonePlace, float]] = (),
    in_utc: str = "",
) -> Evidence:
    """What the times tell, helped by the places that are near; places alone propose, and decide nothing.

    in_utc: the column that is named so; empty where none is.
    """
    times = parse_times(pa.array(cells, pa.string()), file_format)
    near = [place for place, km in places if km < FAR_KM]
    proposed = (
        text_of("; the positions are near {name}: {zone}", name=near[0].name, zone=near[0].zone)
        if near and cells
        else ""
    )
    if times.naive.any() and in_utc:
        reason = text_of(
            "times without offset, and {column} is named UTC: choose UTC, or write Z behind each time and "
            "choose the local zone",
            column=Name(in_utc),
        )
        return Evidence(choice=None, reason=reason)
    if times.naive.any():
        return Evidence(choice=None, reason=text_of("times without offset{proposed}", proposed=proposed))
    try:
        usual = suggest_zone(times.offsets)
    except InputError:
        return Evidence(choice=None, reason=text_of("the times do not say{proposed}", proposed=proposed))
    zone = suggest_zone(times.offsets, [place.zone for place in near])
    names = {place.zone: place.name for place in near}
    return Evidence(
        choice=zone,
        reason=text_of(
            "fits the offsets{value}",
            value="" if zone == usual else text_of(", and {names} is near", names=names[zone]),
        ),
    )
