"""ui.kit.figure_view: whatever the number of its columns, names and last row are read as a whole."""

from __future__ import annotations

from PySide6.QtGui import QStandardItemModel
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.figure_view import FigureView

NAMES = ("Mean area of a hexagon (km²)", "HATs with records")


def view_of(qtbot: QtBot, columns: int) -> FigureView:
    model = QStandardItemModel(len(NAMES), columns + 1)
    for row, name in enumerate(NAMES):
        model.setData(model.index(row, 0), name)
    view = FigureView(model)
    show(qtbot, view, width=500, height=200)
    return view


def test_names_keep_their_width_and_the_scroll_bar_takes_no_row(qtbot: QtBot) -> None:
    few, many = view_of(qtbot, 2), view_of(qtbot, 12)
    for view in (few, many):
        assert view.columnWidth(0) >= view.fontMetrics().horizontalAdvance(NAMES[0])
        rows = view.horizontalHeader().height() + sum(map(view.rowHeight, range(len(NAMES))))
        assert view.viewport().height() + view.horizontalHeader().height() >= rows
    assert many.horizontalScrollBar().isVisible()
    assert not few.horizontalScrollBar().isVisible()
