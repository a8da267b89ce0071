"""The log: what happened in this window, without a value or an id."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDockWidget, QPlainTextEdit, QWidget

from ui.kit.message_bar import message_of

_MOST_LINES = 2000
_LINES_AT_FIRST = 5


class _Lines(QPlainTextEdit):
    """Asks for a few lines only: the rest of the window stays usable above it."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        edges = 2 * (self.frameWidth() + int(self.document().documentMargin()))
        return QSize(super().sizeHint().width(), _LINES_AT_FIRST * self.fontMetrics().lineSpacing() + edges)


class LogDock(QDockWidget):
    """Lines with the time; hidden at first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Log"), parent)
        self.setObjectName("log")
        self._lines = _Lines(self)
        self._lines.setReadOnly(True)
        self._lines.setMaximumBlockCount(_MOST_LINES)
        self._lines.setAccessibleName(self.tr("Log"))
        self.setWidget(self._lines)
        self.hide()

    @property
    def text(self) -> str:
        return self._lines.toPlainText()

    def note(self, text: str) -> None:
        """Add a line."""
        now = dt.datetime.now().astimezone()
        self._lines.appendPlainText(f"{now:%H:%M:%S}  {text}")

    def note_error(self, error: object) -> None:
        """Add an error's three parts as one line."""
        message = message_of(error)
        self.note(" · ".join(part for part in (message.what, message.where, message.mend) if part))
