"""How far a load is, with the button that stops it."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton, QWidget

from ui.kit.labels import label
from ui.layout.boxes import in_column


class LoadProgress(QFrame):
    """A card that the page shows while it loads."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "card")
        self._text = label(look="heading", parent=self)
        self._note = label(look="muted", parent=self)
        self._bar = QProgressBar(self, minimum=0, maximum=100)
        self._bar.setAccessibleName(self.tr("Progress of the load"))
        self.stop_button = QPushButton(self.tr("&Stop"), self)
        in_column(self, self._text, self._note, self._bar, self.stop_button, margins=(12, 10, 12, 12))

    def begin(self, text: str) -> None:
        """A new load, that of which the text speaks."""
        self._text.setText(text)
        self.show_done(0, "")

    def show_done(self, done: float, note: str) -> None:
        """done: 0..1."""
        self._bar.setValue(int(done * 100))
        self._note.setText(note)
