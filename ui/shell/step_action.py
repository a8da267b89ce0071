"""A menu's entry that undoes or does again one step and names it, where the language puts the name."""

from __future__ import annotations

from PySide6.QtCore import QObject, SignalInstance
from PySide6.QtGui import QAction, QUndoStack

from ui.language.translation import translator

_tr = translator("Menus")


class StepAction(QAction):
    """Follows the stack; named: the entry with a step, bare: without one."""

    def __init__(self, named: str, bare: str, parent: QObject) -> None:
        super().__init__(bare, parent)
        self._named, self.bare = named, bare

    def show_step(self, step: str) -> None:
        """The step that it is about; empty: there is none."""
        self.setText(self._named.format(step=step) if step else self.bare)


def undo_action(stack: QUndoStack, parent: QObject) -> QAction:
    """Takes the last step back."""
    action = StepAction(_tr("&Undo {step}"), _tr("&Undo"), parent)
    action.triggered.connect(stack.undo)
    return _following(action, stack.undoText(), stack.canUndo(), stack.undoTextChanged, stack.canUndoChanged)


def redo_action(stack: QUndoStack, parent: QObject) -> QAction:
    """Does the last step that was taken back again."""
    action = StepAction(_tr("&Redo {step}"), _tr("&Redo"), parent)
    action.triggered.connect(stack.redo)
    return _following(action, stack.redoText(), stack.canRedo(), stack.redoTextChanged, stack.canRedoChanged)


def _following(
    action: StepAction, step: str, can: bool, steps: SignalInstance, ability: SignalInstance
) -> QAction:
    action.show_step(step)
    action.setEnabled(can)
    steps.connect(action.show_step)
    ability.connect(action.setEnabled)
    return action
