"""The data set's IANA zone, by name or the offsets of its times; it may be missing or fit none (method 2)."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.records.zone_names import main_zone
from core.records.zone_places import zones_of_city
from core.texts import joined, text_of

DAY_MS = 86_400_000
_STEP = 86_400
"""Seconds between two looks at a zone's offset: since 1970 none has had one for less than six days."""
_FIRST_MS, _LAST_MS = 0, 4_102_444_800_000
"""1970-01-01 and 2100-01-01 UTC."""
PREFERRED = (
    "Asia/Kolkata",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Sao_Paulo",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Athens",
    "Asia/Bangkok",
    "Asia/Singapore",
    "Asia/Tokyo",
    "Australia/Sydney",
)
"""Tried first, so that an offset suggests a zone that people know."""


def require_zone(name: str) -> str:
    """The main name of a known IANA zone. Raises InputError otherwise, with the zones of a city's name."""
    if name not in known_zones():
        meant = joined(" or ", (f'"{zone}"' for zone in zones_of_city(name) if zone in known_zones()))
        raise InputError(
            "The zone {name} is unknown.",
            name=f"{name!r}",
            where="data.zone",
            mend=text_of("write the zone of that place: {meant}", meant=meant)
            if meant
            else 'write an IANA name like "Asia/Kolkata"',
        )
    return main_zone(name)


@cache
def known_zones() -> frozenset[str]:
    """Every IANA name, without those that name no place or mean another one on each machine."""
    return frozenset(zoneinfo.available_timezones() - {"Factory", "localtime"})


def main_zones() -> tuple[str, ...]:
    """What is offered: every zone under its main name, sorted."""
    return tuple(sorted({main_zone(name) for name in known_zones()}))


