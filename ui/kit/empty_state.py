"""In the place of a plot or table: a text why there is none and what to do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ui.kit.labels import label
from ui.kit.message_bar import Message
from ui.layout.boxes import in_row

_WIDTH, _ABOVE_BUTTON = 420, 8
_LEAST = 200
"""Pixels of a line: narrower ones are hard to read."""


class EmptyState(QWidget):
    """A heading and an advice in the middle of what is free."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.reason = label(look="title", parent=self)
        self.advice = label(look="muted", parent=self)
        self._column = column = QVBoxLayout()
        column.addStretch(1)
        for text in (self.reason, self.advice):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
            text.setMinimumWidth(_LEAST)
            text.setMaximumWidth(_WIDTH)
            column.addWidget(text)
        column.addStretch(2)
        # centred by stretches: a layout's alignment would reckon the height for the full width
        row = QHBoxLayout(self)
        row.addStretch(1)
        row.addLayout(column, _WIDTH)  # all of a narrow place, and no more than its width of a wide one
        row.addStretch(1)

    def offer(self, button: QPushButton) -> None:
        """Right below the advice: what does as it says."""
        place = QWidget(self)
        place.setMaximumWidth(_WIDTH)  # as the texts above it: else they would stand at its left
        in_row(place, 1, button, 1, margins=(0, _ABOVE_BUTTON, 0, 0))
        self._column.insertWidget(self._column.count() - 1, place)

    def show_message(self, message: Message) -> None:
        """Say why, where, and how to mend it."""
        self.reason.setText(message.what)
        self.advice.setText(message.details)
