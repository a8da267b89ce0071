"""ui.release.yes_or_no: a decision that nobody has made yet, made with keys as well as the mouse."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.layout.boxes import in_column
from ui.release.yes_or_no import YesOrNo


def test_nothing_is_chosen_until_somebody_does_and_again_with_each_question(qtbot: QtBot) -> None:
    around = QWidget()
    asked = YesOrNo(around)
    in_column(around, asked)
    show(qtbot, around)
    asked.ask("")
    assert asked.agreed, "nothing was asked"
    assert not asked.isVisible()
    for question in ("Could anyone know this?", "And that?"):
        asked.ask(question)
        assert asked.isVisible()
        assert not asked.agreed
        assert (asked.yes.isChecked(), asked.no.isChecked()) == (False, False)
        assert asked.yes.accessibleDescription() == question
        qtbot.keyClick(asked.no, Qt.Key.Key_Space)
        assert not asked.agreed
        qtbot.keyClick(asked.yes, Qt.Key.Key_Space)
        assert asked.agreed
        assert not asked.no.isChecked()