def outermost(offsets: Iterable[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """Of pairs (offset in minutes, instant in ms) the first and last instant of each offset and UTC day.

    Pairs can be gathered piece by piece: the outermost of all are those of the outermost of each piece.
    """
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for minutes, instant in offsets:
        place = minutes, instant // DAY_MS
        first, last = found.get(place, (instant, instant))
        found[place] = min(first, instant), max(last, instant)
    return frozenset((minutes, edge) for (minutes, _), edges in found.items() for edge in edges)


def suggest_zone(offsets: Iterable[tuple[int, int]], near: Sequence[str] = ()) -> str:
    """The first zone that fits the outermost of the observed pairs (offset in minutes, instant in ms).

    near: zones that are tried before all others, such as those of the nearest places.

    Raises InputError when there is no offset, only +00:00, or no zone that fits.
    """
    observed = sorted(outermost(offsets))
    if not any(minutes for minutes, _ in observed):
        raise InputError(
            "The zone must be named: the times carry no offset from UTC, or only +00:00.",
            where="data.zone",
            mend='name the place\'s IANA zone, for instance zone = "Asia/Bangkok" in the spec',
        )
    for name in (*near, *PREFERRED, *sorted(known_zones())):
        if _fits(zoneinfo.ZoneInfo(name), observed):
            return main_zone(name)
    raise InputError(
        "No single zone fits the offsets of these times.",
        where="data.zone",
        mend="name the place's IANA zone in the spec",
    )


def _fits(zone: zoneinfo.ZoneInfo, observed: list[tuple[int, int]]) -> bool:
    for minutes, instant in observed:
        moment = dt.datetime.fromtimestamp(instant / 1000, tz=zone)
        if moment.utcoffset() != dt.timedelta(minutes=minutes):
            return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneOffsets:
    """The offsets of a zone over a range of instants; shape (K,), K >= 1."""

    starts: NDArray[np.int64]
    """UTC milliseconds from which each offset holds, ascending; the first is where the range begins."""
    offset_ms: NDArray[np.int64]
    """Milliseconds that the wall clock is ahead of UTC."""

    def at(self, instants: NDArray[np.int64]) -> NDArray[np.int64]:
        """The offset at each instant of the range: shape (n,), or (1,) where it never changes."""
        if self.starts.size == 1:
            return self.offset_ms
        found: NDArray[np.int64] = self.offset_ms[np.searchsorted(self.starts[1:], instants, side="right")]
        return found


def offsets_of(zone: str, first_ms: int, last_ms: int) -> ZoneOffsets:
    """The offsets of `zone` from one instant to another (both UTC milliseconds, inclusive).

    Exact from 1970 to 2100; the offset at either end holds beyond it, where only faults of a clock lie.
    """
    first, last = (min(max(edge, _FIRST_MS), _LAST_MS - 1) for edge in (first_ms, last_ms))
    years = [dt.datetime.fromtimestamp(edge / 1000, tz=dt.UTC).year for edge in (first, last)]
    starts, offset_ms = _table(zone, years[0], years[1])
    begin = int(np.searchsorted(starts, first, side="right")) - 1
    end = int(np.searchsorted(starts, last, side="right"))
    return ZoneOffsets(
        starts=np.concatenate((np.array([first_ms], np.int64), starts[begin + 1 : end])),
        offset_ms=offset_ms[begin:end],
    )


@lru_cache(maxsize=256)
def _table(zone: str, first: int, last: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Starts and offsets in milliseconds of whole years, ascending, without repeats."""
    pairs = [pair for year in range(first, last + 1) for pair in _year(zone, year)]
    retained = [pair for index, pair in enumerate(pairs) if index == 0 or pair[1] != pairs[index - 1][1]]
    starts, offsets = np.array(retained, np.int64).T * 1000
    return starts, offsets


@cache
def _year(zone: str, year: int) -> tuple[tuple[int, int], ...]:
    """The UTC second and the offset in seconds at a year's start and at each change within it."""
    place = zoneinfo.ZoneInfo(zone)
    first, last = (int(dt.datetime(turn, 1, 1, tzinfo=dt.UTC).timestamp()) for turn in (year, year + 1))
    found = [(first, _offset(place, first))]
    for moment in range(first + _STEP, last + 1, _STEP):
        if (now := _offset(place, moment)) != found[-1][1]:
            before, after = moment - _STEP, moment
            while after - before > 1:
                middle = (before + after) // 2
                before, after = (before, middle) if _offset(place, middle) == now else (middle, after)
            found.append((after, now))
    return tuple((moment, ahead // dt.timedelta(seconds=1)) for moment, ahead in found)


def _offset(place: zoneinfo.ZoneInfo, second: int) -> dt.timedelta:
    return dt.datetime.fromtimestamp(second, tz=place).utcoffset() or dt.timedelta()


def local_days_and_ms(instants: NDArray[np.int64], zone: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Local day (days since 1970-01-01) and milliseconds since local midnight by the wall clock.

    instants: shape (n,), milliseconds UTC. The repeated autumn hour shares one wall-clock hour.
    """
    if not instants.size:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    local = instants + offsets_of(zone, int(instants.min()), int(instants.max())).at(instants)
    days = local // DAY_MS
    return days, local - days * DAY_MS


def localise(instants: NDArray[np.int64], naive: NDArray[np.bool_], zone: str) -> NDArray[np.int64]:
    """Turn naive wall-clock numbers into instants of `zone`.

    Of the repeated autumn hour the first is taken (both fall in one slot); a wall-clock time that
    the spring change skips moves forward, to the moment of the change.
    """
    if not naive.any():
        return instants
    wall = instants[naive]
    table = offsets_of(zone, int(wall.min()) - DAY_MS, int(wall.max()) + DAY_MS)
    ends = table.starts[1:] + table.offset_ms[:-1]  # by the wall clock before each change
    period = np.searchsorted(ends, wall, side="right")
    result = instants.copy()
    result[naive] = np.maximum(wall - table.offset_ms[period], table.starts[period])
    return result
