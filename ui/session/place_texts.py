"""Names of hexagons as the window tells them; files and the command line have core's own."""

from __future__ import annotations

from core.geodata.near_place import NEAR
from ui.language.translation import translator

_tr = translator("Places")


def place_text(name: str) -> str:
    """The name of a hexagon in the window's language; a name itself is nobody's to translate."""
    return _tr("near {name}").format(name=name.removeprefix(NEAR)) if name.startswith(NEAR) else name
