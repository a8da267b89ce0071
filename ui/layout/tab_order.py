"""Where the keyboard begins, and the order of the Tab key where widgets come later.

Qt puts what is made last behind all of the window. Never by asking for the neighbour in the chain: PySide
takes what it returns for a part of who was asked, and both end at the next collection.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget


def focus_first(*controls: QWidget) -> None:
    """The keyboard goes to the first of them that can be used now."""
    usable = (one for one in controls if one.isVisible() and one.isEnabled())
    if (first := next(usable, None)) is not None:
        first.setFocus()


def tab_through(stops: Sequence[QWidget], known: QWidget) -> None:
    """One after the other, as they stand; known: the one of them whose place among all others is right."""
    before = known
    for stop in stops:
        if stop is not known:
            QWidget.setTabOrder(before, stop)
            before = stop
    place = [stop is known for stop in stops].index(True)
    if place:  # all others stand behind it by now
        QWidget.setTabOrder(stops[place - 1], known)
