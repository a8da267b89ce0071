"""A line for one number: a double click selects all of it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLineEdit


class NumberLine(QLineEdit):
    """Qt would select the digits on one side of the point, so that 2 typed over 1.7 became 127."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() == Qt.MouseButton.LeftButton:
            self.selectAll()
        else:
            super().mouseDoubleClickEvent(event)
