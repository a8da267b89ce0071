"""ui.budget.number_line: what is typed after a double click takes the place of the whole number."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from ui.budget.number_line import NumberLine


@pytest.mark.parametrize("part", [0.25, 0.5, 0.75])
def test_typing_after_a_double_click_replaces_the_number(qtbot: QtBot, part: float) -> None:
    line = NumberLine("1.7")
    qtbot.addWidget(line)
    line.show()
    left, right = line.cursorRect().center(), line.fontMetrics().horizontalAdvance("1.7")
    line.home(False)
    start = line.cursorRect().center().x()
    where = QPoint(start + int(part * right), left.y())
    qtbot.mouseDClick(line, Qt.MouseButton.LeftButton, pos=where)
    qtbot.mouseRelease(line, Qt.MouseButton.LeftButton, pos=where)  # else it stays down in later tests
    qtbot.keyClicks(line, "2")
    assert line.text() == "2"
