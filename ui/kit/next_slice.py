"""Long work of the window's thread, cut into slices: in between it answers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

_PAUSE_MS = 1
"""None at all would be a posted call: Qt does several of those before it looks at what a person did."""


def next_slice(owner: QObject, work: Callable[[], object]) -> None:
    """Do `work` once the window has answered; not at all where `owner` is gone by then."""
    QTimer.singleShot(_PAUSE_MS, owner, work)
