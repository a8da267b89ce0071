"""ui.budget.limit_button: a click asks for the limits."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
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


def test_it_says_whether_there_is_a_limit_already(qtbot: QtBot, session: Session) -> None:
    button = LimitButton(session)
    qtbot.addWidget(button)
    session.edit("Population", population="City trams")
    assert button.text() == "Set &a limit…"
    Ledger.open(session.home.ledger).set_limit("City trams", per_vehicle=Decimal(50))
    session.read_ledger()
    qtbot.waitUntil(lambda: button.text() == "Ch&ange the limit…")
    session.edit("Population", population="")
    assert button.text() == "Set &a limit…"
