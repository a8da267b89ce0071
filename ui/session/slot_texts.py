"""How long timeslots are, in words."""

from __future__ import annotations

from core.hats.slots import ALL, SlotLength
from ui.language.translation import translator

_tr = translator("Slots")


def slot_length_text(length: SlotLength) -> str:
    """The length of a timeslot as the window offers it."""
    return _tr("whole window, one slot") if length == ALL else _tr("{n} minutes").format(n=length)
