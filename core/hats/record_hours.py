"""Which hours of the day records call for, by the share of records that others leave out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.arrays import Ints
from core.hats.slots import SlotLength, clock, parse_clock
from core.hats.wall_clock import wall_clock
from core.hats.window import fitted_hours
from core.records.records import Records
from core.system.parallel import cut

_HOUR = 60
_HOUR_SECONDS = 3600
_HOURS = 24
_USUAL_PERCENT = 85
"""The usual hours stay where records fill them and they hold this share of all."""
_DROPPED_PERCENT = 1
"""Share of the records, of both ends together, that other hours may leave out."""
_BLOCK = 1 << 20


def records_by_hour(records: Records) -> Ints:
    """Shape (24,): the records of each hour of the local clock."""
    counts = np.zeros(_HOURS, np.int64)
    for day in range(records.days.size):
        clock = wall_clock(records, day)
        for part in cut(int(records.first[day]), int(records.first[day + 1]), _BLOCK):
            counts += np.bincount(clock.seconds(part) // _HOUR_SECONDS, minlength=_HOURS)
    return counts


def hours_of_records(
    begun: tuple[str, str], by_hour: Sequence[int], slot_minutes: SlotLength, *, chosen: bool = False
) -> tuple[str, str]:
    """The hours of before where they hold all records, or are filled and hold most; else of nearly all.

    Nearly all: the shortest span of whole hours that leaves out no more than a hundredth of the records.
    by_hour: the records of each hour of the day, 24 numbers, one of them above 0; chosen: a person chose
    the hours of before, which then stay where they are filled, however few they hold.
    """
    start, end = (parse_clock(text, where="hats.hours") for text in begun)
    total = sum(by_hour)
    usual = sum(by_hour[-(-start // _HOUR) : end // _HOUR])
    filled = all(by_hour[start // _HOUR : -(-end // _HOUR)])
    if usual == total or (filled and (chosen or 100 * usual >= _USUAL_PERCENT * total)):
        return begun
    first, beyond = _span_of_nearly_all(by_hour)
    return fitted_hours((clock(_HOUR * first), clock(_HOUR * beyond)), slot_minutes)


def _span_of_nearly_all(by_hour: Sequence[int]) -> tuple[int, int]:
    """The shortest span, its end exclusive; of several the one with the most records, then the earliest."""
    least = (100 - _DROPPED_PERCENT) * sum(by_hour)
    spans = (
        (beyond - first, -sum(by_hour[first:beyond]), first)
        for first in range(_HOURS)
        for beyond in range(first + 1, _HOURS + 1)
        if 100 * sum(by_hour[first:beyond]) >= least
    )
    length, _, first = min(spans)
    return first, first + length
