"""Whether latitude and longitude stand in the chosen order, by how far the zone's places are (method 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.clean.mapping import Box
from core.clean.positions import on_earth
from core.privacy import Confidential
from core.records.zone_places import ZonePlace, nearest_places

FAR_KM = 1_000.0
"""Of the places of a zone some is nearer to all who live by its clocks, but for some in the far north."""
NOWHERE_KM, AT_HOME_KM = 200.0, 50.0
"""From the nearest place that is known: most cities are nearer to one than the first of these."""
_MUCH_NEARER = 4.0
_HALF = 0.5
"""Share of positions near the zone's places: below it an order of coordinates is unlikely."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CoordinateCheck(Confidential):
    """What becomes of positions as chosen, and if they were swapped."""

    rows: int
    readable: int
    """Rows with two numbers."""
    latitude: NDArray[np.float64]
    """Of the positions on earth, which are all that can be drawn; shape (drawn,), degrees."""
    longitude: NDArray[np.float64]
    inside: NDArray[np.bool_]
    """Of each drawn position whether it lies in the box; all do where there is none."""
    box: Box | None
    inside_swapped: int
    """How many would lie in the box if swapped; 0 without a box."""
    on_earth_swapped: int
    far_from_zone: bool = False
    """They lie far from every place of the zone, and would lie near one if swapped."""
    beyond_zone: bool = False
    """They lie far from every place of the zone, however they are read."""

    @property
    def drawn(self) -> int:
        return int(self.latitude.size)

    @property
    def why_none(self) -> str:
        """Why nothing is drawn: `no_rows`, `unreadable` or `off_earth`; empty where something is."""
        if self.drawn:
            return ""
        if not self.rows:
            return "no_rows"
        return "off_earth" if self.readable else "unreadable"

    @property
    def swap_advised(self) -> str:
        """Why a swap would mend it: `off_earth`, `box` or `zone`; empty where it would not."""
        if self.on_earth_swapped > self.drawn:
            return "off_earth"
        enough = _HALF * self.readable
        if self.box and int(self.inside.sum()) < enough <= self.inside_swapped:
            return "box"
        return "zone" if self.far_from_zone else ""

    @property
    def home_if_swapped(self) -> str:
        """A place that the positions would lie at if swapped, while they lie at none that is known.

        A sign where no zone is known, and no more: there is land far from every place. Empty without it.
        """
        if not self.drawn or self.swap_advised:
            return ""
        middle = float(np.median(self.latitude)), float(np.median(self.longitude))
        if abs(middle[1]) > 90.0:
            return ""
        ((_, km),), ((home, swapped_km),) = nearest_places(*middle), nearest_places(*middle[::-1])
        return home.name if km > NOWHERE_KM and swapped_km < AT_HOME_KM else ""

    def nearest_zones(self, most: int = 1) -> tuple[tuple[ZonePlace, float], ...]:
        """The places nearest to the middle of the drawn positions, one of each zone, and how many km away.

        Where a swap is advised, or would bring them to a place that is known: to that of the swapped ones.
        """
        if not self.drawn:
            return ()
        middle = float(np.median(self.latitude)), float(np.median(self.longitude))
        swapped = self.swap_advised or self.home_if_swapped
        return nearest_places(*(reversed(middle) if swapped else middle), most=most)


def check_coordinates(
    latitude: NDArray[np.float64], longitude: NDArray[np.float64], box: Box | None, zone: str = ""
) -> CoordinateCheck:
    """latitude, longitude: shape (n,), degrees, NaN where unreadable; zone: of the times, if it is known."""
    here = on_earth(latitude, longitude)
    swapped = on_earth(longitude, latitude)
    known = bool(zone and here.any())
    exchanged = known and _exchanged(latitude[here], longitude[here], zone)
    return CoordinateCheck(
        rows=latitude.size,
        readable=int(np.isfinite(latitude + longitude).sum()),
        latitude=latitude[here],
        longitude=longitude[here],
        inside=_in_box(latitude[here], longitude[here], box),
        box=box,
        inside_swapped=int(_in_box(longitude[swapped], latitude[swapped], box).sum()) if box else 0,
        on_earth_swapped=int(swapped.sum()),
        far_from_zone=exchanged,
        beyond_zone=known and not exchanged and _beyond(latitude[here], longitude[here], zone),
    )


def _beyond(latitude: NDArray[np.float64], longitude: NDArray[np.float64], zone: str) -> bool:
    """Whether the middle of positions lies far from a zone; one without a place, such as UTC, is anywhere."""
    nearest = nearest_places(float(np.median(latitude)), float(np.median(longitude)), among={zone})
    return bool(nearest) and nearest[0][1] > FAR_KM


def _exchanged(latitude: NDArray[np.float64], longitude: NDArray[np.float64], zone: str) -> bool:
    """Whether the middle of positions lies far from a zone, and much nearer to it if swapped."""
    middle = float(np.median(latitude)), float(np.median(longitude))
    if abs(middle[1]) > 90.0:
        return False
    as_given, swapped = (nearest_places(*place, among={zone}) for place in (middle, middle[::-1]))
    if not as_given:  # a zone without a place, such as UTC
        return False
    (_, far), (_, near) = as_given[0], swapped[0]
    return far > FAR_KM > near and far > _MUCH_NEARER * near


def box_around(check: CoordinateCheck) -> Box | None:
    """The smallest box, in hundredths of a degree, that holds every drawn position; None without one."""
    if not check.drawn:
        return None
    south, north = _outwards(check.latitude, 90.0)
    west, east = _outwards(check.longitude, 180.0)
    return Box(south=south, west=west, north=north, east=east)


def _outwards(degrees: NDArray[np.float64], most: float) -> tuple[float, float]:
    low, high = int(np.floor(degrees.min() * 100)), int(np.ceil(degrees.max() * 100))
    if low == high:  # a single place: an edge of the Earth leaves room on its other side only
        low, high = (low - 1, high) if high >= most * 100 else (low, high + 1)
    return max(low / 100, -most), min(high / 100, most)


def _in_box(
    latitude: NDArray[np.float64], longitude: NDArray[np.float64], box: Box | None
) -> NDArray[np.bool_]:
    if box is None:
        return np.ones(latitude.size, bool)
    inside: NDArray[np.bool_] = (
        (latitude >= box.south) & (latitude <= box.north) & (longitude >= box.west) & (longitude <= box.east)
    )
    return inside
