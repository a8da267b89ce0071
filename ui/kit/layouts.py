"""How the window is divided: three columns, a page that scrolls, tabs."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QScrollArea, QSplitter, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

LEFT_WIDTH = 364
RIGHT_WIDTH = 268


class _ScrollArea(QScrollArea):
    """As wide as its page and the bar beside it at least: what does not scroll sideways must not be cut."""

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        hint, page = super().minimumSizeHint(), self.widget()
        if page is None:
            return hint
        least = page.minimumSizeHint().expandedTo(page.minimumSize())
        return QSize(least.width() + self.verticalScrollBar().sizeHint().width(), hint.height())


def scrolling(page: QWidget) -> QScrollArea:
    """A page that scrolls up and down, never sideways."""
    area = _ScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(page)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    return area


def start_sizes(width: int) -> list[int]:
    """Widths of the three columns on the first day."""
    return [LEFT_WIDTH, max(400, width - LEFT_WIDTH - RIGHT_WIDTH), RIGHT_WIDTH]


def columns(left: QWidget, centre: QWidget, right: QWidget) -> QSplitter:
    """The three columns; the centre takes what is left."""
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setObjectName("columns")
    splitter.setHandleWidth(6)
    for widget in (left, centre, right):
        splitter.addWidget(widget)
    splitter.setCollapsible(1, False)
    splitter.setStretchFactor(1, 1)
    splitter.setSizes(start_sizes(1360))
    right.setMinimumWidth(220)
    return splitter


def stacked(top: QWidget, below: QStackedWidget) -> QWidget:
    """The left column: steps above, the chosen step's page below."""
    column = QWidget()
    layout = QVBoxLayout(column)
    layout.setContentsMargins(8, 8, 0, 8)
    layout.addWidget(top)
    layout.addWidget(below, 1)
    return column


def tabs(pages: list[tuple[str, QWidget]]) -> QTabWidget:
    """The centre."""
    widget = QTabWidget()
    widget.setDocumentMode(True)
    widget.tabBar().setDrawBase(False)
    for title, page in pages:
        widget.addTab(page, title)
    return widget
