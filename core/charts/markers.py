"""The marks of curves, such as discs, so that none is known by its colour alone."""

from __future__ import annotations

import math

from core.charts.shapes import Point

_ROUND = 24
"""Corners of a disc that marks a curve: at this size nobody sees them."""
MARKERS: dict[str, tuple[int, float]] = {
    "disc": (_ROUND, 0.0),
    "square": (4, math.pi / 4.0),
    "triangle": (3, 0.0),
    "diamond": (4, 0.0),
    "triangle down": (3, math.pi),
    "pentagon": (5, 0.0),
    "hexagon": (6, math.pi / 6.0),
    "pentagon down": (5, math.pi),
    "triangle right": (3, math.pi / 2.0),
}
"""Key -> corners, and by how much the first is turned from the top."""


def marker(key: str, at: Point, radius: float) -> tuple[Point, ...]:
    """The corners of a mark around a point; y grows downwards."""
    corners, turn = MARKERS[key]
    # of equal weight to the eye: with few corners a shape needs to reach further
    reach = radius * (1.0 if corners == _ROUND else 1.0 + 0.9 / corners)
    angles = [turn + 2.0 * math.pi * number / corners for number in range(corners)]
    return tuple((at[0] + reach * math.sin(angle), at[1] - reach * math.cos(angle)) for angle in angles)
