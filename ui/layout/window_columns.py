"""The four columns of the window and their widths: steps, page, decide panel, result."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

_USUAL, _ROOMY = (172, 398, 256), (196, 440, 290)
"""Pixels of steps, page and decide panel."""
_LIST_WIDTH, PAGE_WIDTH, DECIDE_WIDTH = _USUAL
_ROOMY_FROM = 1600
_LEAST_RESULT = 300
_BETWEEN = 12
_AROUND = 3 * _BETWEEN + 18
_PAGE, _RESULT = 1, 3


def is_roomy(width: int) -> bool:
    """The columns beside the result may be wider."""
    return width >= _ROOMY_FROM


def has_result_beside(width: int) -> bool:
    """A window of this width has room for all four."""
    return width >= sum(_USUAL) + _LEAST_RESULT + _AROUND


def has_decide_beside(width: int) -> bool:
    """It has room for the decide panel beside the page."""
    return width >= sum(_USUAL) + _AROUND - _BETWEEN


class WindowColumns(QSplitter):
    """The result takes what is left; where that is too little it stands in the place of the page."""

    def __init__(self, first: QWidget) -> None:
        """first: the others follow, so that Tab gets to them later than to what is put into this one."""
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("columns")
        self.setHandleWidth(_BETWEEN)
        self.setContentsMargins(10, 0, 8, 0)
        self.setChildrenCollapsible(False)
        self._in_place = False
        first.setMaximumWidth(_ROOMY[0])
        self.addWidget(first)

    def add(self, page: QWidget, decide: QWidget, result: QWidget) -> None:
        """The other three."""
        for widget in (page, decide, result):
            self.addWidget(widget)
        self.setStretchFactor(_RESULT, 1)
        self.fit(1360)

    def fit(self, width: int) -> None:
        """The first widths in a window of this width."""
        widths = _ROOMY if is_roomy(width) else _USUAL
        self.setSizes([*widths, max(_LEAST_RESULT, width - sum(widths) - _AROUND)])
        self.arrange(width)

    def show_result(self, *, in_place: bool, width: int) -> None:
        """In a narrow window the result, or the page again."""
        self._in_place = in_place
        self.arrange(width)

    def arrange(self, width: int) -> None:
        """Show of page and result what there is room for."""
        beside = has_result_beside(width)
        for column, shown in ((_PAGE, not self._in_place), (_RESULT, self._in_place)):
            if (widget := self.widget(column)) is not None:
                widget.setVisible(beside or shown)
