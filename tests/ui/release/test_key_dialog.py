"""Making a key in the window: how strong the passphrase is, while it is typed."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from core.keys.signing_key import SigningKey
from core.system.passphrase_strength import strength_text
from core.system.paths import Home
from tests.ui.user_actions import show
from ui.kit.jobs import wait_for_all
from ui.release import key_dialog
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
    assert not dialog.again.text()
    assert dialog.make.text() == "&Make the key"
    assert not list(tmp_path.rglob("*.pem"))


def test_while_the_key_is_made_nothing_can_be_pressed_and_escape_waits(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    generate = key_dialog.generate_key

    def slow(path: Path, passphrase: str) -> SigningKey:
        assert go_on.wait(30)
        return generate(path, passphrase)

    monkeypatch.setattr(key_dialog, "generate_key", slow)
    dialog = KeyDialog(Home(tmp_path))
    show(qtbot, dialog, width=480, height=dialog.sizeHint().height())
    dialog.passphrase.setText(STRONG)
    assert not dialog.make.isEnabled(), "typed once"
    dialog.again.setText(STRONG)
    dialog.make.click()
    assert (dialog.make.text(), dialog.passphrase.text(), dialog.again.text()) == ("Making the key…", "", "")
    assert not any(part.isEnabled() for part in (dialog.passphrase, dialog.again, dialog.buttons))
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    with qtbot.waitSignal(dialog.accepted, timeout=30_000):
        go_on.set()
    assert (tmp_path / "keys").is_dir()


def test_escape_closes_and_forgets(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = KeyDialog(Home(tmp_path))
    show(qtbot, dialog, width=480, height=dialog.sizeHint().height())
    assert dialog.passphrase.echoMode() is dialog.again.echoMode() is QLineEdit.EchoMode.Password
    qtbot.keyClicks(dialog.passphrase, STRONG)
    qtbot.keyClicks(dialog.again, "another")
    dialog.make.click()
    assert dialog.focusWidget() is dialog.again, "the first is asked for no more"
    assert dialog.passphrase.text() == STRONG
    assert dialog.height() >= dialog.sizeHint().height(), "what is wrong is read whole"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert (dialog.passphrase.text(), dialog.again.text()) == ("", "")
