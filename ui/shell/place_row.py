"""The way to the places apart from the steps, below the list of steps."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QWidget


class PlaceRow(QWidget):
    """A button for each place; each does what the place's switch in the status bar does."""

    def __init__(self, switches: Sequence[QToolButton], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self.buttons = []
        for switch in switches:
            button = QPushButton(switch.text().replace("&", ""), self)
            button.setProperty("look", "flat")
            button.setToolTip(switch.toolTip())
            button.clicked.connect(lambda _=False, one=switch: one.setChecked(True))
            row.addWidget(button)
            self.buttons.append(button)
        row.addStretch(1)
