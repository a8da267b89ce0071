"""The data set's IANA zone: named, or suggested by the offsets that its times carry (SPEC 2)."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections.abc import Iterable
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.errors import InputError

DAY_MS = 86_400_000
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
    """The name, if it is a known IANA zone. Raises InputError otherwise."""
    if name not in known_zones():
        raise InputError(
            f"The zone {name!r} is unknown.", where="data.zone", mend='write an IANA name like "Asia/Kolkata"'
        )
    return name


@cache
def known_zones() -> frozenset[str]:
    """Every IANA name, without those that name no place or mean another one on each machine."""
    return frozenset(zoneinfo.available_timezones() - {"Factory", "localtime"})


def suggest_zone(offsets: Iterable[tuple[int, int]]) -> str:
    """The first zone that fits every observed pair (offset in minutes, instant in ms).

    Raises InputError when there is no offset, only +00:00, or no zone that fits.
    """
    observed = sorted(set(offsets))
    if not any(minutes for minutes, _ in observed):
        raise InputError(
            "The zone must be named: the times carry no offset from UTC, or only +00:00.",
            where="data.zone",
            mend='name the place\'s IANA zone, for instance zone = "Asia/Bangkok" in the spec',
        )
    for name in (*PREFERRED, *sorted(known_zones())):
        if _fits(zoneinfo.ZoneInfo(name), observed):
            return name
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


def local_days_and_ms(instants: NDArray[np.int64], zone: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Local day (days since 1970-01-01) and milliseconds since local midnight by the wall clock.

    instants: shape (n,), milliseconds UTC. The repeated autumn hour shares one wall-clock hour.
    """
    stamps = pa.array(instants, type=pa.timestamp("ms", tz=zone))
    local = pc.local_timestamp(stamps).cast(pa.int64()).to_numpy(zero_copy_only=False)
    days, rest = np.divmod(local, DAY_MS)
    return days, rest
