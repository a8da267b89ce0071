"""Days since 1970-01-01 of years, months and days of the month, as the calendar has them (method 2.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_MONTH_STARTS = (
    np.arange(-1970 * 12, 8030 * 12 + 1).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
)
"""Days since 1970-01-01 of each month from January of year 0."""
_MONTH_LENGTHS = np.diff(_MONTH_STARTS).astype(np.int16)
_MONTH_LENGTHS[:12] = 0  # there is no year 0


def days_of(
    year: NDArray[np.integer[Any]], month: NDArray[np.integer[Any]] | np.int16, day: NDArray[np.integer[Any]]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Days since 1970-01-01, and where the date is one; shapes (n,)."""
    months = year.astype(np.int32) * 12 + (month - np.int16(1))
    days: NDArray[np.int64] = _MONTH_STARTS.take(months, mode="clip") + (day - np.int16(1))
    read = (month >= 1) & (month <= 12) & (day >= 1) & (day <= _MONTH_LENGTHS.take(months, mode="clip"))
    return days, read
