"""A note that choices of an earlier day for files with these columns are used; guess anew, or take back."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from core.assist.known_mappings import KnownMapping
from ui.kit.labels import label
from ui.language.translation import translator
from ui.layout.boxes import in_row

_tr = translator("KnownNote")


class KnownMappingNote(QFrame):
    """Hidden while no mapping is known; emits `chosen` with the mapping, or None to guess."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "good")
        self._known: KnownMapping | None = None
        self._used = False
        self._text = label(parent=self)
        self.other = QPushButton(self)
        self.other.clicked.connect(self._on_clicked)
        in_row(self, (self._text, 1), self.other, margins=(10, 4, 6, 4))
        self.hide()

    @property
    def text(self) -> str:
        """What is shown; empty while nothing is known."""
        return "" if self.isHidden() else self._text.text()

    def show_known(self, known: KnownMapping | None, *, used: bool = True) -> None:
        """Show this mapping, and whether it is the one in the form."""
        self._known, self._used = known, used
        self.setVisible(known is not None)
        if known is None:
            return
        if used:
            text = _tr(
                "Your choices of {date} for files with these columns are used. Check them before you load."
            )
            button = _tr("Guess ane&w")
        else:
            text = _tr(
                "Guessed from this file. Your choices of {date} for files with these columns are stored."
            )
            button = _tr("Use the choices of {date}")
        self._text.setText(text.format(date=known.saved))
        self.other.setText(button.format(date=known.saved))

    def _on_clicked(self) -> None:
        self.show_known(self._known, used=not self._used)
        self.chosen.emit(self._known if self._used else None)
