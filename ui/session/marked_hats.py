"""The HATs that a person has marked, in whichever tab: every tab shows the same ones.

To mark is to look: what is published is chosen by the rule of the draft, and marks change nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from ui.language.translation import counted, translator, whole

Hat = tuple[str, int]
"""(cell, slot)."""

_tr = translator("MarkedHats")


class MarkedHats(QObject):
    """A set of HATs with one signal."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._hats: frozenset[Hat] = frozenset()
        self._by_slot: dict[int, frozenset[str]] | None = None

    @property
    def hats(self) -> frozenset[Hat]:
        """Those that are marked."""
        return self._hats

    def take(self, hats: Iterable[Hat]) -> None:
        """Mark these and no others."""
        wanted = frozenset(hats)
        if wanted != self._hats:
            self._hats, self._by_slot = wanted, None
            self.changed.emit()

    def add(self, hats: Iterable[Hat]) -> None:
        """Mark these as well."""
        self.take(self._hats.union(hats))

    def toggle(self, hat: Hat) -> None:
        """Mark this one too, or no longer."""
        self.take(self._hats ^ {hat})

    def clear(self) -> None:
        """Mark none."""
        self.take(())

    @property
    def by_slot(self) -> dict[int, frozenset[str]]:
        """Slot -> its marked cells; slots without one are left out."""
        if self._by_slot is None:
            cells: dict[int, list[str]] = {}
            for cell, slot in self._hats:
                cells.setdefault(slot, []).append(cell)
            self._by_slot = {slot: frozenset(own) for slot, own in cells.items()}
        return self._by_slot

    def cells_in(self, slot: int) -> frozenset[str]:
        """The marked cells of a slot."""
        return self.by_slot.get(slot, frozenset())

    def text(self, slot: int) -> str:
        """How many there are, in words, and how many of them are of this slot; empty without any."""
        if not self._hats:
            return ""
        words = counted("{n} hexagon slot marked", "{n} hexagon slots marked", len(self._hats))
        here = len(self.cells_in(slot))
        if here == len(self._hats):
            return words
        return _tr("{marked}, {here} in this slot").format(marked=words, here=whole(here))
