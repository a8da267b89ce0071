"""The colour of an area that lies behind curves."""

from __future__ import annotations

from PySide6.QtGui import QColor

_SHARE = 0.28


def blended(colour: str, ground: str) -> str:
    """A pale shade of a curve's colour for the area that belongs to it, as `#rrggbb`."""
    over, under = QColor(colour), QColor(ground)
    pairs = ((over.red(), under.red()), (over.green(), under.green()), (over.blue(), under.blue()))
    return QColor(*(round(_SHARE * top + (1.0 - _SHARE) * below) for top, below in pairs)).name()
