"""Long work of the window's thread, cut into slices: in between it answers."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer

_PAUSE_MS = 1
"""None at all would be a posted call: Qt does several of those before it looks at what a person did."""
T = TypeVar("T")


def next_slice(owner: QObject, work: Callable[[], object]) -> None:
    """Do `work` once the window has answered; not at all where `owner` is gone by then."""
    QTimer.singleShot(_PAUSE_MS, owner, work)


def in_slices(owner: QObject, work: Generator[None, None, T], then: Callable[[T], object]) -> None:
    """Do `work` from one `yield` to the next, each in an event of its own; `then` takes what it returns.

    Where `owner` is gone before the end, the rest is not done.
    """
    try:
        next(work)
    except StopIteration as end:
        then(end.value)
    else:
        next_slice(owner, lambda: in_slices(owner, work, then))
