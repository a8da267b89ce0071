"""First and last time, hours and box of records, gathered block by block for the report of what was read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.privacy import Confidential
from core.records.zones import local_days_and_ms

_HOUR_MS = 3_600_000
_MINUTE = 60


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Extent(Confidential):
    """What some records reach over."""

    first: int
    """UTC seconds."""
    last: int
    hours: frozenset[int]
    """Local hours of the day."""
    south: int
    """1e-7 degrees, as are the others."""
    west: int
    north: int
    east: int

    def __or__(self, other: Extent) -> Extent:
        """What both reach over together."""
        return Extent(
            first=min(self.first, other.first),
            last=max(self.last, other.last),
            hours=self.hours | other.hours,
            south=min(self.south, other.south),
            west=min(self.west, other.west),
            north=max(self.north, other.north),
            east=max(self.east, other.east),
        )


def extent_of(
    second: NDArray[np.int32],
    latitude: NDArray[np.int32],
    longitude: NDArray[np.int32],
    *,
    origin: int,
    zone: str,
) -> Extent:
    """The extent of one block of records, not empty; second: UTC seconds since `origin`."""
    first, last = int(second.min()), int(second.max())
    # since 2000 every zone keeps whole minutes, and there are far fewer minutes than records
    minute = (second - first // _MINUTE * _MINUTE) // _MINUTE
    present = np.flatnonzero(np.bincount(minute)) + (first // _MINUTE + origin // _MINUTE)
    local_ms = local_days_and_ms(present * (_MINUTE * 1000), zone)[1]
    return Extent(
        first=first + origin,
        last=last + origin,
        hours=frozenset(np.unique(local_ms // _HOUR_MS).tolist()),
        south=int(latitude.min()),
        west=int(longitude.min()),
        north=int(latitude.max()),
        east=int(longitude.max()),
    )
