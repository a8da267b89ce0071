"""A position in degrees, with the letters of the window's language."""

from __future__ import annotations

from ui.language.translation import translator

_tr = translator("PointMap")


def position_text(latitude: float, longitude: float) -> str:
    """Four decimals, which is about ten metres, and the hemispheres."""
    north = _tr("N") if latitude >= 0 else _tr("S")
    east = _tr("E") if longitude >= 0 else _tr("W")
    return f"{abs(latitude):.4f}° {north}, {abs(longitude):.4f}° {east}"
