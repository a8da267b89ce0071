"""ui.layout.chips: what is pressed is told once; words of people stay as they are."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.ui.user_actions import LEFT, show
from ui.layout.chips import Chips


def test_a_press_is_told_and_another_offer_takes_its_place(qtbot: QtBot) -> None:
    chips = Chips()
    show(qtbot, chips, width=300, height=60)
    chips.show_chips([("a", "A & B"), ("b", "<b>")], {"b"})
    assert [button.text() for button in chips.buttons.values()] == ["A && B", "<b>"]
    assert chips.buttons["a"].accessibleName() == "A & B"
    assert [key for key, button in chips.buttons.items() if button.isChecked()] == ["b"]
    with qtbot.waitSignal(chips.pressed) as pressed:
        qtbot.mouseClick(chips.buttons["a"], LEFT)
    assert pressed.args == ["a"]
    same = chips.buttons["a"]
    chips.show_chips([("a", "A & B"), ("b", "<b>")], set())
    assert chips.buttons["a"] is same
    assert not same.isChecked()
    chips.show_chips([("c", "C")], ())
    assert list(chips.buttons) == ["c"]


def test_one_of_several_is_chosen(qtbot: QtBot) -> None:
    chips = Chips(one=True)
    show(qtbot, chips, width=300, height=60)
    chips.show_chips([("a", "A"), ("b", "B")], {"a"})
    qtbot.mouseClick(chips.buttons["b"], LEFT)
    assert [button.isChecked() for button in chips.buttons.values()] == [False, True]
