"""The key on paper, from the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.keys.signing_key import generate_key
from core.keys.words import words_of
from core.system.paths import Home
from ui.kit.jobs import wait_for_all
from ui.release.key_box import KeyBox

LEFT = Qt.MouseButton.LeftButton
PASSPHRASE = "correct horse battery staple"


@pytest.fixture
def box(qtbot: QtBot, tmp_path: Path) -> KeyBox:
    home = Home(tmp_path / "home")
    home.create()
    box = KeyBox(home)
    qtbot.addWidget(box)
    return box


def test_a_page_is_offered_where_there_is_a_key(box: KeyBox) -> None:
    assert box.backup.isHidden()
    generate_key(box._home.default_key.with_suffix(""), PASSPHRASE)
    box.refresh()
    assert not box.backup.isHidden()


def test_where_the_key_lies_is_behind_the_mouse(box: KeyBox) -> None:
    key = box._home.default_key
    assert box.text.toolTip() == ""
    generate_key(key.with_suffix(""), PASSPHRASE)
    box.refresh()
    assert str(key) in box.text.toolTip()
    assert str(key.with_suffix(".pub")) in box.text.toolTip()


def test_the_page_is_written_and_offered_to_be_printed(qtbot: QtBot, box: KeyBox, tmp_path: Path) -> None:
    key = generate_key(box._home.default_key.with_suffix(""), PASSPHRASE)
    box.refresh()
    box.show()
    box.backup.click()
    dialog = box.paper
    assert dialog is not None
    assert not dialog.write.isEnabled()
    dialog.page.setText(str(tmp_path / "page.html"))
    for passphrase, told in (
        ("another one here", "passphrase"),
        (PASSPHRASE, "is written"),
        (PASSPHRASE, "already"),
    ):
        qtbot.keyClicks(dialog.passphrase, passphrase)
        qtbot.mouseClick(dialog.write, LEFT)
        assert dialog.passphrase.text() == ""
        wait_for_all(10_000)
        qtbot.waitUntil(dialog.message.isVisible)
        assert told in dialog.message.text
        assert (tmp_path / "page.html").exists() == (passphrase == PASSPHRASE)
    assert words_of(key).split()[0] in (tmp_path / "page.html").read_text()
    assert dialog.show_page.isVisible()
    qtbot.keyClicks(dialog.passphrase, PASSPHRASE)
    dialog.reject()
    assert dialog.passphrase.text() == "", "what was typed is forgotten"
    assert box.paper is None
