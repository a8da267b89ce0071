"""A list of time zones that can be typed into, whatever the case of the letters."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QWidget

from ui.kit.form_grid import EDITOR_WIDTH
from ui.kit.translation import translator

_tr = translator("ZoneBox")


class ZoneBox(QComboBox):
    """A text that is no zone counts as none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._zones: dict[str, str] = {}
        self.setFixedWidth(EDITOR_WIDTH)
        self.setMaxVisibleItems(16)
        self.setEditable(True)
        self.edit = QLineEdit(self)
        # the padding of a line edit of its own would cut the text inside the box
        self.edit.setStyleSheet("border: none; padding: 0; background: transparent;")
        self.edit.setPlaceholderText(_tr("Choose or type…"))
        self.setLineEdit(self.edit)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)

    def offer(self, zones: Sequence[str]) -> None:
        """Offer these zones, once; nothing is chosen."""
        if self._zones:
            return
        self._zones = {zone.casefold(): zone for zone in zones}
        self.addItems(list(zones))
        self.setCurrentIndex(-1)
        completer = QCompleter(list(zones), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.setCompleter(completer)

    @property
    def zone(self) -> str:
        """The zone under its own name; empty for a text that is none."""
        return self._zones.get(self.currentText().strip().casefold(), "")

    def show_zone(self, zone: str) -> None:
        """Show a zone, or none."""
        self.setCurrentIndex(self.findText(zone) if zone else -1)
        self.setEditText(zone)
