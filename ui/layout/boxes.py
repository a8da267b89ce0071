"""Widgets below each other, beside each other, and in columns."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFormLayout, QGridLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Margins = tuple[int, int, int, int]
Item = QWidget | QLayout
BoxPart = Item | int | tuple[Item, int] | tuple[QWidget, int, Qt.AlignmentFlag]
"""What stands there, with its share of the room that is left and its place in it; a number: as much room."""

_NONE: Margins = (0, 0, 0, 0)
_Box = TypeVar("_Box", bound=QBoxLayout)


def in_column(
    around: QWidget | None, *parts: BoxPart, margins: Margins | None = _NONE, spacing: int | None = None
) -> QVBoxLayout:
    """Parts below each other, of a widget or within another box; margins None: as the style has them."""
    return _filled(QVBoxLayout() if around is None else QVBoxLayout(around), parts, margins, spacing)


def in_row(
    around: QWidget | None, *parts: BoxPart, margins: Margins | None = _NONE, spacing: int | None = None
) -> QHBoxLayout:
    """The same beside each other."""
    return _filled(QHBoxLayout() if around is None else QHBoxLayout(around), parts, margins, spacing)


def in_grid(
    around: QWidget | None = None,
    *,
    wide: int | None = None,
    across: int | None = None,
    down: int | None = None,
    margins: Margins = _NONE,
) -> QGridLayout:
    """An empty grid; wide: the column that takes what room is left; across, down: pixels between parts."""
    grid = QGridLayout() if around is None else QGridLayout(around)
    grid.setContentsMargins(*margins)
    if wide is not None:
        grid.setColumnStretch(wide, 1)
    if across is not None:
        grid.setHorizontalSpacing(across)
    if down is not None:
        grid.setVerticalSpacing(down)
    return grid


def in_form(around: QWidget | None = None, *, down: int | None = None) -> QFormLayout:
    """An empty form whose fields take what room is left, on every system; down: as of a grid."""
    made = QFormLayout() if around is None else QFormLayout(around)
    made.setContentsMargins(*_NONE)
    made.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    if down is not None:
        made.setVerticalSpacing(down)
    return made


def _filled(box: _Box, parts: tuple[BoxPart, ...], margins: Margins | None, spacing: int | None) -> _Box:
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    for part in parts:
        match part:
            case int():
                box.addStretch(part)
            case QLayout():
                box.addLayout(part)
            case QWidget():
                box.addWidget(part)
            case (QLayout() as inner, share):
                box.addLayout(inner, share)
            case (QWidget() as widget, share):
                box.addWidget(widget, share)
            case (QWidget() as widget, share, place):
                box.addWidget(widget, share, place)
    return box
