"""ui.data.table_passphrase: what is typed answers, and so does closing."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from core.progress import Cancelled, silent
from tests.ui.user_actions import texts
from ui.data.table_passphrase import TablePassphraseDialog
from ui.session.table_passphrases import PassphraseRequest


def _asked(qtbot: QtBot, *, wrong: bool = False) -> TablePassphraseDialog:
    made = TablePassphraseDialog(PassphraseRequest(Path("secret.parquet"), wrong=wrong))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.open()
    return made


def test_what_is_typed_is_the_answer_and_is_not_left_in_the_field(qtbot: QtBot) -> None:
    asked = _asked(qtbot)
    assert asked.passphrase.echoMode() is QLineEdit.EchoMode.Password
    assert asked.wrong.isHidden()
    assert not asked.open_button.isEnabled()
    qtbot.keyClicks(asked.passphrase, "correct horse")
    qtbot.mouseClick(asked.open_button, Qt.MouseButton.LeftButton)
    assert asked.request.wait(silent) == "correct horse"
    assert asked.passphrase.text() == ""


def test_closing_it_stops_the_work(qtbot: QtBot) -> None:
    asked = _asked(qtbot, wrong=True)
    assert asked.wrong.isVisible()
    qtbot.keyClicks(asked.passphrase, "half a word")
    qtbot.keyClick(asked, Qt.Key.Key_Escape)
    with pytest.raises(Cancelled):
        asked.request.wait(silent)


def test_what_is_left_over_stands_below_the_lines(qtbot: QtBot) -> None:
    asked = _asked(qtbot, wrong=True)
    asked.resize(asked.width(), asked.height() + 90)
    gap = asked.passphrase.y() - asked.wrong.geometry().bottom()
    qtbot.waitUntil(lambda: asked.buttons.y() > asked.height() - 60)
    assert gap < 20
    assert asked.wrong.height() < 2 * asked.wrong.fontMetrics().lineSpacing()


def test_it_says_what_is_to_be_typed_and_what_is_kept(qtbot: QtBot) -> None:
    told = texts(_asked(qtbot))
    assert "secret.parquet is encrypted. Type its passphrase." in told
    assert "The passphrase stays in memory" in told


@pytest.mark.parametrize("wrong", [False, True])
def test_there_is_no_room_for_nothing_above_the_buttons(qtbot: QtBot, wrong: bool) -> None:
    asked = _asked(qtbot, wrong=wrong)
    told = asked.findChildren(QLabel)[-1]
    assert told.text().startswith("The passphrase stays")
    qtbot.waitUntil(lambda: asked.buttons.y() - told.geometry().bottom() < 26)
