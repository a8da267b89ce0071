"""Clean records in memory: the input of everything that follows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.privacy import Confidential


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Records(Confidential):
    """Columns of shape (n,), sorted by (vehicle, instant, latitude, longitude, value), no repeats.

    The order is a function of the records alone: neither rows nor files nor threads decide it.
    """

    vehicles: tuple[str, ...]
    """Sorted ids, trimmed and case-folded; `vehicle` indexes them."""
    vehicle: NDArray[np.int32]
    instant: NDArray[np.int64]
    """UTC milliseconds."""
    latitude: NDArray[np.int32]
    """1e-7 degrees."""
    longitude: NDArray[np.int32]
    """1e-7 degrees."""
    value: NDArray[np.int32]
    """Thousandths of km/h, clamped to [0, U]."""
    zone: str
    """IANA name of the data set's zone."""
    upper_bound: int
    """U in thousandths of km/h."""

    def __len__(self) -> int:
        return int(self.instant.size)
