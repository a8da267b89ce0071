"""Where the made-up city lies: kilometres from its middle as degrees."""

from __future__ import annotations

import math

import numpy as np

from core.arrays import Floats

_CENTRE_LAT, _CENTRE_LON = 21.18, 72.83
_KM_PER_DEGREE = 110.6
_KM_PER_DEGREE_EAST = _KM_PER_DEGREE * math.cos(math.radians(_CENTRE_LAT))


def latitude_of(north: Floats, decimals: int = 6) -> Floats:
    """Degrees, of kilometres north of the middle."""
    return np.round(_CENTRE_LAT + north / _KM_PER_DEGREE, decimals)


def longitude_of(east: Floats, decimals: int = 6) -> Floats:
    """Degrees, of kilometres east of the middle."""
    return np.round(_CENTRE_LON + east / _KM_PER_DEGREE_EAST, decimals)
