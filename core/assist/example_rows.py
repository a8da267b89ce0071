"""The example rows of an import: a row as it stands in the file, and what becomes of it."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass

from core.clean.drop_and_clamp import CleanBatch, ParsedBatch
from core.clean.mapping import ReadingRules
from core.clean.read_times import MISSING
from core.fixed_point import THOUSAND
from core.privacy import Confidential
from core.records.zones import localise


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Example(Confidential):
    """One row as it stands in the file, and what becomes of it."""

    time: str
    value: str
    parsed: str
    """The instant in UTC, ending in Z; the bare wall clock while no zone is known; empty if unreadable."""
    local: str
    """Empty while no zone is known."""
    place: tuple[float, float] | None
    """Latitude and longitude in degrees; None where they are unreadable."""
    amount: str
    """What the value counts as, in the unit that is published; empty where that takes a whole track."""
    dropped: str
    """The reason (a key of `REASONS`) why the row cannot be used; empty for a usable one."""


def example_of(
    raw: Mapping[str, str], parsed: ParsedBatch, cleaned: CleanBatch, rules: ReadingRules, zone: str
) -> Example:
    """One row of a preview: its cells by column name, and what was read and retained of that row alone."""
    instant = int(localise(parsed.times.instants, parsed.times.naive, zone or "UTC")[0])
    known = instant != MISSING
    placeless = bool(parsed.times.naive[0]) and not zone
    latitude, longitude = float(parsed.positions.latitude[0]), float(parsed.positions.longitude[0])
    lower = rules.quantity.lower
    amount = f"{(int(cleaned.value[0]) + lower) / THOUSAND:g}" if cleaned.value.size else ""
    return Example(
        time=" ".join(raw[column] for column in rules.mapping.time_columns),
        value=raw[rules.mapping.value] if rules.mapping.value else "",
        parsed=_moment(instant, "UTC", "" if placeless else "Z") if known else "",
        local=_moment(instant, zone, " %z") if known and zone else "",
        place=(latitude, longitude) if latitude == latitude and longitude == longitude else None,
        amount="" if rules.mapping.derived else amount,
        dropped=next((reason for reason, count in cleaned.dropped.items() if count), ""),
    )


def _moment(instant: int, zone: str, ending: str) -> str:
    """An instant as text; empty for one that no calendar holds."""
    try:
        moment = dt.datetime.fromtimestamp(instant / 1000, tz=zoneinfo.ZoneInfo(zone))
    except (ValueError, OverflowError, OSError):
        return ""
    return moment.strftime(f"%Y-%m-%d %H:%M:%S{ending}")
