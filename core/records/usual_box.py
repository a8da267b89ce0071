"""The rectangle that holds nearly all records: what a map is fitted to, so that a stray one moves nothing."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.records.records import DEGREE, Records

MAP_SHARE = 0.99


def usual_box(records: Records, share: float = MAP_SHARE) -> tuple[float, float, float, float]:
    """South, west, north and east in degrees: at least that share of the records lies within.

    The rest lies furthest from the middle, all on one side if that is where it is. Confidential, and for the
    screen alone: a box of a spec is typed, in relation `user` never taken from records. Raises ValueError
    without records.
    """
    if not len(records):
        raise ValueError("there is no record")
    latitude, longitude = records.latitude, records.longitude
    middle = float(np.median(latitude)), float(np.median(longitude))
    away = far_from_middle(latitude, longitude, middle, math.radians(middle[0] / DEGREE))
    last = away.size - 1 - int((1.0 - share) * away.size)
    retained = away <= np.partition(away, last)[last]
    spans = [
        (int(degrees[retained].min()), int(degrees[retained].max())) for degrees in (latitude, longitude)
    ]
    (south, north), (west, east) = ((low / DEGREE, high / DEGREE) for low, high in spans)
    return south, west, north, east


def far_from_middle(
    latitude: NDArray[np.int32] | NDArray[np.float64],
    longitude: NDArray[np.int32] | NDArray[np.float64],
    middle: tuple[float, float],
    parallel: float,
) -> NDArray[np.float32]:
    """How far each position is from a middle along a meridian or a parallel, whichever is more.

    latitude, longitude, middle: in one unit, which is the result's; parallel: latitude in radians, where a
    degree of longitude is that much shorter.
    """
    north = np.abs(latitude.astype(np.float32) - np.float32(middle[0]))
    east = np.abs(longitude.astype(np.float32) - np.float32(middle[1])) * np.float32(math.cos(parallel))
    further: NDArray[np.float32] = np.maximum(north, east)
    return further
