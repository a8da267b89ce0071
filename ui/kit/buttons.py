"""A button and what is said of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QPushButton, QWidget

from ui.kit.tips import in_lines


def push_button(
    text: str,
    parent: QWidget,
    clicked: Callable[..., object] | SignalInstance | None = None,
    *,
    tip: str = "",
    name: str = "",
    look: str = "",
) -> QPushButton:
    """tip: what is shown behind the mouse; name: what is read aloud in its place; look: of the theme."""
    made = QPushButton(text, parent)
    made.setToolTip(in_lines(tip))
    made.setAccessibleName(name)
    if look:
        made.setProperty("look", look)
    if clicked is not None:
        made.clicked.connect(clicked)
    return made
