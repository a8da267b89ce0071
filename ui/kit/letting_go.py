"""Very many objects that nobody needs any more: to free them all at once would hold up the window."""

from __future__ import annotations

from collections.abc import Generator

from PySide6.QtCore import QObject

from ui.kit.next_slice import in_slices, next_slice

AT_ONCE = 4000
"""Hexagon slots with their plans that are freed in about a millisecond."""


def let_go(owner: QObject, held: list[object]) -> None:
    """Free what is held, part by part, each in an event of its own; all at once where `owner` is gone.

    Call it before others drop what holds these objects: whoever is the last to do so frees nothing then.
    The list is emptied. What is still in use elsewhere stays there as it is.
    """
    next_slice(owner, lambda: in_slices(owner, _parts(held), lambda _: None))


def _parts(held: list[object]) -> Generator[None, None, None]:
    while held:
        del held[-AT_ONCE:]
        yield
