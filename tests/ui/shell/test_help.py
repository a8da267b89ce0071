"""ui.shell.help: words, keys and diagnostic information."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QTextDocument, QUndoCommand, QUndoStack
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTextBrowser,
)
from pytestqt.qtbot import QtBot

from core import __version__
from core.system.paths import find_home, resources
from tests.ui.languages import spoken
from tests.ui.user_actions import press, show, texts
from ui.kit.glossary import glossary
from ui.language.translation import catalogue_of, without_mnemonic
from ui.shell.help import AboutDialog, GlossaryDialog, ShortcutsDialog, TourDialog
from ui.shell.step_action import undo_action

_NAMES = {"Hexveil", "bundle", "बंडल"}
"""What the tour names itself, beside what stands in the window."""


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    made = QMainWindow()
    qtbot.addWidget(made)
    return made


def test_the_glossary_holds_the_words_of_the_window(qtbot: QtBot, window: QMainWindow) -> None:
    dialog = GlossaryDialog(window)
    show(qtbot, dialog)
    text = dialog.findChild(QTextBrowser).toPlainText()
    for word, meaning in glossary().items():
        assert word in text
        assert meaning in text
    assert {"Hexagon slot", "Epsilon", "Unit", "Relation", "Ledger", "Bundle"} <= set(glossary())


def _tour(name: str) -> str:
    return (resources() / "tour" / name).read_text(encoding="utf-8")


def _pictures(name: str) -> list[str]:
    return re.findall(r"!\[[^\]]*\]\(([^)]+)\)", _tour(name))


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Five minutes with Hexveil"), ("hi", "Hexveil के साथ पाँच मिनट")]
)
def test_the_tour_is_read_offline_with_all_of_its_pictures(
    qapp: QApplication, qtbot: QtBot, window: QMainWindow, language: str, title: str
) -> None:
    with spoken(qapp, catalogue_of(language)):
        dialog = TourDialog(window)
    show(qtbot, dialog, width=820, height=660)
    text = dialog.findChild(QTextBrowser)
    named = _pictures("tour.md")
    assert len(named) >= 6
    for name in named:
        picture = text.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl(name))
        assert 0 < picture.width() < text.viewport().width(), name
    assert title in text.toPlainText()
    assert text.horizontalScrollBar().maximum() == 0
    assert "href" not in text.toHtml(), "no page lies beside it in an installed program"


@pytest.mark.parametrize("page", ["tour.md", "tour.hi.md"])
def test_the_tour_calls_everything_as_the_window_does(page: str) -> None:
    assert _pictures(page) == _pictures("tour.md")
    catalogue = (resources() / "languages" / "hi.po").read_text(encoding="utf-8")
    texts_of_it = re.findall(r'^(msgid|msgstr|"|msgid_plural)(.*)"$', catalogue, re.MULTILINE)
    window = without_mnemonic("\n".join(text for _, text in texts_of_it))
    for marked in re.findall(r"\*+([^*]+)\*+", _tour(page)):
        for words in marked.replace("\n", " ").split(" > "):
            assert words.lower() in window.lower() or words in _NAMES, words


def test_shortcuts_lists_every_action_with_a_key(qtbot: QtBot, window: QMainWindow) -> None:
    for text, key in (("&Open", "Ctrl+O"), ("No key", ""), ("Save &as", "Ctrl+Shift+S")):
        action = QAction(text, window)
        action.setShortcut(QKeySequence(key))
    dialog = ShortcutsDialog(window)
    show(qtbot, dialog)
    table = dialog.findChild(QTableWidget)
    rows = {(table.item(row, 0).text(), table.item(row, 1).text()) for row in range(table.rowCount())}
    assert rows == {("Open", "Ctrl+O"), ("Save as", "Ctrl+Shift+S")}


def test_undo_is_listed_whatever_step_it_would_undo(qtbot: QtBot, window: QMainWindow) -> None:
    stack = QUndoStack(window)
    undo = undo_action(stack, window)
    undo.setShortcut(QKeySequence("Ctrl+Z"))
    stack.push(QUndoCommand("Title"))
    assert undo.text() == "&Undo Title"
    dialog = ShortcutsDialog(window)
    show(qtbot, dialog)
    table = dialog.findChild(QTableWidget)
    assert table.item(0, 0).text() == "Undo"


def test_heads_of_the_shortcuts_stand_over_their_columns(qtbot: QtBot, window: QMainWindow) -> None:
    dialog = ShortcutsDialog(window)
    show(qtbot, dialog)
    header = dialog.findChild(QTableWidget).horizontalHeader()
    assert header.defaultAlignment() & Qt.AlignmentFlag.AlignLeft


def test_diagnostics_are_copied_without_any_place(qtbot: QtBot, window: QMainWindow) -> None:
    QGuiApplication.setApplicationVersion(__version__)  # as the program does
    dialog = AboutDialog(find_home(), window)
    show(qtbot, dialog)
    assert str(find_home().folder) in texts(dialog)
    home = find_home()
    for place in (
        home.ledger,
        home.default_key.parent,
        home.settings,
        home.cache,
        home.known_mappings,
        resources().parent,
    ):
        assert str(place) in texts(dialog)
    (copy,) = [button for button in dialog.findChildren(QPushButton) if "Copy" in button.text()]
    press(qtbot, copy)
    copied = QGuiApplication.clipboard().text()
    assert f"Hexveil {__version__}" in copied
    assert "PySide" in copied or "Qt" in copied
    assert str(home.folder) not in copied
    assert str(Path.home()) not in copied


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, None])
def test_it_closes(qtbot: QtBot, window: QMainWindow, key: Qt.Key | None) -> None:
    dialog = GlossaryDialog(window)
    show(qtbot, dialog)
    if key is None:
        press(qtbot, dialog.buttons.button(QDialogButtonBox.StandardButton.Close))
    else:
        qtbot.keyClick(dialog, key)
    assert not dialog.isVisible()


def test_about_is_as_high_as_what_it_says(qtbot: QtBot, window: QMainWindow, tmp_path: Path) -> None:
    dialog = AboutDialog(find_home(tmp_path), window)
    qtbot.addWidget(dialog)
    dialog.show()  # as high as it makes itself
    qtbot.waitExposed(dialog)
    area = dialog.findChild(QScrollArea)
    assert not area.verticalScrollBar().isVisible()
    assert area.viewport().height() <= area.widget().heightForWidth(area.viewport().width()) + 10
