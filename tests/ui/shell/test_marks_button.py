"""ui.shell.marks_button: it counts what is marked, and clears it."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from core.system.paths import find_home
from tests.ui.user_actions import press, show
from ui.session.session import Session
from ui.shell.marks_button import MarksButton


def test_it_counts_and_clears(qtbot: QtBot) -> None:
    session = Session(find_home(None))
    button = MarksButton(session)
    show(qtbot, button, width=300, height=30)
    session.choose_hat("a", 0)
    assert not button.isVisibleTo(None)
    session.marked.add([("b", 0), ("b", 1)])
    assert button.isVisible()
    assert button.text().startswith("3 hexagon slots marked, 2 in this slot")
    session.show_slot(1)
    assert "1 in this slot" in button.accessibleName()
    press(qtbot, button)
    assert session.hat is None
    assert not session.marked.hats
    assert not button.isVisible()
