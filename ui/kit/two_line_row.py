"""The frame of a list's row with two lines of text, painted by hand."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QRect
from PySide6.QtGui import QFont, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

_BAR, _LEFT, _RIGHT = 3, 10, 8


class RowPlaces(NamedTuple):
    """Where the texts of a row belong, and the font of its smaller ones."""

    upper: QRect
    lower: QRect
    small: QFont


def begin_row(painter: QPainter, option: QStyleOptionViewItem, *, marked: bool, above: int) -> RowPlaces:
    """Save the painter, and paint an item without its text, with a bar at its left where it is marked.

    option: as the delegate has initialised it; above: pixels above and below the texts. The painter is to be
    restored when the row is painted.
    """
    option.text = ""
    painter.save()
    option.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
    box: QRect = option.rect
    if marked:
        bar = QRect(box.left(), box.top(), _BAR, box.height())
        palette: QPalette = option.palette
        painter.fillRect(bar, palette.color(QPalette.ColorRole.Accent))
    texts = box.adjusted(_LEFT, above, -_RIGHT, -above)
    half = texts.height() // 2
    upper = QRect(texts.left(), texts.top(), texts.width(), half)
    small = QFont(option.font)
    small.setPointSizeF(option.font.pointSizeF() - 1)
    return RowPlaces(upper, upper.translated(0, half), small)
