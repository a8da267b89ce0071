"""Trying a mapping on a file's first rows, so that a person sees what it does before all is loaded."""

from __future__ import annotations

import datetime as dt
import time as clock
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from core.errors import InputError
from core.ingest import guess
from core.ingest.clean import CleanBatch, ParsedBatch, clean_batch, parse_batch
from core.ingest.formats import reader_for
from core.ingest.mapping import ColumnMapping, ReadingRules, UnitRange
from core.ingest.readers.base import Preview
from core.ingest.times import MISSING, localise, parse_times
from core.ingest.zones import suggest_zone
from core.privacy import Confidential
from core.progress import Progress, silent
from core.values import THOUSAND

EXAMPLES = 3
PARTS = ("vehicle", "time", "zone", "position", "latitude", "longitude", "value", "unit")
"""Everything that has to be chosen, in the order in which a person is asked."""
_ASSUMED = "assumed"
"""The word by which a guess owns that nothing in the file tells the unit."""
_FILLERS = {
    "vehicle": (f"\0{guess.VEHICLE_NAMES[-1]}", "1"),
    "time": (f"\0{guess.TIME_NAMES[-1]}", "2020-01-01T00:00:00Z"),
    "latitude": (f"\0{guess.LATITUDE_NAMES[-1]}", "0"),
    "longitude": (f"\0{guess.LONGITUDE_NAMES[-1]}", "0"),
    "value": (f"\0{guess.VALUE_NAMES[-1]}", "0"),
}
"""Columns under the least likely name of each part: taken by the guess only where no other fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What a person has chosen so far of how to read a file; an empty text is still open."""

    vehicle: str = ""
    time: str = ""
    value: str = ""
    one_column: bool = False
    """Both coordinates are in the column `position`, not in `latitude` and `longitude`."""
    position: str = ""
    position_order: str = "lon,lat"
    latitude: str = ""
    longitude: str = ""
    unit: str = ""
    zone: str = ""

    @property
    def columns(self) -> dict[str, str]:
        """The parts that need a column, in order, each with the column chosen for it."""
        places = ("position",) if self.one_column else ("latitude", "longitude")
        return {part: getattr(self, part) for part in ("vehicle", "time", *places, "value")}

    @property
    def still_open(self) -> tuple[str, ...]:
        """The parts that have to be chosen before the file can be loaded."""
        chosen = self.columns | {"zone": self.zone, "unit": self.unit}
        return tuple(part for part in PARTS if not chosen.get(part, "-"))

    def rules(self, upper_bound: int) -> ReadingRules:
        """The choices as rules, U in thousandths. Raises InputError while the position is open."""
        return ReadingRules(
            mapping=ColumnMapping(
                vehicle=self.vehicle,
                time=self.time,
                value=self.value,
                position=self.position if self.one_column else "",
                position_order=self.position_order,
                latitude="" if self.one_column else self.latitude,
                longitude="" if self.one_column else self.longitude,
                units=(UnitRange(unit=self.unit),),
            ),
            zone=self.zone or None,
            upper_bound=upper_bound,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What names and contents suggest."""

    choices: Choices
    recognised: frozenset[str]
    """The parts that the file itself tells; all others are open or as usual."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Example(Confidential):
    """One row as it stands in the file, and what becomes of it."""

    time: str
    value: str
    parsed: str
    """The instant in UTC, ending in Z; the bare wall clock while no zone is known; empty if unreadable."""
    local: str
    """Empty while no zone is known."""
    place: str
    kmh: str
    dropped: str
    """The reason (a key of `REASONS`) why the row cannot be used; empty for a usable one."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Trial(Confidential):
    """What a mapping makes of the preview's rows."""

    rows: int
    usable: int
    clamped: int
    dropped: dict[str, int]
    zone: str
    """The zone that the local times are in; empty when the rules and the file name none."""
    examples: tuple[Example, ...]


def suggest_choices(preview: Preview) -> Suggestion:
    """As much as can be guessed; what cannot stays open, and so does a unit that nothing tells."""
    names, cells = zip(*_FILLERS.values(), strict=True)
    rows = preview.rows or (("",) * len(preview.columns),)
    padded = Preview(columns=(*preview.columns, *names), rows=tuple((*row, *cells) for row in rows))
    guessed = guess.guess_mapping(padded, where="")
    mapping = guessed.mapping
    found = {
        part: name
        for part in ("vehicle", "time", "value", "position", "latitude", "longitude")
        if (name := getattr(mapping, part)) and name not in names
    }
    unit = "" if _ASSUMED in guessed.reasons["unit"] else mapping.units[0].unit
    zone = suggested_zone(preview, found["time"]) if "time" in found else ""
    told = found | {"unit": unit, "zone": zone}
    return Suggestion(
        choices=Choices(**found, one_column="position" in found, unit=unit, zone=zone),
        recognised=frozenset(part for part, choice in told.items() if choice),
    )


def suggested_zone(preview: Preview, column: str) -> str:
    """The zone that the offsets of a column of times suggest; empty if they suggest none."""
    times = parse_times(pa.array(preview.column(column), pa.string()))
    if times.naive.any():
        return ""
    try:
        return suggest_zone(times.offsets)
    except InputError:
        return ""


def try_mapping(preview: Preview, rules: ReadingRules) -> Trial:
    """Read the preview's rows as a load would.

    Where neither rules nor file name a zone, naive times are judged as if they were UTC.
    """
    zone = rules.zone or suggested_zone(preview, rules.mapping.time)
    now_ms = int(clock.time() * 1000)
    everything = range(len(preview.rows))
    _, cleaned = _read(preview, everything, rules, zone, now_ms)
    return Trial(
        rows=len(everything),
        usable=int(cleaned.instant.size),
        clamped=cleaned.clamped,
        dropped={reason: count for reason, count in cleaned.dropped.items() if count},
        zone=zone,
        examples=tuple(_example(preview, row, rules, zone, now_ms) for row in _spread(len(everything))),
    )


def require_shape(files: Sequence[Path], rules: ReadingRules, progress: Progress = silent) -> None:
    """Open each file far enough to see its columns.

    Raises InputError that names the file and the mapped column it lacks. Of JSON only a full load
    can tell that no record has a field.
    """
    for number, path in enumerate(files):
        progress(number / len(files), f"Looking into {path.name}")
        next(iter(reader_for(path).batches(path, rules.mapping.columns, rules.format)), None)


def _read(
    preview: Preview, rows: Sequence[int], rules: ReadingRules, zone: str, now_ms: int
) -> tuple[ParsedBatch, CleanBatch]:
    columns = {name: preview.columns.index(name) for name in rules.mapping.columns}
    table = pa.table(
        {
            name: pa.array([preview.rows[row][index] for row in rows], pa.string())
            for name, index in columns.items()
        }
    )
    parsed = parse_batch(table, rules)
    return parsed, clean_batch(parsed, rules, zone or "UTC", now_ms)


def _spread(rows: int) -> tuple[int, ...]:
    """First, middle and last row: neighbours tend to be alike."""
    return tuple(dict.fromkeys((rows - 1) * step // (EXAMPLES - 1) for step in range(EXAMPLES) if rows))


def _example(preview: Preview, row: int, rules: ReadingRules, zone: str, now_ms: int) -> Example:
    parsed, cleaned = _read(preview, (row,), rules, zone, now_ms)
    raw = dict(zip(preview.columns, preview.rows[row], strict=True))
    instant = int(localise(parsed.times.instants, parsed.times.naive, zone or "UTC")[0])
    known = instant != MISSING
    placeless = bool(parsed.times.naive[0]) and not zone
    latitude, longitude = float(parsed.positions.latitude[0]), float(parsed.positions.longitude[0])
    return Example(
        time=raw[rules.mapping.time],
        value=raw[rules.mapping.value],
        parsed=_moment(instant, "UTC", "" if placeless else "Z") if known else "",
        local=_moment(instant, zone, " %z") if known and zone else "",
        place=_place(latitude, longitude) if latitude == latitude and longitude == longitude else "",
        kmh=f"{int(cleaned.value[0]) / THOUSAND:g}" if cleaned.value.size else "",
        dropped=next((reason for reason, count in cleaned.dropped.items() if count), ""),
    )


def _moment(instant: int, zone: str, ending: str) -> str:
    """An instant as text; empty for one that no calendar holds."""
    try:
        moment = dt.datetime.fromtimestamp(instant / 1000, tz=zoneinfo.ZoneInfo(zone))
    except (ValueError, OverflowError, OSError):
        return ""
    return moment.strftime(f"%Y-%m-%d %H:%M:%S{ending}")


def _place(latitude: float, longitude: float) -> str:
    north, east = ("N" if latitude >= 0 else "S"), ("E" if longitude >= 0 else "W")
    return f"{abs(latitude):.4f}° {north}, {abs(longitude):.4f}° {east}"
