"""What was read of a column of times as text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.privacy import Confidential

MISSING = np.int64(np.iinfo(np.int64).min)
"""Stands for a time that is absent or cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadTimes(Confidential):
    """Times of cells; shape (n,)."""

    ms: NDArray[np.int64]
    """UTC milliseconds; by the wall clock where `naive`; `MISSING` where the cell is no time."""
    naive: NDArray[np.bool_]
    has_offset: NDArray[np.bool_]
    """Whether the cell names its offset from UTC, `Z` included."""
    minutes: NDArray[np.int16]
    """That offset; 0 where there is none."""


def nothing_read(rows: int) -> ReadTimes:
    """Times of which none is read yet."""
    return ReadTimes(
        ms=np.full(rows, MISSING),
        naive=np.zeros(rows, bool),
        has_offset=np.zeros(rows, bool),
        minutes=np.zeros(rows, np.int16),
    )
