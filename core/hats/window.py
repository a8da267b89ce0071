"""The window of a release: local dates and hours, cut into slots (method 3)."""

from __future__ import annotations

import datetime as dt
import itertools
from dataclasses import dataclass

from core.errors import InputError
from core.hats.slots import clock, parse_clock, require_slot_minutes

DateRange = tuple[dt.date, dt.date]
_MOST_DAYS = 3660


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Inclusive date ranges, hours of the local day (end exclusive), and the slot length."""

    date_ranges: tuple[DateRange, ...]
    start: int
    """Minutes since local midnight, a multiple of the slot."""
    end: int
    """Minutes since local midnight, exclusive."""
    slot_minutes: int

    @property
    def dates(self) -> tuple[dt.date, ...]:
        """Every date listed, in order, with or without records."""
        return tuple(
            first + dt.timedelta(days=step)
            for first, last in self.date_ranges
            for step in range((last - first).days + 1)
        )

    @property
    def days(self) -> int:
        return sum((last - first).days + 1 for first, last in self.date_ranges)

    @property
    def slots(self) -> range:
        """Numbers of the slots, counted from midnight."""
        return range(self.start // self.slot_minutes, self.end // self.slot_minutes)

    @property
    def hours(self) -> tuple[str, str]:
        return clock(self.start), clock(self.end)


def build_window(date_ranges: tuple[DateRange, ...], hours: tuple[str, str], slot_minutes: int) -> Window:
    """A checked window.

    Raises InputError for ranges that run backwards or overlap, hours that are no multiples of
    the slot, and a window over midnight.
    """
    require_slot_minutes(slot_minutes)
    ranges = tuple(sorted(date_ranges))
    if not ranges:
        raise InputError("No dates are named.", where="hats.dates", mend="write the first and the last date")
    for first, last in ranges:
        if last < first:
            raise InputError(
                f"This range of dates runs backwards: {first} to {last}.",
                where="hats.dates",
                mend="write the earlier date first",
            )
    for (_, earlier), (later, _) in itertools.pairwise(ranges):
        if later <= earlier:
            raise InputError(
                f"Two ranges of dates overlap on {later}.", where="hats.dates", mend="list each date once"
            )
    start, end = (parse_clock(text, where="hats.hours") for text in hours)
    if end <= start:
        raise InputError(
            "The hours end before they start; a window over midnight is not offered.",
            where="hats.hours",
            mend="end at 24:00 at the latest",
        )
    if start % slot_minutes or end % slot_minutes:
        raise InputError(
            f"The hours {hours[0]} to {hours[1]} are no multiples of {slot_minutes} minutes.",
            where="hats.hours",
            mend="choose hours that fit the slot, or another slot length",
        )
    window = Window(date_ranges=ranges, start=start, end=end, slot_minutes=slot_minutes)
    if window.days > _MOST_DAYS:
        raise InputError(
            f"The window lists {window.days} dates, more than {_MOST_DAYS}.",
            where="hats.dates",
            mend="choose a shorter window",
        )
    return window
