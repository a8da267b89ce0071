"""The wall clock of one local day: seconds since midnight of its records (method 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.records.records import DAY_SECONDS, Records
from core.records.zones import local_days_and_ms, offsets_of


@dataclass(frozen=True, slots=True)
class WallClock:
    """Tells the time of day of the records of one local day."""

    records: Records
    shift: int | None
    """What a record's `second` needs to count from local midnight; None where it changes on that day."""

    def seconds(self, part: slice) -> NDArray[np.int32]:
        """Seconds since local midnight of a part of that day's records.

        On the day on which an hour repeats, both times through it read the same.
        """
        if self.shift is not None:
            return self.records.second[part] + np.int32(self.shift)
        _, local_ms = local_days_and_ms(self.records.instants(part), self.records.zone)
        return (local_ms // 1000).astype(np.int32)


def wall_clock(records: Records, day: int) -> WallClock:
    """The clock of a day, by its number in `records.days`."""
    second = records.second[int(records.first[day]) : int(records.first[day + 1])]
    first, last = ((int(edge) + records.origin) * 1000 for edge in (second.min(), second.max()))
    offsets = offsets_of(records.zone, first, last)
    if offsets.starts.size > 1:
        return WallClock(records, None)
    midnight = int(records.days[day]) * DAY_SECONDS - records.origin
    return WallClock(records, int(offsets.offset_ms[0]) // 1000 - midnight)
