"""Names of places and timeslots as the window tells them; files and the command line have core's own."""

from __future__ import annotations

from collections.abc import Iterable
from string import hexdigits

from core.geodata.near_place import NEAR
from core.hats.groups import DAY_KIND, day_kind_words
from core.hats.slots import ALL, SlotGrid, SlotLength
from ui.language.translation import core_text, counted, translator
from ui.layout.chip_rows import ChipRow

_tr = translator("Slots")
_HOUR = 60
_DIGITS, _FIRST_DIGITS = 15, 2
"""Of an id of H3, and of its mode and resolution; then come the base cell and a step a resolution."""
_BITS_OF_BASE, _BITS_A_STEP, _BITS_A_DIGIT = 7, 3, 4


def slot_in_words(grid: SlotGrid, slot: int) -> str:
    """Of one slot: its period or start, and its labels."""
    labels = labels_in_words((group.name for group in grid.groups), grid.labels(slot))
    return ", ".join((grid.period(slot) or grid.text(slot), *labels))


def labels_in_words(groups: Iterable[str], labels: Iterable[str]) -> tuple[str, ...]:
    """One label of each group, in the window's language."""
    return tuple(_label_text(group, label) for group, label in zip(groups, labels, strict=True))


def group_name(name: str) -> str:
    """What people call a group: a column by its public name, which begins as a caption does."""
    return _tr("Kind of day") if name == DAY_KIND else name[:1].upper() + name[1:]


def _label_text(group: str, label: str) -> str:
    """A label of a group in the window's language."""
    return core_text(day_kind_words(group, label))


def group_row(name: str, labels: Iterable[str], chosen: str) -> ChipRow:
    """Chips of all of its labels."""
    return ChipRow(group_name(name), [(one, _label_text(name, one)) for one in labels], chosen)


def slot_length_text(length: SlotLength) -> str:
    """The length of a timeslot as the window offers it."""
    if length == ALL:
        return _tr("all hours")
    if isinstance(length, tuple):
        return counted("{n} period", "{n} periods", len(length))
    if length % _HOUR:
        return counted("{n} minute", "{n} minutes", length)
    return counted("{n} hour", "{n} hours", length // _HOUR)


def short_cell(cell: str) -> str:
    """A hexagon without the digits that every one of its resolution ends with; any other name as it is."""
    if len(cell) != _DIGITS or cell[1] not in hexdigits:
        return cell
    digits = _FIRST_DIGITS + -(-(_BITS_OF_BASE + _BITS_A_STEP * int(cell[1], 16)) // _BITS_A_DIGIT)
    return f"{cell[:digits]}…" if digits < _DIGITS and set(cell[digits:]) == {"f"} else cell


def place_text(name: str) -> str:
    """The name of a hexagon in the window's language; a name itself is nobody's to translate."""
    return _tr("near {name}").format(name=name.removeprefix(NEAR)) if name.startswith(NEAR) else name
