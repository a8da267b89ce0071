"""A sentence of advice above a button that follows it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from ui.kit.labels import label


class ReasonAndButton(QWidget):
    """What lines of advice in a panel look like; both are empty at first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.reason = label(look="muted", parent=self)
        self.use = QPushButton(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.reason)
        layout.addWidget(self.use, alignment=Qt.AlignmentFlag.AlignLeft)
