"""ui.kit.empty_state: why there is nothing, in the middle, and right below it what helps."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.empty_state import EmptyState
from ui.kit.message_bar import Message


def _middle(part: QWidget, of: QWidget) -> float:
    return part.mapTo(of, QPoint()).x() + part.width() / 2


@pytest.mark.parametrize("width", [400, 1300])
def test_what_helps_stands_right_below_the_advice(qtbot: QtBot, width: int) -> None:
    """Half of an empty page lay between them."""
    empty, button = EmptyState(), QPushButton("Set a limit…")
    empty.offer(button)
    empty.show_message(Message(what="The ledger is empty.", mend="Name a population and set its limit."))
    show(qtbot, empty, width=width, height=700)
    gap = button.mapTo(empty, QPoint()).y() - empty.advice.geometry().bottom()
    assert 0 < gap < 30
    for part in (empty.reason, button):
        assert _middle(part, empty) == pytest.approx(width / 2, abs=2)
    assert button.width() == button.sizeHint().width()
