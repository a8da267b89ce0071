"""Timeslots and named periods of a day: lengths offered, times of day, overlaps (method 3)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.clean.record_filter import MOST_TEXT, is_public_text
from core.counted import count_of
from core.errors import InputError
from core.hats.groups import Groups
from core.texts import Name, joined, text_of

SLOT_MINUTES = (15, 30, 60, 120, 240)
ALL: Literal["all"] = "all"
"""One slot that is as long as the hours of the window."""
SLOT_LENGTHS: tuple[int | Literal["all"], ...] = (*SLOT_MINUTES, ALL)
DAY_MINUTES = 24 * 60
ID_PARTS = "\x1f"
"""Between the parts of a HAT id that is more than an hour and a hexagon."""
_HOUR = 60
_SHORTEST = 5
"""Minutes of a day for each period that there may be."""
_CLOCK = re.compile(r"([01][0-9]|2[0-4]):([0-5][0-9])")


@dataclass(frozen=True, slots=True, order=True)
class PeriodOfDay:
    """A named part of the day, in place of slots of one length. Its name is published."""

    start: int
    """Minutes since local midnight."""
    end: int
    """Exclusive."""
    name: str

    @property
    def text(self) -> str:
        """Name and hours, as a part of a sentence."""
        return text_of(
            "{name} ({start} to {end})", name=Name(self.name), start=clock(self.start), end=clock(self.end)
        )


Periods = tuple[PeriodOfDay, ...]
"""By their start; none overlaps another."""
SlotLength = int | Literal["all"] | Periods
"""How long slots are asked to be: minutes, `ALL`, or the periods that take their place."""


def periods_of(listed: Iterable[tuple[str, int, int]], *, where: str) -> Periods:
    """Periods of name, start and end, by their start.

    Raises InputError for none, for one without length, and for names that are one, or cannot be published.
    """
    periods = tuple(sorted(PeriodOfDay(start, end, name) for name, start, end in listed))
    names = [one.name for one in periods]
    if not periods or len(periods) > DAY_MINUTES // _SHORTEST or len(set(names)) < len(names):
        raise InputError(
            "There are no periods, too many, or two of the same name.",
            where=where,
            mend='write for instance periods = {"morning peak" = ["07:00", "10:00"]}',
        )
    for one in periods:
        if one.end <= one.start:
            raise InputError(
                "A period ends before it starts; one over midnight is not offered.",
                where=where,
                mend="end it at 24:00 at the latest, and begin another one at 00:00",
            )
        if one.name != one.name.strip() or not is_public_text(one.name):
            raise InputError(
                "A period's name is empty, longer than {most} characters, or has invisible ones.",
                most=MOST_TEXT,
                where=where,
                mend='write a short name, for instance "morning peak"',
            )
    return periods


def day_periods_text(periods: Iterable[PeriodOfDay]) -> str:
    """All of them, as a part of a sentence."""
    return joined(", ", (one.text for one in periods))


def require_slot_length(length: SlotLength) -> SlotLength:
    """The length, if it is offered. Raises InputError otherwise."""
    if not isinstance(length, tuple) and length not in SLOT_LENGTHS:
        raise InputError(
            "A timeslot of {counted_minutes} is not offered.",
            counted_minutes=count_of(int(length), "minute"),
            where="hats.slot_minutes",
            mend=text_of(
                'write one of {str}, or "{all}" for all hours together',
                str=", ".join(map(str, SLOT_MINUTES)),
                all=ALL,
            ),
        )
    return length


def parse_clock(text: str, *, where: str) -> int:
    """Minutes since midnight of `HH:MM`, up to 24:00. Raises InputError otherwise."""
    found = _CLOCK.fullmatch(text)
    minutes = int(found[1]) * 60 + int(found[2]) if found else DAY_MINUTES + 1
    if minutes > DAY_MINUTES:
        raise InputError(
            "This is not a time of day.", where=where, mend='write for instance "09:00" or "24:00"'
        )
    return minutes


def clock(minutes: int) -> str:
    """`HH:MM` of minutes since midnight; the end of the day is `24:00`."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


