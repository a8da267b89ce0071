"""The rectangle that holds nearly all records: what a map is fitted to, so that a stray one moves nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.records.records import DEGREE, Records

MAP_SHARE = 0.99
_EDGES = 4


def usual_box(records: Records, share: float = MAP_SHARE) -> tuple[float, float, float, float]:
    """South, west, north and east in degrees: at least that share of the records lies within.

    At each of the four edges the same part of the rest is left out. Confidential, and for the screen alone: a
    box of a spec is typed, in relation `user` never taken from records. Raises ValueError without records.
    """
    if not len(records):
        raise ValueError("there is no record")
    beyond = int((1.0 - share) / _EDGES * len(records))
    south, north = _span(records.latitude, beyond)
    west, east = _span(records.longitude, beyond)
    return south, west, north, east


def _span(degrees: NDArray[np.int32], beyond: int) -> tuple[float, float]:
    """Between these lie all but so many at either end."""
    last = degrees.size - 1
    ordered = np.partition(degrees, (beyond, last - beyond))
    return float(ordered[beyond]) / DEGREE, float(ordered[last - beyond]) / DEGREE
