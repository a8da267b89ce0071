"""ui.ledger.timeline_table: in a narrow place every column is seen."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableWidgetItem
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.theme import Theme
from ui.ledger.timeline_table import TimelineTable

ROW = ("2026-11-23", "bus-speed-2022-05-1.1.0", "2022-01-03 to 2022-01-09", "4.65", "✓ signed")


@pytest.mark.parametrize("width", [520, 1100])
def test_the_state_is_read_without_scrolling(qtbot: QtBot, theme: Theme, width: int) -> None:  # noqa: ARG001
    """520 pixels: what 1366x768 leave the timeline at 150 %."""
    table = TimelineTable()
    table.setRowCount(1)
    for column, text in enumerate(ROW):
        table.setItem(0, column, QTableWidgetItem(text))
    show(qtbot, table, width=width, height=200)
    assert not table.horizontalScrollBar().isVisible()
    state = table.visualItemRect(table.item(0, 4))
    assert table.viewport().rect().contains(state)
    assert state.width() >= table.fontMetrics().horizontalAdvance(ROW[4]) + 16
    assert table.columnWidth(1) >= table.fontMetrics().horizontalAdvance(ROW[1]) + 16
    assert table.isColumnHidden(0) is (width == 520)
    head = table.horizontalHeader()
    told = table.model().headerData(2, Qt.Orientation.Horizontal)
    assert table.columnWidth(2) >= head.fontMetrics().horizontalAdvance(told)


LONG = (
    ("2026-11-23", "–", "2022-06-21", "0.2", "! interrupted, counts as spent"),
    ("2026-11-23", "bus-1.0.0", "2022-05", "9.3", "↻ corrected by bus-speed-2022-05-1.1.0 on 2022-07-04"),
    (
        "2026-11-23",
        "bus-speed-2022-05-1.1.0",
        "2022-03-01 to 2022-03-10, 4 days of it",
        "4.65",
        "✓ signed",
    ),
    ("2026-11-23", "bus-1.0.0", "2022-05", "9.3", "↻ सुधारा गया: bus-speed-2022-05-1.1.0, 2022-07-04"),
    ("2026-11-23", "bus-speed-2022-04-1.0.0", "2022-04", "9", "✓ signed"),
)


@pytest.mark.parametrize("width", [520, 789, 1400])
def test_no_text_is_cut_off(qtbot: QtBot, theme: Theme, width: int) -> None:  # noqa: ARG001
    """A text that has no room in its column goes on in the next line; 789 pixels: what 1366x768 leave."""
    table = TimelineTable()
    table.setRowCount(len(LONG))
    for row, texts in enumerate(LONG):
        for column, text in enumerate(texts):
            table.setItem(row, column, QTableWidgetItem(text))
    show(qtbot, table, width=width, height=400)
    for row, texts in enumerate(LONG):
        for column in range(1, 5):
            cell = table.visualItemRect(table.item(row, column)).adjusted(8, 0, -8, 0)
            text = re.sub("(?<=[a-z])-", "-\N{ZERO WIDTH SPACE}", texts[column])  # where a name may be broken
            wrap = Qt.TextFlag.TextWordWrap
            needed = table.fontMetrics().boundingRect(0, 0, cell.width(), 999, wrap, text)
            # within the cell's own margins, and a fraction of a pixel more
            assert needed.height() < cell.height() - 2 * 4, (texts[column], needed, cell)
            assert needed.width() <= cell.width(), (texts[column], needed, cell)
    assert table.rowHeight(4) == 30
    assert (table.rowHeight(1) > 30) is (width < 1400)


def test_rows_of_one_line_are_as_low_as_before(qtbot: QtBot, theme: Theme) -> None:  # noqa: ARG001
    """After the place has grown."""
    table = TimelineTable()
    table.setRowCount(1)
    for column, text in enumerate(LONG[1]):
        table.setItem(0, column, QTableWidgetItem(text))
    show(qtbot, table, width=520, height=400)
    assert table.rowHeight(0) > 30
    table.resize(1400, 400)
    qtbot.waitUntil(lambda: table.rowHeight(0) == 30, timeout=1000)
