"""ui.ledger.policy_dialog: the page is looked at, follows its fields, is saved in the window's language."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtGui import QTextBlock, QTextDocument, QTextFormat
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.system.paths import Home
from tests.builders import make_bundle
from tests.ui.languages import spoken
from tests.ui.ledger_story import BUSES
from tests.ui.small_city import TIMEOUT
from tests.ui.user_actions import press, show
from ui.language.translation import catalogue_of
from ui.ledger.policy_dialog import PolicyDialog, set_headings_apart
from ui.session.settings import Settings

MARKUP = "<b>City</b> <img src='http://a.example/x.png'>"


def _dialog(qtbot: QtBot, tmp_path: Path) -> PolicyDialog:
    home = Home(tmp_path / "home")
    ledger = Ledger.open(home.ledger)
    ledger.set_limit(BUSES, per_vehicle=Decimal(9))
    settings = Settings(home)
    settings.set_publisher_text("contact", "opendata@city.example")
    made = PolicyDialog(ledger.populations()[0], settings)
    show(qtbot, made, width=640, height=560)
    return made


def test_the_preview_follows_the_fields_and_runs_no_markup(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = _dialog(qtbot, tmp_path)
    assert "Ask opendata@city.example." in dialog.preview.toPlainText()
    assert BUSES in dialog.preview.toPlainText()
    dialog.publisher.setText(MARKUP)
    assert MARKUP in dialog.preview.toPlainText()


def test_headings_of_the_preview_stand_apart(qtbot: QtBot, tmp_path: Path) -> None:
    """Also after a field was changed."""
    dialog = _dialog(qtbot, tmp_path)
    dialog.publisher.setText("City")
    block = dialog.preview.document().begin().next()
    assert block.blockFormat().headingLevel() == 2
    assert block.blockFormat().topMargin() >= 12


def test_both_files_are_saved(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = _dialog(qtbot, tmp_path)
    out = tmp_path / "out"
    out.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(out))
    press(qtbot, dialog.save)
    qtbot.waitUntil(dialog.show_page.isVisible, timeout=TIMEOUT)
    assert {path.name for path in out.iterdir()} == {"policy.html", "policy.md"}
    assert "| vehicle | 9 | 0 |" in (out / "policy.md").read_text(encoding="utf-8")
    bundle = make_bundle(tmp_path)
    dialog.write(bundle)
    qtbot.waitUntil(lambda: "sealed" in dialog.message.text, timeout=TIMEOUT)
    assert not (bundle / "policy.html").exists()


def test_it_speaks_as_the_window_does(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    with spoken(qapp, catalogue_of("hi")):
        dialog = _dialog(qtbot, tmp_path)
        page = dialog._pages["policy.html"].decode()
        assert '<html lang="hi">' in page
        assert "What epsilon is" not in page
        assert "vehicle and day" not in page


TEXT = "# Title\n\n## First\n\nA line.\n\n## Second\n\nAnother.\n"


def _size(block: QTextBlock) -> int:
    size = block.begin().fragment().charFormat().property(QTextFormat.Property.FontSizeAdjustment)
    return int(size or 0)


def test_headings_have_room_above_and_a_size_by_rank(qapp: QApplication) -> None:  # noqa: ARG001
    document = QTextDocument()
    document.setMarkdown(TEXT)
    set_headings_apart(document)
    blocks = {}
    block = document.begin()
    while block.isValid():
        blocks[block.text()] = block
        block = block.next()
    assert list(blocks) == ["Title", "First", "A line.", "Second", "Another."]
    title, first, line, second = (blocks[name] for name in ("Title", "First", "A line.", "Second"))
    assert all(one.blockFormat().topMargin() >= 12 for one in (first, second))
    assert title.blockFormat().topMargin() == 0
    assert _size(title) > _size(first) == _size(second) > _size(line) == 0
    assert document.documentMargin() >= 8
    assert document.toMarkdown().startswith("# Title")
