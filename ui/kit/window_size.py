"""How large the window is on the first day."""

from __future__ import annotations

from PySide6.QtCore import QSize

_FIRST_SIZE = QSize(1360, 760)
_TITLE_BAR = 32
"""What the desktop puts above a window, about."""


def first_size(room: QSize, wanted: QSize = _FIRST_SIZE) -> QSize:
    """Of the window on the first day: what a small screen has, and no more than looks good."""
    return wanted.boundedTo(room - QSize(0, _TITLE_BAR))
