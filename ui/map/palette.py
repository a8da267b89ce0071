"""Colours of the map's classes: as many steps of a ramp as a reader tells apart."""

from __future__ import annotations

from core.charts.colour_ramps import ramp_colours
from ui.map.painting import MOST_CLASSES


def colours(count: int, *, ramp: str = "cividis") -> tuple[str, ...]:
    """`count` (1 to 9) even steps of a ramp from low to high, as `#rrggbb`."""
    if not 1 <= count <= MOST_CLASSES:
        raise ValueError(f"{count} classes; a reader tells 1 to {MOST_CLASSES} apart")
    return ramp_colours(count, ramp=ramp)
