"""ui.ledger.timeline_table: in a narrow place every column is seen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableWidgetItem
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.theme import Theme
from ui.ledger.timeline_table import TimelineTable

ROW = ("2026-11-23", "bus-speed-2022-05-1.1.0", "2022-01-03 to 2022-01-09", "4.65", "✓ published")


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
