"""The window of a release: ranges of dates that overlap, hours that do not divide into slots (method 3)."""

from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.hats.groups import Groups
from core.hats.slots import (
    ALL,
    DAY_MINUTES,
    Periods,
    SlotGrid,
    SlotLength,
    clock,
    length_text,
    parse_clock,
    require_periods,
    require_slot_length,
)
from core.texts import text_of

DateRange = tuple[dt.date, dt.date]
_MOST_DAYS = 3660
_MOST_SLOTS = 1 << 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Inclusive date ranges, hours of the local day (end exclusive), and the slot length."""

    date_ranges: tuple[DateRange, ...]
    start: int
    """Minutes since local midnight: where the first slot starts."""
    end: int
    """Minutes since local midnight, exclusive; a whole number of slots after the start."""
    slot_minutes: int
    """0 where it has periods."""
    periods: Periods = ()
    """In place of slots of one length."""
    groups: Groups = ()
    """What tells rows of one place and time apart."""
    whole: bool = field(default=False, compare=False)
    """Whether the slot was asked for as that of all hours, whatever they are; then there is one slot."""

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

    def days_of(self, slot: int) -> int:
        """How many of its dates a slot is of: those of its kind of day, where kinds tell rows apart."""
        return int(self.days_by_slot[slot - self.slots.start])

    @property
    def days_by_slot(self) -> NDArray[np.int64]:
        """`days_of` each slot of `slots`, in their order."""
        days = np.full(len(self.slots), self.days, np.int64)
        place = next((place for place, group in enumerate(self.groups) if group.by_day), None)
        if place is not None:
            group, grid = self.groups[place], self.grid
            of_kind = Counter(map(group.kind_of, self.dates))
            days[:] = [of_kind[grid.labels(slot)[place]] for slot in self.slots]
        return days

    def labelled(self, groups: Groups) -> Window:
        """The same with these groups, whose labels are known. Raises InputError for too many combinations."""
        combinations = math.prod(len(group.labels) for group in groups)
        window = dataclasses.replace(self, groups=groups)
        if combinations * max(window.grid.a_day, 1) > _MOST_SLOTS:
            raise InputError(
                "The groups have {combinations} combinations of labels, too many for each timeslot.",
                combinations=combinations,
                where="hats.group",
                mend="group by fewer columns, or by labels of which there are fewer",
            )
        return window

    @property
    def slot_length(self) -> SlotLength:
        """The slot's length as it was asked for."""
        return ALL if self.whole else self.periods or self.slot_minutes

    @property
    def grid(self) -> SlotGrid:
        """Where slots start. Where the window starts at a multiple of the slot, all do."""
        if self.periods:
            return SlotGrid(0, periods=self.periods, groups=self.groups, a_day=len(self.periods))
        if self.groups:
            a_day = (self.end - self.start) // self.slot_minutes
            return SlotGrid(self.slot_minutes, self.start, groups=self.groups, a_day=a_day)
        return SlotGrid(self.slot_minutes, self.start % self.slot_minutes)

    @property
    def slots(self) -> range:
        """Numbers of the slots in the grid."""
        if self.periods or self.groups:
            combinations = math.prod(len(group.labels) for group in self.groups)
            return range(combinations * (self.grid.a_day or len(self.periods)))
        return range(self.start // self.slot_minutes, self.grid.slot_of(self.end))

    @property
    def shortest_slot(self) -> int:
        """Minutes of the shortest of its slots."""
        return min((one.end - one.start for one in self.periods), default=self.slot_minutes)

    @property
    def slot_facts(self) -> dict[str, Any]:
        """Its slots as plain JSON values."""
        if not self.periods:
            return {"slot_minutes": self.slot_minutes}
        return {"periods": {one.name: [clock(one.start), clock(one.end)] for one in self.periods}}

    @property
    def group_facts(self) -> dict[str, Any]:
        """Its groups as plain JSON values; empty without any."""
        return {"groups": {one.name: list(one.labels) for one in self.groups}} if self.groups else {}

    @property
    def hours(self) -> tuple[str, str]:
        return clock(self.start), clock(self.end)


def build_window(
    date_ranges: tuple[DateRange, ...],
    hours: tuple[str, str],
    slot_minutes: SlotLength,
    groups: Groups = (),
) -> Window:
    """A checked window; slots are counted from its start, or are the periods given as their length.

    groups: of kinds of day those stay that the dates have.

    Raises InputError for ranges that run backwards or overlap, hours whose length is no multiple of
    the slot, periods outside of the hours or over each other, and a window over midnight.
    """
    length = require_slot_length(slot_minutes)
    ranges = tuple(sorted(date_ranges))
    if not ranges:
        raise InputError(
            "The dates are not typed yet.", where="hats.dates", mend="write the first and the last date"
        )
    for first, last in ranges:
        if last < first:
            raise InputError(
                "This range of dates runs backwards: {first} to {last}.",
                first=first,
                last=last,
                where="hats.dates",
                mend="write the earlier date first",
            )
    for (_, earlier), (later, _) in itertools.pairwise(ranges):
        if later <= earlier:
            raise InputError(
                "Two ranges of dates overlap on {later}.",
                later=later,
                where="hats.dates",
                mend="list each date once",
            )
    start, end = _minutes_of(hours)
    periods = require_periods(length, start, end) if isinstance(length, tuple) else ()
    minutes = 0 if isinstance(length, tuple) else end - start if length == ALL else length
    if minutes and (end - start) % minutes:
        fitted = "{} to {}".format(*fitted_hours(hours, length))
        raise InputError(
            "{hours} to {hours2} cannot be divided into whole slots of {counted_minutes}.",
            hours=hours[0],
            hours2=hours[1],
            counted_minutes=length_text(minutes),
            where="hats.hours",
            mend=text_of("write for instance {fitted}, or another slot length", fitted=fitted),
        )
    window = Window(
        date_ranges=ranges,
        start=start,
        end=end,
        slot_minutes=minutes,
        periods=periods,
        whole=length == ALL,
    )
    if window.days > _MOST_DAYS:
        raise InputError(
            "The window has {days} dates, more than {most_days}.",
            days=window.days,
            most_days=_MOST_DAYS,
            where="hats.dates",
            mend="choose a shorter window",
        )
    return window.labelled(tuple(group.on(window.dates) for group in groups)) if groups else window


def fitted_hours(hours: tuple[str, str], slot_minutes: SlotLength) -> tuple[str, str]:
    """The hours, made longer until they are whole slots: at their end, and before them where a day ends.

    Of periods until they hold all of them. Raises InputError for a length that is not offered, for what is no
    hours, and for hours over midnight.
    """
    length = require_slot_length(slot_minutes)
    start, end = _minutes_of(hours)
    if isinstance(length, tuple):
        return clock(min(start, length[0].start)), clock(max(end, length[-1].end))
    minutes = end - start if length == ALL else length
    # every length that is offered divides the day, which therefore holds them
    end = start - (start - end) // minutes * minutes
    beyond = max(0, end - DAY_MINUTES)
    return clock(start - beyond), clock(end - beyond)


def _minutes_of(hours: tuple[str, str]) -> tuple[int, int]:
    """Start and end in minutes since midnight. Raises InputError unless the end comes later."""
    start, end = (parse_clock(text, where="hats.hours") for text in hours)
    if end <= start:
        raise InputError(
            "The hours end before they start; a window over midnight is not offered.",
            where="hats.hours",
            mend="end at 24:00 at the latest",
        )
    return start, end
