"""Clean records, the input of everything that follows: positions are whole numbers of 1e-7 degrees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.privacy import Confidential
from core.records.column_cache import ColumnCache, MemoryColumnCache
from core.records.id_folds import OtherTexts
from core.records.labels import Labels

DAY_SECONDS = 86_400
DEGREE = 10_000_000
"""Positions are whole numbers of 1e-7 degrees."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Records(Confidential):
    """Columns of shape (n,), sorted by (local day, vehicle, instant, latitude, longitude, value), no repeats.

    The order is a function of the records alone: neither rows nor files nor threads decide it. Repeats
    are found, and records ordered, in milliseconds; then the time is cut to seconds. The columns may
    lie on disk.
    """

    vehicles: tuple[str, ...]
    """Sorted ids; `vehicle` indexes them."""
    vehicle: NDArray[np.signedinteger[Any]]
    """int16 where it suffices, else int32."""
    second: NDArray[np.int32]
    """UTC seconds since `origin`."""
    latitude: NDArray[np.int32]
    """1e-7 degrees."""
    longitude: NDArray[np.int32]
    """1e-7 degrees."""
    value: NDArray[np.int32]
    """Thousandths of km/h, clamped to [0, U]."""
    days: NDArray[np.int32]
    """Shape (D,): the local days with records, counted from 1970-01-01, in order."""
    first: NDArray[np.int64]
    """Shape (D + 1,): day -> its first record."""
    zone: str
    """IANA name of the data set's zone."""
    upper_bound: int
    """U in thousandths of km/h."""
    derived: bool = False
    """The values are a function of positions (method 2): only relation user may release them."""
    tell_dwell: bool = True
    """Many records in few visits are a sign of a slow vehicle (method 4): they are regular, and of speeds."""
    other_texts: OtherTexts = field(default_factory=dict)
    """How ids were read that were written otherwise."""
    labels: Labels = field(default_factory=dict)
    """What columns say that are places or groups: codes of shape (n,), narrow as those of `vehicle`."""
    column_cache: ColumnCache = field(default_factory=MemoryColumnCache)
    """Where what follows from these records alone is stored."""

    def __len__(self) -> int:
        return int(self.second.size)

    @property
    def origin(self) -> int:
        """The UTC second that `second` counts from: midnight UTC of the first local day's date."""
        return int(self.days[0]) * DAY_SECONDS

    def instants(self, part: slice = slice(None)) -> NDArray[np.int64]:
        """UTC milliseconds, cut to whole seconds, of a part of the records."""
        return (self.second[part].astype(np.int64) + self.origin) * 1000
