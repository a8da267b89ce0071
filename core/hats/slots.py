"""Timeslots of the local day and the text that names a HAT (method 3)."""

from __future__ import annotations

import re

from core.errors import InputError

SLOT_MINUTES = (15, 30, 60, 120)
DAY_MINUTES = 24 * 60
_CLOCK = re.compile(r"([01][0-9]|2[0-4]):([0-5][0-9])")


def require_slot_minutes(minutes: int) -> int:
    """The length, if it is offered. Raises InputError otherwise."""
    if minutes not in SLOT_MINUTES:
        raise InputError(
            f"A timeslot of {minutes} minutes is not offered.",
            where="hats.slot_minutes",
            mend="write one of " + ", ".join(map(str, SLOT_MINUTES)),
        )
    return minutes


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


def slot_label(slot: int, slot_minutes: int) -> str:
    """How a HAT id names the slot: the hour, with minutes where a slot is shorter than an hour."""
    start = slot * slot_minutes
    return clock(start) if slot_minutes < 60 else f"{start // 60:02d}"


def hat_id(slot: int, slot_minutes: int, cell: str) -> str:
    """The HAT's id text, for instance `20 8742d9d69ffffff` (TR)."""
    return f"{slot_label(slot, slot_minutes)} {cell}"
