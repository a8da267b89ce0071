"""What names and contents of a preview suggest, part by part, with the reason for each."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from core.assist.column_guesses import (
    NO_SPEED,
    NOTHING_FOUND,
    find_columns,
    find_decimal,
    guess_unit,
    unread_time,
)
from core.assist.number_date_notation import Evidence, date_order
from core.assist.reading_choices import Choices
from core.assist.spacing import spacing_of
from core.assist.time_shapes import FORMATS_PAGE, time_format
from core.clean.mapping import REGULAR, DerivedSpeed, UnitRange
from core.clean.times import parse_times
from core.errors import InputError
from core.read.file_format import AS_FOUND, FileFormat
from core.read.preview_rows import Preview
from core.records.zones import suggest_zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """As much as can be guessed; what cannot stays open."""

    choices: Choices
    reasons: dict[str, str]
    """Part -> why it is chosen so, or why it is not."""


def suggest_choices(preview: Preview) -> Suggestion:
    """Choices for the columns of a preview; a unit that nothing tells stays open."""
    found = find_columns(preview)
    columns: dict[str, Any] = {part: item.column for part, item in found.items()}
    parts = ("vehicle", "time", "position", "latitude", "longitude", "value")
    reasons = {part: found[part].reason if part in found else NOTHING_FOUND for part in parts}
    unit, reasons["unit"] = guess_unit(columns.get("value", ""), preview.columns)
    placed = "position" in columns or {"latitude", "longitude"} <= columns.keys()
    derived = placed and {"vehicle", "time"} <= columns.keys() and "value" not in columns
    if derived:
        reasons["value"] = NO_SPEED
    choices = Choices(
        **columns,
        derived=DerivedSpeed() if derived else None,
        one_column="position" in columns,
        units=(UnitRange(unit=unit),),
    )
    contents = read_contents(preview, choices)
    reasons |= {part: finding.reason for part, finding in contents.items()}
    return Suggestion(choices=with_contents(choices, contents), reasons=reasons)


def read_contents(preview: Preview, choices: Choices) -> dict[str, Evidence]:
    """What the cells of the chosen columns tell of zone, decimal mark, form and spacing of times."""
    columns = {part: column for part, column in choices.columns.items() if column in preview.columns}
    times = preview.column(columns["time"]) if "time" in columns else []
    order = date_order(times)
    named = choices.date_order or order.choice or ""
    vehicles = preview.column(columns["vehicle"]) if "vehicle" in columns and times else []
    return {
        "zone": _zone_of(times, FileFormat(date_order=order.choice or "")),
        "decimal": find_decimal(preview, columns),
        "date_order": order,
        "time_format": _time_format_of(preview, times, named),
        "pings": spacing_of(vehicles, times if vehicles else [], FileFormat(date_order=named)),
    }


def with_contents(choices: Choices, contents: dict[str, Evidence]) -> Choices:
    """The choices with what the contents tell."""
    return dataclasses.replace(
        choices,
        zone=contents["zone"].choice or "",
        decimal=contents["decimal"].choice,
        date_order=contents["date_order"].choice,
        pings=contents["pings"].choice or REGULAR,
    )


def suggested_zone(preview: Preview, column: str) -> str:
    """The zone that the offsets of a column of times suggest; empty if they suggest none."""
    return _zone_of(preview.column(column)).choice or ""


def zone_to_look(preview: Preview, column: str) -> str:
    """UTC where a column's times are instants that suggest no zone; empty where they suggest one or need one.

    Enough to count records by. Which local hour they fall in, only a zone that somebody names tells.
    """
    instants = not parse_times(pa.array(preview.column(column), pa.string())).naive.any()
    return "UTC" if instants and not suggested_zone(preview, column) else ""


def _time_format_of(preview: Preview, times: list[str], order: str) -> Evidence:
    """How the chosen times are read, or why they are not; without a choice, why what is named so was none."""
    found = time_format(times, order)
    if found.choice is None and (why := found.reason or ("" if times else unread_time(preview))):
        return Evidence(choice=None, reason=f"{why}. What is read: {FORMATS_PAGE}")
    return found


def _zone_of(cells: list[str], file_format: FileFormat = AS_FOUND) -> Evidence:
    times = parse_times(pa.array(cells, pa.string()), file_format)
    if times.naive.any():
        return Evidence(choice=None, reason="times without offset")
    try:
        return Evidence(choice=suggest_zone(times.offsets), reason="fits the offsets")
    except InputError:
        return Evidence(choice=None, reason="the times do not tell")
