"""Colours of the map's classes: ramps from low to high."""

from __future__ import annotations

from collections.abc import Sequence

from ui.map.painting import MOST_CLASSES

# Both ramps are even in lightness and safe for the colour-blind. Their two ends are left out,
# so that every class stands out from a light and from a dark page.
_RAMPS: dict[str, tuple[tuple[int, int, int], ...]] = {
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


def colours(count: int, *, ramp: str = "cividis") -> tuple[str, ...]:
    """`count` (1 to 9) even steps of a ramp from low to high, as `#rrggbb`."""
    if not 1 <= count <= MOST_CLASSES:
        raise ValueError(f"{count} classes; a reader tells 1 to {MOST_CLASSES} apart")
    stops = _RAMPS[ramp]
    positions = [0.5] if count == 1 else [i / (count - 1) for i in range(count)]
    return tuple(_colour_at(stops, position) for position in positions)


def _colour_at(stops: Sequence[tuple[int, int, int]], position: float) -> str:
    place = position * (len(stops) - 1)
    below = min(int(place), len(stops) - 2)
    share = place - below
    mixed = (round(a + (b - a) * share) for a, b in zip(stops[below], stops[below + 1], strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)
