"""ui.shell.step_action: the entry follows the stack and names the step in the order of the language."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack
from PySide6.QtWidgets import QApplication

from tests.ui.languages import spoken
from ui.language.translation import catalogue_of
from ui.shell.step_action import redo_action, undo_action


def test_they_follow_the_stack(qapp: QApplication) -> None:
    stack, owner = QUndoStack(), QObject(qapp)
    undo, redo = undo_action(stack, owner), redo_action(stack, owner)
    assert (undo.text(), undo.isEnabled(), redo.text(), redo.isEnabled()) == ("&Undo", False, "&Redo", False)
    stack.push(QUndoCommand("Threshold"))
    assert (undo.text(), undo.isEnabled(), redo.isEnabled()) == ("&Undo Threshold", True, False)
    undo.trigger()
    assert (undo.text(), redo.text(), redo.isEnabled()) == ("&Undo", "&Redo Threshold", True)
    redo.trigger()
    assert stack.index() == 1
    owner.deleteLater()


def test_in_hindi_the_verb_is_last(qapp: QApplication) -> None:
    stack, owner = QUndoStack(), QObject(qapp)
    stack.push(QUndoCommand("थ्रेशोल्ड"))
    with spoken(qapp, catalogue_of("hi")):
        undo = undo_action(stack, owner)
    assert undo.text().startswith("थ्रेशोल्ड ")
    assert undo.text().endswith("(&U)")
    owner.deleteLater()
