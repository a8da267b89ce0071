"""ui.kit.figure_view: whatever the number of its columns, names and last row are read as a whole."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QStandardItemModel
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.figure_view import FigureView
from ui.kit.theme import Theme

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


def test_the_bold_head_of_what_is_chosen_is_read_as_a_whole(qtbot: QtBot) -> None:
    head = "✓ 10 / 240"
    view = view_of(qtbot, 12)
    view.model().setHeaderData(1, Qt.Orientation.Horizontal, head)
    view.resize(480, 200)
    bold = view.horizontalHeader().font()
    bold.setBold(True)
    assert view.columnWidth(1) >= QFontMetrics(bold).horizontalAdvance(head) + 16


def test_no_figure_is_cut_in_its_column(qtbot: QtBot) -> None:
    """What is left of one misleads: of 100.0 % there were four characters and an ellipsis."""
    view, bold = view_of(qtbot, 6), QFont()
    bold.setBold(True)
    view.model().setData(view.model().index(0, 2), "100.0\u00a0%")
    view.model().setData(view.model().index(1, 3), "12,345,678")
    view.model().setData(view.model().index(1, 3), bold, Qt.ItemDataRole.FontRole)
    view.resize(653, 200)
    for row, column in ((0, 2), (1, 3)):
        index = view.model().index(row, column)
        font = index.data(Qt.ItemDataRole.FontRole) or view.font()
        need = QFontMetrics(font).horizontalAdvance(index.data()) + 16
        assert view.columnWidth(column) >= need, index.data()


def test_in_a_narrow_place_names_break_and_figures_are_seen_beside(qtbot: QtBot) -> None:
    view = view_of(qtbot, 4)
    view.resize(330, 300)
    assert view.columnWidth(0) < view.fontMetrics().horizontalAdvance(NAMES[0])
    assert view.rowHeight(0) > view.rowHeight(1)
    assert view.columnViewportPosition(2) < view.viewport().width()
    rows = view.horizontalHeader().height() + sum(map(view.rowHeight, range(len(NAMES))))
    qtbot.waitUntil(lambda: view.viewport().height() + view.horizontalHeader().height() >= rows)


def test_where_names_can_break_further_every_figure_is_seen(qtbot: QtBot) -> None:
    """498 pixels: what 1366x768 leave the methods at 150 %."""
    view = view_of(qtbot, 4)
    for column, head in enumerate(
        ("Predicted\nraw", "Predicted\nsmoothed", "True\nraw", "True\nsmoothed"), 1
    ):
        view.model().setHeaderData(column, Qt.Orientation.Horizontal, head)
    view.model().setData(view.model().index(0, 0), "User suppression, Array-Averaging")
    view.resize(498, 300)
    assert view.horizontalHeader().length() <= view.viewport().width()
    assert view.columnWidth(0) >= view._widest_word(["suppression,"])
    assert not view.horizontalScrollBar().isVisible()


def test_the_head_of_the_names_breaks_as_they_do(qtbot: QtBot) -> None:
    """As in a narrow window at 150 %: six grids side by side left it "Resolution /"."""
    view = view_of(qtbot, 6)
    one_line = view.horizontalHeader().height()
    view.model().setHeaderData(0, Qt.Orientation.Horizontal, "Resolution / slot")
    view.resize(490, 300)
    assert view.columnWidth(0) < view.fontMetrics().horizontalAdvance("Resolution / slot") + 16
    assert view.columnWidth(0) >= view._widest_word(["Resolution"])
    spacing = view.horizontalHeader().fontMetrics().lineSpacing()
    qtbot.waitUntil(lambda: view.horizontalHeader().height() >= one_line + spacing)
    rows = view.horizontalHeader().height() + sum(map(view.rowHeight, range(len(NAMES))))
    qtbot.waitUntil(lambda: view.viewport().height() + view.horizontalHeader().height() >= rows)
    view.resize(900, 300)
    qtbot.waitUntil(lambda: view.horizontalHeader().height() == one_line)


def test_a_name_in_a_narrow_column_ends_in_no_ellipsis(qtbot: QtBot, theme: Theme) -> None:
    """Five grids at 1366 pixels: "Hexagon slots busy (≥ 3 a day)" ended in "(≥ 3 a d…" on its third line."""
    assert theme.colours, "its letters are those of the program"
    view = view_of(qtbot, 5)
    name = "Hexagon slots busy (≥ 3 a day)"
    view.model().setData(view.model().index(0, 0), name)
    for width in range(400, 520, 3):
        view.resize(width, 400)
        room = view.columnWidth(0) - 18  # Qt's own margins, padding and border of a cell
        needed = view.fontMetrics().boundingRect(QRect(0, 0, room, 999), Qt.TextFlag.TextWordWrap, name)
        assert view.rowHeight(0) >= needed.height(), width


def test_a_name_that_has_room_does_not_break(qtbot: QtBot) -> None:
    """Of Devanagari Qt lays out a fraction of a pixel more than it measures, at some sizes."""
    broken = []
    for size in range(9, 20):
        view = view_of(qtbot, 12)
        font = view.font()
        font.setPixelSize(size)
        view.setFont(font)
        view.model().setData(view.model().index(1, 0), "वाहन-दिन के अधिकतम षट्भुज-स्लॉट (K_day)")
        view.resize(750, 200)
        if view.rowHeight(1) > view.rowHeight(0):
            broken.append(size)
    assert not broken


def test_the_right_edge_cuts_no_column_in_two(qtbot: QtBot) -> None:
    view = view_of(qtbot, 12)
    for width in (420, 500, 653, 655):
        view.resize(width, 300)
        ends = [view.columnViewportPosition(column) for column in range(1, 13)]
        assert view.horizontalScrollBar().isVisible()
        assert view.viewport().width() in ends, f"{width}: {ends}"
