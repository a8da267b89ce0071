"""From degrees to points of a picture, with a free edge, for maps of a city."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.charts.shapes import Point

Corners = Sequence[tuple[float, float]]
"""Of a cell: (latitude, longitude) in degrees."""
_AROUND = 0.04
"""Part of the picture's rectangle left free around the cells of a city."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CityProjection:
    """From degrees to points: the cylinder that is true in the middle, which is enough for a city."""

    longitude: float
    latitude: float
    """Of the middle."""
    narrow: float
    """A degree of longitude, in degrees of latitude."""
    scale: float
    """Points for a degree of latitude."""
    middle: Point

    @classmethod
    def of(cls, rings: Sequence[Corners], box: tuple[float, float, float, float]) -> CityProjection:
        """As large as the box takes; longitudes are counted from the first corner, around the Earth."""
        origin = rings[0][0][1]
        lats = [lat for ring in rings for lat, _ in ring]
        lons = [_beside(lon, origin) for ring in rings for _, lon in ring]
        latitude = (min(lats) + max(lats)) / 2.0
        narrow = max(math.cos(math.radians(latitude)), 0.01)
        wide, high = (max(lons) - min(lons)) * narrow, max(lats) - min(lats)
        left, top, width, height = box
        scale = (1.0 - 2.0 * _AROUND) * min(width / max(wide, 1e-9), height / max(high, 1e-9))
        return cls(
            longitude=(min(lons) + max(lons)) / 2.0,
            latitude=latitude,
            narrow=narrow,
            scale=scale,
            middle=(left + width / 2.0, top + height / 2.0),
        )

    def at(self, latitude: float, longitude: float) -> Point:
        """Where a position is drawn; y grows downwards."""
        x = (_beside(longitude, self.longitude) - self.longitude) * self.narrow
        return self.middle[0] + x * self.scale, self.middle[1] - (latitude - self.latitude) * self.scale

    def ring(self, ring: Corners) -> tuple[Point, ...]:
        """Where the corners of a cell are drawn."""
        return tuple(self.at(lat, lon) for lat, lon in ring)


def _beside(longitude: float, origin: float) -> float:
    """The same meridian, on the origin's side of the date line."""
    return longitude - 360.0 * round((longitude - origin) / 360.0)
