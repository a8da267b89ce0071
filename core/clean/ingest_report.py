"""What was read, dropped and why, and when a person has to look (method 2). Confidential."""

from __future__ import annotations

import dataclasses
import datetime as dt
import zoneinfo
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.clean.extent import Extent
from core.clean.mapping import ColumnMapping, ReadingRules, UnitRange
from core.clean.placed_positions import DEGREES
from core.privacy import Confidential
from core.quantity import SPEED, Quantity
from core.records.id_folds import ids_alike
from core.records.labels import LABEL_OF_ZONE
from core.records.records import DEGREE

REASONS = (
    "unparsable",
    "no_id",
    "no_time",
    "no_position",
    "no_value",
    "value_limit",
    "position_limit",
    "time_limit",
    "filtered",
)
"""Why a row may be dropped; a row counts under the first of `reasons_of` that applies."""
OUTSIDE_ZONES = "position_outside_zones"
MANY_UNUSED = 0.05
"""Share of rows read that are of no use from which on a person has to look why."""
_OF_TRACKS = ("no_value", "value_limit")
"""Why a speed that is derived from positions is not there: usual at every gap."""
Examples = tuple[tuple[str, int], ...]
"""Name of a file, and a line of it: where something stands, never what. Line 0 is the file."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class IngestReport(Confidential):
    """Counts of one load. Times are local ISO texts with offset, `box` is degrees S, W, N, E.

    Without a used row times and hours are empty, and the box says nothing. `examples` are known for rows that
    were no records at all, and for files that were left out. In CSV their lines are counted without
    blank ones and without line ends inside quotes.
    """

    rows_read: int
    rows_used: int
    users: int
    ids_alike: int
    """Vehicles whose ids fall together with another one's where they are folded further."""
    dropped: dict[str, int]
    examples: dict[str, Examples]
    clamped: int
    arrays_unread: int
    """Objects of JSON in lists that hold others than records."""
    missing_words: int | None
    """Cells with a word for "missing"; None: a copy of an earlier version, which knew none."""
    files_empty: int
    """Files, and those inside archives, without a record."""
    files_damaged: int
    """Those that cannot be read and were left out; their names are among the examples."""
    repeats: int
    repeats_far: int
    """Those that lie more than 200 m from the record that stayed: several vehicles may share an id."""
    first_time: str
    last_time: str
    local_hours: tuple[int, ...]
    box: tuple[float, float, float, float]
    zone: str
    mapping: dict[str, Any]

    @property
    def names_damaged(self) -> tuple[str, ...]:
        """Of the files that cannot be read and were left out."""
        return tuple(name for name, _ in self.examples.get("files_damaged", ()))

    def to_json(self) -> dict[str, Any]:
        """Plain values under the names of method 2."""
        return {field.name: _plain(getattr(self, field.name)) for field in dataclasses.fields(self)}


def no_label(name: str) -> str:
    """Why a row is dropped whose column of that public name says nothing that may be published."""
    return OUTSIDE_ZONES if name == LABEL_OF_ZONE else f"no_{name}"


def reasons_of(rules: ReadingRules) -> tuple[str, ...]:
    """Every reason why a row may be dropped that is read so, the first one first."""
    return (*REASONS, *map(no_label, rules.labels))


def unused_share(report: IngestReport, rules: ReadingRules) -> float:
    """Share of the rows that were dropped though nobody chose so, 0..1.

    What lies outside of a box or zones that somebody drew, or is none of what a filter names, is left out
    on purpose, and repeats are no loss.
    """
    chosen = ("filtered", OUTSIDE_ZONES, *(("position_limit",) if rules.mapping.box else ()))
    usual = _OF_TRACKS if rules.mapping.derived else ()
    lost = sum(count for reason, count in report.dropped.items() if reason not in (*chosen, *usual))
    return lost / max(report.rows_read, 1)


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def describe_mapping(mapping: ColumnMapping, quantity: Quantity = SPEED) -> dict[str, Any]:
    """The mapping under the keys of a spec file, and what is no speed; what is not set is left out."""
    speed = quantity.is_speed
    units: Any = (
        mapping.units[0].unit
        if mapping.units == (UnitRange(unit=mapping.units[0].unit),)
        else [
            {"unit": item.unit, "from": str(item.first or ""), "to": str(item.last or "")}
            for item in mapping.units
        ]
    )
    described = {
        "vehicle": mapping.vehicle if isinstance(mapping.vehicle, str) else list(mapping.vehicle),
        "vehicle_fold": mapping.vehicle_fold,
        "time": mapping.time,
        "date": mapping.date,
        "latitude": mapping.latitude,
        "longitude": mapping.longitude,
        "position": mapping.position,
        "position_order": mapping.position_order if mapping.position else "",
        "position_unit": mapping.position_unit if mapping.position_unit != DEGREES else "",
        "crs": mapping.crs,
        "columns": dict(mapping.public_columns),
        "value": mapping.value,
        "unit": units if speed and not mapping.derived else "",
        "derived_speed": {"max_gap_seconds": mapping.derived.max_gap_seconds} if mapping.derived else "",
        "quantity": "" if speed else {"name": quantity.name, "unit": quantity.unit},
    }
    return {key: value for key, value in described.items() if value}


def make_report(
    extent: Extent,
    *,
    vehicles: Collection[str],
    dropped: Mapping[str, int],
    unreadable: Examples,
    files_damaged: Sequence[str],
    zone: str,
    rules: ReadingRules,
    **counts: int,
) -> IngestReport:
    """The report of one load; `extent` is that of the records that were retained, counts the report's own."""
    return IngestReport(
        **counts,
        users=len(vehicles),
        ids_alike=ids_alike(vehicles),
        dropped={reason: dropped[reason] for reason in reasons_of(rules) if dropped.get(reason)},
        examples=({"unparsable": unreadable} if unreadable else {})
        | ({"files_damaged": tuple((name, 0) for name in files_damaged)} if files_damaged else {}),
        files_damaged=len(files_damaged),
        first_time=_local_text(extent.first, zone),
        last_time=_local_text(extent.last, zone),
        local_hours=tuple(sorted(extent.hours)),
        box=(
            extent.south / DEGREE,
            extent.west / DEGREE,
            extent.north / DEGREE,
            extent.east / DEGREE,
        ),
        zone=zone,
        mapping=describe_mapping(rules.mapping, rules.quantity),
    )


def empty_report(rows_read: int, dropped: Mapping[str, int], zone: str, rules: ReadingRules) -> IngestReport:
    """The report of a load that found nothing to use."""
    return IngestReport(
        rows_read=rows_read,
        rows_used=0,
        users=0,
        ids_alike=0,
        dropped={reason: dropped[reason] for reason in reasons_of(rules) if dropped.get(reason)},
        examples={},
        clamped=0,
        arrays_unread=0,
        missing_words=0,
        files_empty=0,
        files_damaged=0,
        repeats=0,
        repeats_far=0,
        first_time="",
        last_time="",
        local_hours=(),
        box=(0.0, 0.0, 0.0, 0.0),
        zone=zone,
        mapping=describe_mapping(rules.mapping, rules.quantity),
    )


def _local_text(second: int, zone: str) -> str:
    moment = dt.datetime.fromtimestamp(second, tz=zoneinfo.ZoneInfo(zone))
    return moment.isoformat(timespec="seconds")
