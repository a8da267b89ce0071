"""Speed from consecutive positions of a vehicle on one day, in metres and milliseconds (method 2.3).

The distance is that on a sphere of the earth's mean radius (IUGG, R1 = 6,371,008.8 m) by the
equirectangular approximation: the step in longitude, shortened by the cosine of the mean latitude, and
the step in latitude are the legs of a right triangle. Over the distances between consecutive records it
differs from the great circle by far less than positions do. Only + - * / and square roots of IEEE
doubles are used, one at a time, so that every machine computes the same bits; a library's cosine would not.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray

from core.clean.mapping import ReadingRules
from core.store.sort_days import DayBlock

EARTH_RADIUS = 6_371_008.8
"""Of the sphere on which a vehicle's way is measured, metres."""
HALF_TURN = 1_800_000_000
"""180 degrees in 1e-7 degrees: the way between two positions may cross the date line."""
_THOUSANDTHS = 3.6e6
"""A derived speed of one metre per millisecond, in thousandths of km/h."""
_COLUMNS = 5
"""Of the positions that speeds are derived from: day, vehicle, time, latitude, longitude."""
_SINE = tuple((-1.0) ** k / math.factorial(2 * k + 1) for k in range(9))
"""Coefficients of the sine's series to x^17: below pi/4 the rest is less than 1e-19."""


def metres_between(
    latitude: NDArray[np.int64],
    longitude: NDArray[np.int64],
    other_latitude: NDArray[np.int64],
    other_longitude: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Distances between two columns of positions in 1e-7 degrees, the short way round; shapes (n,)."""
    radian = math.pi / HALF_TURN
    east = longitude - other_longitude
    east -= np.where(east > HALF_TURN, 2 * HALF_TURN, 0)
    east += np.where(east < -HALF_TURN, 2 * HALF_TURN, 0)
    x = east * _cosine(latitude + other_latitude)
    y = (latitude - other_latitude).astype(np.float64)
    metres: NDArray[np.float64] = np.sqrt(x * x + y * y) * (EARTH_RADIUS * radian)
    return metres


def _cosine(twice: NDArray[np.int64]) -> NDArray[np.float64]:
    """Cosine of half of an angle in 1e-7 degrees, within +-90 degrees: 1 - 2 sin^2 of half of that."""
    x = np.abs(twice) * (math.pi / HALF_TURN / 4)
    square = x * x
    sine = np.full(x.size, _SINE[-1])
    for coefficient in _SINE[-2::-1]:
        sine *= square
        sine += coefficient
    sine *= x
    cosine: NDArray[np.float64] = 1.0 - 2.0 * (sine * sine)
    return cosine


class SpeedDeriver:
    """Derives the speeds of blocks given in their order; remembers the last record, as a block may cut a day.

    The previous record is the one before it of the vehicle on the same local day, never on the day before:
    what a vehicle sends on one day says nothing of another, so that a vehicle-day can be protected. It
    serves whatever became of its speed, so one stray position costs the speeds to it and from it and no
    other.
    """

    def __init__(self, rules: ReadingRules) -> None:
        assert rules.mapping.derived is not None
        self._gap_ms = rules.mapping.derived.max_gap_seconds * 1000
        self._limit = rules.mapping.physical_max
        self._upper = rules.upper_bound
        self._last = np.full((_COLUMNS, 1), -1, np.int64)
        """Of the block before; no record has such a vehicle."""
        self.dropped = {"no_value": 0, "value_limit": 0}
        self.clamped = 0

    def derive(self, block: DayBlock) -> DayBlock:
        """The records of a block that have a speed, with it."""
        day = np.repeat(np.arange(block.days.size), block.counts)
        columns = (block.days[day], block.vehicle, block.time, block.latitude, block.longitude)
        records = np.concatenate((self._last, np.stack(columns).astype(np.int64)), axis=1)
        self._last = records[:, -1:]
        before, here = records[:, :-1], records[:, 1:]
        elapsed = here[2] - before[2]
        known = (here[:2] == before[:2]).all(axis=0) & (elapsed > 0) & (elapsed <= self._gap_ms)
        metres = metres_between(here[3], here[4], before[3], before[4])
        speed = np.rint(metres * _THOUSANDTHS / np.where(known, elapsed, 1))
        keep = known & (speed <= self._limit)
        self.dropped["no_value"] += int(np.count_nonzero(~known))
        self.dropped["value_limit"] += int(np.count_nonzero(known & ~keep))
        self.clamped += int(np.count_nonzero(keep & (speed > self._upper)))
        return dataclasses.replace(
            block,
            counts=np.bincount(day[keep], minlength=block.days.size).astype(np.int64),
            vehicle=block.vehicle[keep],
            time=block.time[keep],
            latitude=block.latitude[keep],
            longitude=block.longitude[keep],
            value=np.minimum(speed[keep], self._upper).astype(np.int32),
            labels=tuple(column[keep] for column in block.labels),
        )
