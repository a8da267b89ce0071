"""The key on paper, from the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QToolButton
from pytestqt.qtbot import QtBot

from core.keys.signing_key import generate_key
from core.keys.words import words_of
from core.system.paths import Home
from tests.ui.user_actions import lies_on
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


def test_it_says_which_key_there_is_and_what_is_missing(box: KeyBox, tmp_path: Path) -> None:
    key = box._home.default_key
    heard: list[bool] = []
    box.changed.connect(lambda: heard.append(True))
    box.show()
    assert heard, "the command line may have made one meanwhile"
    assert box.text.text().startswith("None yet. ")
    assert box.make.isVisible()
    made = generate_key(key.with_suffix(""), PASSPHRASE)
    box.refresh()
    assert box.text.text() == f"Key {made.key_id}, fingerprint\n{made.fingerprint}"
    assert not box.make.isVisible()
    key.with_suffix(".pub").unlink()
    box.refresh()
    assert box.text.text() == "The key is there, but its public part is missing."
    assert box.text.toolTip() == ""
    box._settings.key_file = tmp_path / "gone.pem"
    box.refresh()
    assert box.text.text() == f"{tmp_path / 'gone.pem'} is not there: see File > Settings."
    assert not box.make.isVisible(), "another one is asked for"
    assert not box.backup.isVisible()


def test_the_page_is_written_where_one_chooses_and_opened(
    qtbot: QtBot, box: KeyBox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate_key(box._home.default_key.with_suffix(""), PASSPHRASE)
    box.ask_backup()
    dialog = box.paper
    assert dialog is not None
    assert dialog.page.text() == str(Path.home() / "key-on-paper.html")
    assert dialog.focusWidget() is dialog.passphrase
    named = {one.accessibleName(): one for one in dialog.findChildren(QToolButton)}
    choose = named["Choose where the page is written"]
    for chosen in (str(tmp_path / "page.html"), ""):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, chosen=chosen: (chosen, ""))
        choose.click()
        assert dialog.page.text() == str(tmp_path / "page.html")
    assert not dialog.show_page.isVisible()
    qtbot.keyClicks(dialog.passphrase, PASSPHRASE)
    dialog.write.click()
    fields = (dialog.page, dialog.passphrase, dialog.buttons)
    assert not any(one.isEnabled() for one in fields)
    dialog.reject()
    assert dialog.isVisible(), "it is being written"
    qtbot.waitUntil(dialog.show_page.isVisible)
    assert all(one.isEnabled() for one in fields)
    assert dialog.focusWidget() is dialog.show_page
    assert dialog.height() >= dialog.sizeHint().height()
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    dialog.show_page.click()
    assert opened == [QUrl.fromLocalFile(str(tmp_path / "page.html"))]
    dialog.reject()
    assert not dialog.isVisible()


def test_the_page_is_written_and_offered_to_be_printed(qtbot: QtBot, box: KeyBox, tmp_path: Path) -> None:
    key = generate_key(box._home.default_key.with_suffix(""), PASSPHRASE)
    box.refresh()
    box.show()
    box.backup.click()
    dialog = box.paper
    assert dialog is not None
    assert lies_on(dialog, box)
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
        assert not dialog.message.isVisible(), "what was wrong before is no longer said"
        wait_for_all(10_000)
        qtbot.waitUntil(dialog.message.isVisible)
        assert told in dialog.message.text
        assert dialog.focusWidget() is (dialog.show_page if told == "is written" else dialog.passphrase)
        assert (tmp_path / "page.html").exists() == (passphrase == PASSPHRASE)
    assert words_of(key).split()[0] in (tmp_path / "page.html").read_text()
    assert dialog.show_page.isVisible()
    qtbot.keyClicks(dialog.passphrase, PASSPHRASE)
    dialog.reject()
    assert dialog.passphrase.text() == "", "what was typed is forgotten"
    assert box.paper is None
