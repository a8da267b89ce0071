"""ui.budget.limit_button: a click asks for the limits."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from ui.budget.limit_button import LimitButton
from ui.budget.limit_dialog import LimitDialog
from ui.session.session import Session


def test_a_click_asks_for_the_limits(qtbot: QtBot, session: Session) -> None:
    button = LimitButton(session)
    qtbot.addWidget(button)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    asked = button.findChild(LimitDialog)
    assert asked is not None
    assert asked.isVisible()
    asked.reject()
