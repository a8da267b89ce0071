"""The field that searches the map for a place, a hexagon's id or coordinates: its tip and offers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from core.geodata.place_index import FoundPlace, PlaceIndex
from core.geodata.typed_position import typed_position

_MOST = 12
_LEAST_OF_ID = 3
"""Letters of a hexagon's id before ids are offered."""


class PlaceSearch(QLineEdit):
    """What is chosen is emitted; the names come from the owner of the layers."""

    position_chosen = Signal(float, float)
    """Latitude and longitude."""
    hexagon_chosen = Signal(str)
    not_found = Signal(str)
    """What was typed."""
    emptied = Signal()
    """Nothing is searched for any more."""

    def __init__(
        self,
        index: Callable[[], PlaceIndex | None],
        hexagons: Callable[[], tuple[str, ...]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._index = index
        self._hexagons = hexagons
        self._offered: dict[str, FoundPlace | None] = {}
        self.setPlaceholderText(self.tr("Find a place, hexagon or coordinates"))
        self.setAccessibleName(self.tr("Find a place, a hexagon's id or coordinates on the map"))
        self.setToolTip(self.tr("Any word of a name, without accents; 8742d…; or 21.18, 72.83 (Ctrl+F)"))
        self.setClearButtonEnabled(True)
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setMaxVisibleItems(_MOST)
        self.setCompleter(completer)
        self.textEdited.connect(self._offer)
        self.textChanged.connect(self._on_text)
        completer.activated.connect(self.go_to)
        self.returnPressed.connect(lambda: self.go_to(self.text()))

    def _on_text(self, text: str) -> None:
        if not text:
            self.emptied.emit()

    def _offer(self, typed: str) -> None:
        """What may be meant, as far as it is typed."""
        index, plain = self._index(), typed.strip().lower()
        self._offered = {place.name: place for place in index.completions(typed, _MOST)} if index else {}
        if len(plain) >= _LEAST_OF_ID:
            ids = [cell for cell in self._hexagons() if cell.startswith(plain)]
            self._offered |= dict.fromkeys(ids[: _MOST - len(self._offered)])
        self._names.setStringList(list(self._offered))

    def go_to(self, text: str) -> None:
        """Go to what was typed or chosen; the first that is offered where it is no whole name."""
        typed = text.strip()
        if not typed:
            return
        if typed.lower() in self._hexagons():
            self.hexagon_chosen.emit(typed.lower())
            return
        position = typed_position(typed)
        if position is not None:
            self.position_chosen.emit(*position)
            return
        self._offer(typed)
        place = self._offered.get(typed) or next((one for one in self._offered.values() if one), None)
        if place is not None:
            self.position_chosen.emit(place.latitude, place.longitude)
        elif self._offered:
            self.hexagon_chosen.emit(next(iter(self._offered)))
        else:
            self.not_found.emit(typed)
