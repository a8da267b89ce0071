"""Names of places and timeslots as the window tells them; files and the command line have core's own."""

from __future__ import annotations

from core.geodata.near_place import NEAR
from core.hats.groups import DAY_KIND
from core.hats.slots import ALL, SlotGrid, SlotLength
from ui.language.translation import counted, translator

_tr = translator("Slots")
_HOUR = 60


def slot_in_words(grid: SlotGrid, slot: int) -> str:
    """Of one slot: its period or start, and its labels."""
    return ", ".join((grid.period(slot) or grid.text(slot), *grid.labels(slot)))


def group_name(name: str) -> str:
    """What people call a group: a column by its public name, which begins as a caption does."""
    return _tr("Kind of day") if name == DAY_KIND else name[:1].upper() + name[1:]


def slot_length_text(length: SlotLength) -> str:
    """The length of a timeslot as the window offers it."""
    if length == ALL:
        return _tr("all hours")
    if isinstance(length, tuple):
        return counted("{n} period", "{n} periods", len(length))
    if length % _HOUR:
        return counted("{n} minute", "{n} minutes", length)
    return counted("{n} hour", "{n} hours", length // _HOUR)


def place_text(name: str) -> str:
    """The name of a hexagon in the window's language; a name itself is nobody's to translate."""
    return _tr("near {name}").format(name=name.removeprefix(NEAR)) if name.startswith(NEAR) else name
