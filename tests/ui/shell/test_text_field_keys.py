"""ui.shell.text_field_keys: a text field leaves the menus their keys, and keeps its own undo."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QSpinBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from ui.shell.text_field_keys import MenuKeys

CONTROL = Qt.KeyboardModifier.ControlModifier
CLAIMED = Qt.Key.Key_End
"""Which every platform's text fields take for themselves, as those of Linux take Ctrl+E."""


class Fields(QWidget):
    """Three fields that take text, in a window with two actions."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []
        self.line, self.list, self.number = QLineEdit("some text"), QComboBox(), QSpinBox()
        self.list.setEditable(True)
        layout = QVBoxLayout(self)
        for field in (self.line, self.list, self.number):
            layout.addWidget(field)
        for name, key in (("release", CLAIMED), ("undo", QKeySequence.StandardKey.Undo)):
            action = QAction(name, self)
            action.setShortcut(QKeySequence(key))
            action.triggered.connect(lambda _, name=name: self.done.append(name))
            self.addAction(action)


@pytest.fixture
def fields(qtbot: QtBot) -> Iterator[Fields]:
    made = Fields()
    qtbot.addWidget(made)
    keys = MenuKeys(made.actions(), made)
    with qtbot.waitActive(made):
        made.show()
    yield made
    keys.deleteLater()


@pytest.mark.parametrize("name", ["line", "list", "number"])
def test_a_key_of_the_menu_works_while_a_text_field_has_the_keyboard(
    qtbot: QtBot, fields: Fields, name: str
) -> None:
    field = getattr(fields, name)
    for other in (fields.line, field):
        other.setFocus()
        qtbot.keyClick(other, CLAIMED)
    assert fields.done == ["release", "release"]


def test_what_is_typed_is_undone_in_its_field(qtbot: QtBot, fields: Fields) -> None:
    fields.line.setFocus()
    qtbot.keyClicks(fields.line, " more")
    qtbot.keyClick(fields.line, Qt.Key.Key_Z, CONTROL)
    assert fields.line.text() != " more"
    assert fields.done == []


@pytest.mark.skipif(sys.platform == "darwin", reason="there it is how signs are typed")
@pytest.mark.parametrize("name", ["line", "list", "number"])
@pytest.mark.parametrize("shift", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier])
def test_alt_with_a_key_of_no_menu_types_nothing(
    qtbot: QtBot, fields: Fields, name: str, shift: Qt.KeyboardModifier
) -> None:
    """A missed letter of a menu stood in the text, and a digit in a number."""
    field = getattr(fields, name)
    field.setFocus()
    shown = fields.line.text(), fields.list.currentText(), fields.number.text()
    for key in (Qt.Key.Key_J, Qt.Key.Key_7):
        qtbot.keyClick(field, key, Qt.KeyboardModifier.AltModifier | shift)
    assert (fields.line.text(), fields.list.currentText(), fields.number.text()) == shown
    qtbot.keyClick(field, Qt.Key.Key_7)
    assert (fields.line.text(), fields.list.currentText(), fields.number.text()) != shown


def test_alt_with_a_letter_of_a_field_goes_there(qtbot: QtBot, fields: Fields) -> None:
    caption = QLabel("&Jump", fields)
    caption.setBuddy(fields.number)
    caption.show()
    fields.line.setFocus()
    qtbot.keyClick(fields.line, Qt.Key.Key_J, Qt.KeyboardModifier.AltModifier)
    assert fields.number.hasFocus()
    assert fields.line.text() == "some text"
