"""Small pictures as letters: where there is ink, as a person sees it from afar."""

from __future__ import annotations

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget


def inked(widget: QWidget, block: int) -> list[str]:
    """Rows of blocks of so many pixels: `#` mostly ink, `+` some, `.` next to none."""
    picture = widget.grab().toImage()
    ground = picture.pixelColor(0, 0)

    def is_ink(x: int, y: int) -> bool:
        return _distance(picture.pixelColor(x, y), ground) > 60

    def letter(left: int, top: int) -> str:
        places = [(left + x, top + y) for x in range(block) for y in range(block)]
        share = sum(is_ink(x, y) for x, y in places) / len(places)
        return "#" if share >= 0.5 else "+" if share >= 0.15 else "."

    rows, columns = picture.height() // block, picture.width() // block
    return ["".join(letter(block * x, block * y) for x in range(columns)) for y in range(rows)]


def _distance(one: QColor, other: QColor) -> int:
    return sum(abs(a - b) for a, b in zip(one.getRgb()[:3], other.getRgb()[:3], strict=True))
