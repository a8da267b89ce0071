"""How long timeslots are, in words."""

from __future__ import annotations

from core.hats.slots import ALL, SlotLength
from ui.language.translation import counted, translator

_tr = translator("Slots")
_HOUR = 60


def slot_length_text(length: SlotLength) -> str:
    """The length of a timeslot as the window offers it."""
    if length == ALL:
        return _tr("all hours")
    if isinstance(length, tuple):
        return counted("{n} period", "{n} periods", len(length))
    if length % _HOUR:
        return counted("{n} minute", "{n} minutes", length)
    return counted("{n} hour", "{n} hours", length // _HOUR)
