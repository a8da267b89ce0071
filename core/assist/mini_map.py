"""What a small map of points needs: a frame around them, a graticule and a scale bar.

Plate carrée, stretched by the cosine of the middle latitude, so that a city keeps its shape.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.clean.mapping import Box
from core.privacy import Confidential

KM_PER_DEGREE = 111.195
"""Of latitude, on a sphere of radius 6371 km."""
_LEAST_SPAN = 0.004
"""Degrees that are shown at least, about 450 m: one point needs some land around it."""
_MARGIN = 0.08
_MOST_LINES = 4
_LONGEST_BAR = 0.34
"""Share of the small map's width that its scale bar may take."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MiniMap(Confidential):
    """A frame of degrees fitted to a picture of `width` x `height` pixels."""

    south: float
    west: float
    north: float
    east: float
    width: float
    height: float

    def place(
        self, latitude: NDArray[np.float64] | float, longitude: NDArray[np.float64] | float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Pixels from the left and from the top."""
        x = (np.asarray(longitude) - self.west) / (self.east - self.west) * self.width
        y = (self.north - np.asarray(latitude)) / (self.north - self.south) * self.height
        return x, y

    @property
    def meridians(self) -> tuple[float, ...]:
        """Longitudes of the graticule."""
        return graticule(self.west, self.east)

    @property
    def parallels(self) -> tuple[float, ...]:
        """Latitudes of the graticule."""
        return graticule(self.south, self.north)

    @property
    def scale_bar(self) -> tuple[float, float]:
        """A round length in km and how many pixels it takes in the middle of the map."""
        middle = math.radians((self.south + self.north) / 2)
        km = (self.east - self.west) * KM_PER_DEGREE * math.cos(middle)
        length = _round_down(km * _LONGEST_BAR)
        return length, length / km * self.width


def fit_map(
    latitude: NDArray[np.float64],
    longitude: NDArray[np.float64],
    box: Box | None,
    width: float,
    height: float,
) -> MiniMap:
    """A map that shows every point and the box with some margin; of nothing, the whole earth."""
    edges = ([box.south, box.north], [box.west, box.east]) if box else ([], [])
    latitudes, longitudes = np.append(latitude, edges[0]), np.append(longitude, edges[1])
    if not latitudes.size:
        latitudes, longitudes = np.array([-80.0, 80.0]), np.array([-180.0, 180.0])
    middle_lat = float(latitudes.min() + latitudes.max()) / 2
    middle_lon = float(longitudes.min() + longitudes.max()) / 2
    shrink = max(math.cos(math.radians(middle_lat)), 0.05)
    high = max(float(np.ptp(latitudes)), _LEAST_SPAN) * (1 + 2 * _MARGIN)
    wide = max(float(np.ptp(longitudes)) * shrink, _LEAST_SPAN) * (1 + 2 * _MARGIN)
    # the direction that has room to spare shows more land
    scale = max(high / height, wide / width)
    high, wide = scale * height, scale * width / shrink
    return MiniMap(
        south=middle_lat - high / 2,
        north=middle_lat + high / 2,
        west=middle_lon - wide / 2,
        east=middle_lon + wide / 2,
        width=width,
        height=height,
    )


def graticule(low: float, high: float) -> tuple[float, ...]:
    """At most `_MOST_LINES` round degrees strictly between two."""
    step = _round_down((high - low) / _MOST_LINES)
    while (high - low) / step > _MOST_LINES:
        step = _next_round(step)
    first, last = math.floor(low / step) + 1, math.ceil(high / step) - 1
    lines = (round(number * step, 9) for number in range(first, last + 1))
    return tuple(line for line in lines if low < line < high)  # a quotient may be rounded over an edge


def degrees_text(degrees: float, positive: str, negative: str) -> str:
    """Degrees with their letter, without needless decimals."""
    letter = positive if degrees > 0 else negative if degrees < 0 else ""
    return f"{abs(degrees):.6g}° {letter}".rstrip()


def _round_down(number: float) -> float:
    """The largest of 1, 2, 5, 10, .. times a power of ten that is not above `number`."""
    power = 10.0 ** math.floor(math.log10(number))
    return max(step for step in (1, 2, 5) if step * power <= number * (1 + 1e-12)) * power


def _next_round(step: float) -> float:
    return _round_down(step * 2.5)
