"""ui.shell.text_field_keys: a text field leaves the menus their keys, and keeps its own undo."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QComboBox, QLineEdit, QSpinBox, QVBoxLayout, QWidget
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
