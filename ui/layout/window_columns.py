"""The three columns of the window and their widths."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

LEFT_WIDTH = 364
RIGHT_WIDTH = 296
_LEAST_CENTRE = 400
_LEAST_PAGE = 120
"""Of a step's page that is seen without scrolling: what lies above it gives way."""


def start_sizes(width: int) -> list[int]:
    """Widths of the three columns on the first day."""
    return [LEFT_WIDTH, max(_LEAST_CENTRE, width - LEFT_WIDTH - RIGHT_WIDTH), RIGHT_WIDTH]


def has_room_beside(width: int) -> bool:
    """The right column is open on the first day: it leaves the centre wide enough to work in."""
    return width - LEFT_WIDTH - RIGHT_WIDTH >= _LEAST_CENTRE


class WindowColumns(QSplitter):
    """The three columns; the centre takes what is left."""

    def __init__(self, left: QWidget) -> None:
        """left: the others follow, so that Tab gets to them later than to what is put into this one first."""
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("columns")
        self.setHandleWidth(6)
        self.addWidget(left)

    def add(self, centre: QWidget, right: QWidget) -> None:
        """The other two."""
        self.addWidget(centre)
        self.addWidget(right)
        self.setCollapsible(1, False)
        self.setStretchFactor(1, 1)
        self.setSizes(start_sizes(1360))
        right.setMinimumWidth(220)


def stacked(top: QWidget, below: QStackedWidget) -> QWidget:
    """The left column: steps above, the chosen step's page below."""
    column = QWidget()
    layout = QVBoxLayout(column)
    layout.setContentsMargins(8, 8, 0, 8)
    below.setMinimumHeight(_LEAST_PAGE)
    layout.addWidget(top)
    layout.addWidget(below, 1)
    return column
