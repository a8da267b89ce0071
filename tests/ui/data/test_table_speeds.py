"""ui.data.table_speeds: two answers, and none by Enter or Escape."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from ui.data.table_speeds import TableSpeedsQuestion


def _asked(qtbot: QtBot) -> TableSpeedsQuestion:
    made = TableSpeedsQuestion("old.parquet")
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.open()
    return made


@pytest.mark.parametrize(("name", "derived"), [("measured", False), ("from_positions", True)])
def test_an_answer_is_known_when_it_is_finished(qtbot: QtBot, name: str, derived: bool) -> None:
    asked, told = _asked(qtbot), []
    asked.finished.connect(lambda _: told.append(asked.derived))
    qtbot.mouseClick(getattr(asked, name), Qt.MouseButton.LeftButton)
    assert told == [derived]
    assert "old.parquet" in asked.text()
    assert "cannot release speeds derived from positions" in asked.informativeText()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_enter_and_escape_answer_nothing(qtbot: QtBot, key: Qt.Key) -> None:
    asked = _asked(qtbot)
    with qtbot.waitSignal(asked.finished):
        qtbot.keyClick(asked, key)
    assert asked.derived is None
