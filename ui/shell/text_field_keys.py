"""Keys of the menus work from a text field too, where the field would take them for itself."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

_Key = QKeySequence.StandardKey
_OF_TEXTS = (_Key.Undo, _Key.Redo, _Key.Cancel)
"""These stay the field's own: it undoes what is typed in it."""
_ALT = Qt.KeyboardModifier.AltModifier


class MenuKeys(QObject):
    """Stands before whichever widget has the keyboard, and before no other.

    A text field claims some keys for moving in the text, such as Ctrl+E on Linux, before a menu is asked, and
    types a letter that was pressed with Alt where no menu has it.
    """

    def __init__(self, actions: Iterable[QAction], parent: QObject) -> None:
        super().__init__(parent)
        own = [key for standard in _OF_TEXTS for key in QKeySequence.keyBindings(standard)]
        self._keys = [key for action in actions for key in action.shortcuts() if key not in own]
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._watch)
        self._watch(None, QApplication.focusWidget())

    def _watch(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if now is not None:
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802, ARG002 - Qt's call
        if not isinstance(event, QKeyEvent):
            return False
        if event.type() is QEvent.Type.KeyPress:
            return _is_of_no_menu(event)
        if event.type() is not QEvent.Type.ShortcutOverride:
            return False
        claimed = QKeySequence(event.keyCombination()) in self._keys
        if claimed:
            event.ignore()
        return claimed


def _is_of_no_menu(pressed: QKeyEvent) -> bool:
    """A letter with Alt, which no shortcut has taken by now; on macOS that is how signs are typed."""
    with_alt = pressed.modifiers() in (_ALT, _ALT | Qt.KeyboardModifier.ShiftModifier)
    return with_alt and pressed.text().isprintable() and bool(pressed.text()) and sys.platform != "darwin"
