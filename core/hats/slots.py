"""Timeslots of the local day and the text that names a HAT (method 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from core.counted import count_of
from core.errors import InputError
from core.texts import text_of

SLOT_MINUTES = (15, 30, 60, 120, 240)
ALL: Literal["all"] = "all"
"""One slot that is as long as the hours of the window."""
SLOT_LENGTHS = (*SLOT_MINUTES, ALL)
SlotLength = int | Literal["all"]
"""How long a slot is asked to be: minutes, or `ALL`."""
DAY_MINUTES = 24 * 60
_HOUR = 60
_CLOCK = re.compile(r"([01][0-9]|2[0-4]):([0-5][0-9])")


def require_slot_length(length: SlotLength) -> SlotLength:
    """The length, if it is offered. Raises InputError otherwise."""
    if length not in SLOT_LENGTHS:
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
        raise InputError("This is no time of day.", where=where, mend='write for instance "09:00" or "24:00"')
    return minutes


def clock(minutes: int) -> str:
    """`HH:MM` of minutes since midnight; the end of the day is `24:00`."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


@dataclass(frozen=True, slots=True)
class SlotGrid:
    """Slots of one length, one upon the other. Slot 0 is the first of the day that is whole."""

    minutes: int
    """Length of each."""
    offset: int = 0
    """Minutes from midnight to the start of slot 0, fewer than a slot has; 0 where slots start at multiples
    of their length."""

    def start(self, slot: int) -> int:
        """Minutes from midnight to the slot's start."""
        return self.offset + slot * self.minutes

    def slot_of(self, minute: int) -> int:
        """The slot that holds that minute of the day; -1 before slot 0."""
        return (minute - self.offset) // self.minutes

    def text(self, slot: int) -> str:
        """`HH:MM` of the slot's start: how published files name it."""
        return clock(self.start(slot))

    def end_text(self, slot: int) -> str:
        """`HH:MM` of the slot's end, exclusive."""
        return clock(self.start(slot) + self.minutes)

    def label(self, slot: int) -> str:
        """How a HAT id names the slot: by its start, the hour alone where every slot starts on one."""
        text = self.text(slot)
        return text if self.minutes % _HOUR or self.offset % _HOUR else text[:2]

    def hat_id(self, slot: int, cell: str) -> str:
        """The HAT's id text, for instance `20 8742d9d69ffffff` (TR)."""
        return f"{self.label(slot)} {cell}"
