"""How large the window is on the first day, and its dialogs: never larger than their screen."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QScrollArea, QWidget

_FIRST_SIZE = QSize(1360, 760)
_TITLE_BAR = 32
"""What the desktop puts above a window, about."""


def first_size(room: QSize, wanted: QSize = _FIRST_SIZE) -> QSize:
    """Of the window on the first day: what a small screen has, and no more than looks good."""
    return wanted.boundedTo(room - QSize(0, _TITLE_BAR))


def fit_screen(window: QWidget, wanted: QSize) -> None:
    """Give a dialog the size that is wanted, or what its screen has of it."""
    window.resize(first_size(window.screen().availableSize(), wanted))


def fit_content(window: QWidget, area: QScrollArea) -> None:
    """As tall as what scrolls in `area` is, and what stands around it; no taller than the screen.

    Once it is shown: before, its fonts are others.
    """
    layout, content = window.layout(), area.widget()
    assert layout is not None
    assert content is not None
    margins = layout.contentsMargins()
    width = max(window.minimumWidth(), layout.minimumSize().width())
    inner = width - margins.left() - margins.right()
    tall = content.heightForWidth(inner) if content.hasHeightForWidth() else content.sizeHint().height()
    around = layout.sizeHint().height() - area.sizeHint().height()
    fit_screen(window, QSize(width, tall + around))
