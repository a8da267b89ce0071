"""Making a key in the window: how strong the passphrase is, while it is typed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.system.passphrase_strength import strength_text
from core.system.paths import Home
from tests.ui.user_actions import show
from ui.kit.jobs import wait_for_all
from ui.release.key_dialog import KeyDialog

STRONG = "correct horse battery staple 71%"


def test_strength_is_told_while_typing(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = KeyDialog(Home(tmp_path))
    qtbot.addWidget(dialog)
    assert dialog.strength.text() == ""
    for typed in ("short", "correct horse", STRONG):
        dialog.passphrase.setText(typed)
        assert dialog.strength.text() == strength_text(typed)
    dialog.passphrase.clear()
    assert dialog.strength.text() == ""


def test_nothing_moves_while_a_passphrase_is_typed(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = KeyDialog(Home(tmp_path))
    show(qtbot, dialog, width=480, height=dialog.sizeHint().height())
    before = dialog.size(), dialog.buttons.pos()
    for number in range(1, 3 * len(STRONG)):
        dialog.passphrase.setText((3 * STRONG)[:number])
        QApplication.processEvents()
        assert (dialog.size(), dialog.buttons.pos()) == before
        needed = dialog.strength.heightForWidth(dialog.strength.width())
        assert needed <= dialog.strength.height(), dialog.strength.text()


def test_a_short_passphrase_is_refused_in_place(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = KeyDialog(Home(tmp_path))
    show(qtbot, dialog, width=480, height=dialog.sizeHint().height())
    for field in (dialog.passphrase, dialog.again):
        field.setText("short")
    dialog.make.click()
    wait_for_all(5000)
    qtbot.waitUntil(dialog.message.isVisible)
    assert dialog.height() >= dialog.sizeHint().height(), "what is refused is read whole"
    assert dialog.strength.geometry().bottom() < dialog.message.geometry().top()
    assert dialog.message.geometry().bottom() < dialog.buttons.geometry().top()
    assert dialog.focusWidget() is dialog.passphrase
    assert not dialog.passphrase.text()
    assert dialog.make.text() == "&Make the key"
    assert not list(tmp_path.rglob("*.pem"))