@dataclass(frozen=True, slots=True)
class SlotGrid:
    """Slots of one length, one upon the other: slot 0 is the first of the day that is whole. Or periods.

    A slot is a number: its hours are asked for here, and follow from no other place.
    """

    minutes: int
    """Length of each; 0 where they are periods."""
    offset: int = 0
    """Minutes from midnight to the start of slot 0, fewer than a slot has; 0 where slots start at multiples
    of their length."""
    periods: Periods = ()
    """Slot -> its period, where they are periods."""
    groups: Groups = ()
    """What tells rows of one place and time apart; then a slot is a timeslot in one combination of labels."""
    a_day: int = 0
    """Timeslots of a day, where there are groups: slot `a_day * combination + timeslot`."""

    def timeslot(self, slot: int) -> int:
        """The slot without its labels."""
        return slot % self.a_day if self.groups else slot

    def combination(self, slot: int) -> int:
        """Number of the slot's labels together; 0 without groups."""
        return slot // self.a_day if self.groups else 0

    def combinations(self, slots: Sequence[int]) -> NDArray[np.int64] | None:
        """`combination` of each slot; None without groups."""
        return np.array([self.combination(slot) for slot in slots], np.int64) if self.groups else None

    def labels(self, slot: int) -> tuple[str, ...]:
        """The slot's label in each group."""
        left, found = self.combination(slot), []
        for group in reversed(self.groups):
            left, place = divmod(left, len(group.labels))
            found.append(group.labels[place])
        return tuple(reversed(found))

    def slot_in(self, timeslot: int, labels: Sequence[str]) -> int:
        """The slot of a timeslot with these labels; -1 where there is none."""
        if not self.groups:
            return timeslot
        combination = 0
        for group, label in zip(self.groups, labels, strict=True):
            if label not in group.labels:
                return -1
            combination = combination * len(group.labels) + group.labels.index(label)
        return combination * self.a_day + timeslot if timeslot >= 0 else -1

    def start(self, slot: int) -> int:
        """Minutes from midnight to the slot's start."""
        time = self.timeslot(slot)
        return self.periods[time].start if self.periods else self.offset + time * self.minutes

    def end(self, slot: int) -> int:
        """Minutes from midnight to the slot's end, exclusive."""
        return self.periods[self.timeslot(slot)].end if self.periods else self.start(slot) + self.minutes

    def middle(self, slot: int) -> float:
        """Hour of the day at the slot's middle."""
        return (self.start(slot) + self.end(slot)) / 2 / _HOUR

    def slot_of(self, minute: int) -> int:
        """The timeslot that holds that minute of the day; -1 before the first, and outside of all periods."""
        if self.periods:
            holds = (place for place, one in enumerate(self.periods) if one.start <= minute < one.end)
            return next(holds, -1)
        return (minute - self.offset) // self.minutes

    def starts_at(self, minute: int) -> bool:
        """Whether a slot starts there."""
        if self.periods:
            return any(one.start == minute for one in self.periods)
        return (minute - self.offset) % self.minutes == 0

    def within(self, first: int, last: int) -> range:
        """The slots between two minutes of the day at which slots start or end."""
        if not self.periods:
            return range(self.slot_of(first), self.slot_of(last))
        inside = [place for place, one in enumerate(self.periods) if first <= one.start and one.end <= last]
        return range(inside[0], inside[-1] + 1) if inside else range(0)

    def text(self, slot: int) -> str:
        """`HH:MM` of the slot's start: how published files name it."""
        return clock(self.start(slot))

    def end_text(self, slot: int) -> str:
        """`HH:MM` of the slot's end, exclusive."""
        return clock(self.end(slot))

    def period(self, slot: int) -> str:
        """The name of the slot's period; empty where slots are no periods."""
        return self.periods[self.timeslot(slot)].name if self.periods else ""

    def label(self, slot: int) -> str:
        """How a HAT id names the slot: by its period, or its start, the hour alone where all start on one."""
        if self.periods:
            return self.period(slot)
        text = self.text(slot)
        return text if self.minutes % _HOUR or self.offset % _HOUR else text[:2]

    def hat_id(self, slot: int, cell: str) -> str:
        """The HAT's id text, for instance `20 8742d9d69ffffff` (TR)."""
        return (ID_PARTS if self.periods or self.groups else " ").join(self._parts(slot, cell))

    def hat_text(self, slot: int, cell: str) -> str:
        """The id as people read and type it."""
        return " ".join(self._parts(slot, cell))

    def _parts(self, slot: int, cell: str) -> tuple[str, ...]:
        return (self.label(slot), cell, *self.labels(slot))

    @property
    def words(self) -> str:
        """What the slots are, as a part of a sentence."""
        if self.periods:
            words = text_of("periods: {periods}", periods=day_periods_text(self.periods))
        else:
            words = text_of("slots of {counted_minutes}", counted_minutes=length_text(self.minutes))
        if not self.groups:
            return words
        groups = joined(", ", (group.words for group in self.groups))
        return text_of("{words}, apart by {groups}", words=words, groups=groups)


def length_text(minutes: int) -> str:
    """A length of time as people say it: 4 hours, 90 minutes."""
    return count_of(minutes, "minute") if minutes % _HOUR else count_of(minutes // _HOUR, "hour")


def require_periods(periods: Iterable[PeriodOfDay], start: int, end: int) -> Periods:
    """Periods by their start, inside the hours from start to end. Raises InputError otherwise."""
    ordered = tuple(sorted(periods))
    for one in ordered:
        if one.start < start or one.end > end:
            first, last = min(start, ordered[0].start), max(end, *(period.end for period in ordered))
            raise InputError(
                "The period {period} lies outside the hours, {start} to {end}.",
                period=one.text,
                start=clock(start),
                end=clock(end),
                where="hats.periods",
                mend=text_of(
                    'write hours = ["{first}", "{last}"], or another period',
                    first=clock(first),
                    last=clock(last),
                ),
            )
    for one, other in itertools.pairwise(ordered):
        if other.start < one.end:
            raise InputError(
                "The periods {one} and {other} overlap.",
                one=one.text,
                other=other.text,
                where="hats.periods",
                mend="end one where the next begins",
            )
    return ordered
