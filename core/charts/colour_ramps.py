"""Ramps of colours from low to high, for maps: in the window and in what is published.

Both are even in lightness and safe for the colour-blind. Their two ends are left out, so that every class
stands out from a light and from a dark page.
"""

from __future__ import annotations

from collections.abc import Sequence

_Colour = tuple[int, int, int]
_RAMPS: dict[str, tuple[_Colour, ...]] = {
    "cividis": (
        (26, 59, 109),
        (65, 77, 107),
        (90, 95, 109),
        (114, 114, 116),
        (137, 134, 121),
        (163, 154, 118),
        (191, 176, 110),
        (218, 198, 97),
        (248, 223, 74),
    ),
    "viridis": (
        (69, 52, 128),
        (58, 82, 139),
        (46, 108, 142),
        (37, 132, 142),
        (30, 157, 137),
        (49, 181, 122),
        (96, 202, 95),
        (159, 217, 57),
        (228, 228, 24),
    ),
}

_RELEASED = {
    1: ("#c9725c",),
    2: ("#f2dc8e", "#563272"),
    3: ("#f2dc8e", "#c9725c", "#563272"),
    4: ("#f2dc8e", "#df9759", "#a95268", "#563272"),
    5: ("#f2dc8e", "#e5ab5e", "#c9725c", "#954770", "#563272"),
    6: ("#f2dc8e", "#e9b661", "#d98855", "#b95b60", "#8a4074", "#563272"),
}
"""Of released numbers, from light to strong: any two differ for the colour-blind and in grey print."""

HEAP_COLOUR = "#ffffff"
"""Of released numbers that lie at a bound, where many do: paper."""


def released_colours(count: int) -> tuple[str, ...]:
    """`count` (1 to 6) colours of released numbers from light to strong: on screen, paper and in the dark."""
    return _RELEASED[count]


def ramp_colours(count: int, *, ramp: str = "cividis") -> tuple[str, ...]:
    """`count` (at least 1) even steps of a ramp from low to high, as `#rrggbb`."""
    stops = _RAMPS[ramp]
    positions = [0.5] if count == 1 else [i / (count - 1) for i in range(count)]
    return tuple(_colour_at(stops, position) for position in positions)


def _colour_at(stops: Sequence[_Colour], position: float) -> str:
    place = position * (len(stops) - 1)
    below = min(int(place), len(stops) - 2)
    share = place - below
    mixed = (round(a + (b - a) * share) for a, b in zip(stops[below], stops[below + 1], strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)
