"""Which hours of the day records call for (architecture 4)."""

from __future__ import annotations

from collections.abc import Collection

from core.hats.slots import SlotLength, clock, parse_clock
from core.hats.window import fitted_hours

_HOUR = 60


def hours_of_records(
    usual: tuple[str, str], local_hours: Collection[int], slot_minutes: SlotLength
) -> tuple[str, str]:
    """The usual hours where they hold all records or records fill them; otherwise from first to last record.

    local_hours: those of the day, 0 to 23, with any record; at least one.
    """
    start, end = (parse_clock(text, where="hats.hours") for text in usual)
    first, beyond = min(local_hours), max(local_hours) + 1
    holds_all = start <= _HOUR * first and _HOUR * beyond <= end
    filled = set(range(start // _HOUR, -(-end // _HOUR))) <= set(local_hours)
    if holds_all or filled:
        return usual
    return fitted_hours((clock(_HOUR * first), clock(_HOUR * beyond)), slot_minutes)
