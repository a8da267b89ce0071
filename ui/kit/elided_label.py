"""A text that ends in an ellipsis where its line has no room, unless it wraps; the tip shows all.

One that has shorter wordings takes the first that fits.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from ui.kit.tips import in_lines


class ElidedLabel(QLabel):
    """Never asks for more width than is there; never reads its text as HTML."""

    def __init__(self, text: str = "", look: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._shorter: tuple[str, ...] = ()
        if look:
            self.setProperty("look", look)
        self.setText(text)

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        self.set_either(text)

    def set_either(self, text: str, *shorter: str) -> None:
        """shorter: what stands there where all before it have no room; without one its beginning."""
        self._shorter = tuple(filter(None, shorter))
        super().setText(text)
        self.setToolTip(in_lines(text))

    @property
    def shown_text(self) -> str:
        """What is read where it does not wrap."""
        room, letters = self.contentsRect().width(), self.fontMetrics()
        wordings = (self.text(), *self._shorter)
        wording = next((one for one in wordings if letters.horizontalAdvance(one) <= room), wordings[-1])
        return letters.elidedText(wording, Qt.TextElideMode.ElideRight, room)

    @property
    def least_width(self) -> int:
        """What the shortest wording needs to be shown whole."""
        letters = self.fontMetrics()
        return min(letters.horizontalAdvance(wording) for wording in (self.text(), *self._shorter))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        height = self.heightForWidth(self.width()) if self.wordWrap() else super().minimumSizeHint().height()
        return QSize(0, height)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self.wordWrap():
            super().paintEvent(event)
            return
        shown = self.shown_text
        if shown == self.text():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), int(self.alignment()), shown)
