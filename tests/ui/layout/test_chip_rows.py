"""ui.layout.chip_rows: a row a name, one chip of each chosen; a press says which."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.ui.user_actions import LEFT, show
from ui.layout.chip_rows import ChipRow, ChipRows


def test_rows_come_and_go_and_a_press_says_which(qtbot: QtBot) -> None:
    rows = ChipRows()
    show(qtbot, rows, width=300, height=100)
    rows.show_rows([ChipRow("one & all", [("a", "A"), ("b", "B")], "b"), ChipRow("two", [(0, "zero")], 0)])
    first, second = rows.rows
    assert rows.isVisible()
    assert [button.isChecked() for button in first.buttons.values()] == [False, True]
    assert first.accessibleName() == "one & all"
    with qtbot.waitSignal(rows.pressed) as pressed:
        qtbot.mouseClick(second.buttons[0], LEFT)
    assert pressed.args == [1, 0]
    rows.show_rows([])
    assert not rows.isVisible()
    assert rows.rows == []
