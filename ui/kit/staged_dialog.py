"""A dialog that is built part by part while it is already on the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Slot
from PySide6.QtWidgets import QDialog, QWidget

from ui.kit.next_slice import next_slice
from ui.layout.window_size import first_size

_LEAST = QSize(1290, 690)
_MOST = QSize(1640, 960)
_BESIDE = QSize(60, 60)
"""Of the window that stays visible around the dialog."""


class StagedDialog(QDialog):
    """Takes the room that its window has."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unbuilt: list[Callable[[], None]] = []
        self.resize(self._fitting_size())
        next_slice(self, self._build)

    @property
    def complete(self) -> bool:
        """Every part is built, or the dialog was closed."""
        return not self._unbuilt

    def build_next(self, stages: Sequence[Callable[[], None]]) -> None:
        """Build these parts before what else waits, one in each turn of the event loop."""
        self._unbuilt[:0] = stages

    @Slot()
    def _build(self) -> None:
        if self._unbuilt:
            self._unbuilt.pop(0)()
            next_slice(self, self._build)

    def done(self, result: int) -> None:
        """Close; what is not built is not wanted any more."""
        self._unbuilt.clear()
        super().done(result)

    def _fitting_size(self) -> QSize:
        parent = self.parentWidget()
        room = parent.window().size() - _BESIDE if parent else _LEAST
        return first_size(self.screen().availableSize(), room.expandedTo(_LEAST).boundedTo(_MOST))
