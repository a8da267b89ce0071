"""One change of the draft as a step that can be undone."""

from __future__ import annotations

import weakref
from collections.abc import Callable

import shiboken6
from PySide6.QtGui import QUndoCommand, QUndoStack

from core.draft.draft import Draft

_DRAG = 1
"""Qt merges commands of one id only."""


class EditDraft(QUndoCommand):
    """From one draft to another; `apply` is a bound method, and its object may die before the step."""

    def __init__(
        self, apply: Callable[[Draft], None], text: str, before: Draft, after: Draft, *, dragging: bool
    ) -> None:
        super().__init__(text)
        self._apply = weakref.WeakMethod(apply)
        self._before = before
        self._after = after
        self._dragging = dragging

    @property
    def chooses_mechanism(self) -> bool:
        """The mean has another mechanism or other parameters after the step than before.

        Not by another relation: what that does not offer is replaced, and comes back with the one before.
        """
        before, after = self._before.mean, self._after.mean
        if self._before.relation is not self._after.relation:
            return False
        if before is None or after is None:
            return False
        return (before.mechanism, before.parameters) != (after.mechanism, after.parameters)

    def id(self) -> int:
        return _DRAG if self._dragging else -1

    def mergeWith(self, other: QUndoCommand) -> bool:  # noqa: N802 - Qt's name
        if not isinstance(other, EditDraft) or other.text() != self.text():
            return False
        self._after = other._after
        self.setObsolete(self._after == self._before)  # dragged back to where it began
        return True

    def redo(self) -> None:
        self._go(self._after)

    def undo(self) -> None:
        self._go(self._before)

    def _go(self, draft: Draft) -> None:
        apply = self._apply()
        if apply is not None:
            apply(draft)


def push_edit(stack: QUndoStack, step: EditDraft) -> None:
    """Do the step and leave it to the stack.

    The stack deletes its steps, but Python's collector would delete them as well, and before it, where
    both are garbage together: the stack then crashes. So they are stored here until the stack is done.
    """
    _stored[:] = [step_before for step_before in _stored if shiboken6.isValid(step_before)]
    _stored.append(step)
    stack.push(step)


_stored: list[EditDraft] = []
