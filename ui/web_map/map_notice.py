"""What lies over the map while there is none, or while the next one is drawn."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPixmap
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

_DIMMED = 0.35
"""How much of the map before is still seen."""
_AROUND = 10


class MapNotice(QLabel):
    """A sentence in the middle, over the picture of the map before where there was one."""

    again = Signal()
    """The person wants the map to be tried once more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWordWrap(True)
        self.setMargin(24)
        self._picture: QPixmap | None = None
        self.button = QPushButton(self)
        self.button.clicked.connect(self.again)
        self.button.hide()
        below = QVBoxLayout(self)
        below.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom)

    @property
    def holds_map(self) -> bool:
        """The map before is seen below the sentence."""
        return self._picture is not None

    def hold(self, picture: QPixmap | None) -> None:
        """Show this picture of the map dimmed, or none; without one the picture before stays."""
        self._picture = self._picture if picture is None else picture

    def say(self, text: str) -> None:
        """Show this sentence."""
        self.setText(text)
        self.button.hide()

    def offer(self, text: str, offered: str) -> None:
        """Show this sentence, and a button that says `offered`, instead of any map."""
        self._picture = None
        self.setText(text)
        self.button.setText(offered)
        self.button.show()

    def let_go(self) -> None:
        """The new map is there."""
        self._picture = None
        self.button.hide()
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.palette().color(QPalette.ColorRole.Window))
        if self._picture is not None:
            painter.setOpacity(_DIMMED)
            painter.drawPixmap(0, 0, self._picture)
            painter.setOpacity(1)
            words = self.fontMetrics().boundingRect(self.text())
            words.moveCenter(self.rect().center())
            card = words.adjusted(-2 * _AROUND, -_AROUND, 2 * _AROUND, _AROUND)
            painter.fillRect(card, self.palette().color(QPalette.ColorRole.Window))
        painter.end()
        super().paintEvent(event)
