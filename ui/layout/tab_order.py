"""The order of the Tab key where widgets come later: Qt puts what is made last behind all of the window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def tab_through(stops: Sequence[QWidget], known: QWidget) -> None:
    """One after the other, as they stand; known: the one of them whose place among all others is right."""
    outside = (one for one in _before(known) if one not in stops)
    before = next((one for one in outside if one.focusPolicy() & Qt.FocusPolicy.TabFocus), None)
    for stop in stops:
        if before is not None:
            QWidget.setTabOrder(before, stop)
        before = stop


def _before(widget: QWidget) -> Iterator[QWidget]:
    """Back through the window."""
    before = widget.previousInFocusChain()
    while before is not None and before is not widget:
        yield before
        before = before.previousInFocusChain()
