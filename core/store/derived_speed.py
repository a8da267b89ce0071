"""Speed from consecutive positions of a vehicle, where a file has none (method 2).

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
from core.records.zones import DAY_MS
from core.store.sort_days import DayBlock

EARTH_RADIUS = 6_371_008.8
"""Metres."""
HALF_TURN = 1_800_000_000
"""180 degrees in 1e-7 degrees."""
_THOUSANDTHS = 3.6e6
"""Metres per millisecond in thousandths of km/h."""
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
    """Derives the speeds of blocks given in order of days; remembers each vehicle's last position.

    The previous record is the one before it in the records' order (day, then instant). It serves
    whatever came of its own speed, so one stray position costs the speeds to it and from it and no
    other. In a zone whose clock went back over midnight a day's first record may lie before the
    previous day's last one: then there is no previous record.
    """

    def __init__(self, rules: ReadingRules, vehicles: int) -> None:
        assert rules.mapping.derived is not None
        self._gap_ms = rules.mapping.derived.max_gap_seconds * 1000
        self._limit = rules.mapping.physical_max
        self._upper = rules.upper_bound
        self._instant = np.full(vehicles, np.iinfo(np.int64).min // 2)
        """Before anything: so far back that no gap is short enough."""
        self._latitude = np.zeros(vehicles, np.int64)
        self._longitude = np.zeros(vehicles, np.int64)
        self.dropped = {"no_value": 0, "value_limit": 0}
        self.clamped = 0

    def derive(self, block: DayBlock) -> DayBlock:
        """The records of a block that have a speed, with it."""
        order = np.argsort(block.vehicle, kind="stable")
        vehicle = block.vehicle[order]
        midnight = np.repeat(block.days.astype(np.int64) * DAY_MS, block.counts)
        instant = (block.time + midnight)[order]
        latitude = block.latitude[order].astype(np.int64)
        longitude = block.longitude[order].astype(np.int64)
        starts = np.concatenate(([True], vehicle[1:] != vehicle[:-1]))
        elapsed = instant - _before(instant, starts, self._instant[vehicle[starts]])
        metres = metres_between(
            latitude,
            longitude,
            _before(latitude, starts, self._latitude[vehicle[starts]]),
            _before(longitude, starts, self._longitude[vehicle[starts]]),
        )
        ends = np.append(starts[1:], True)
        self._instant[vehicle[ends]] = instant[ends]
        self._latitude[vehicle[ends]] = latitude[ends]
        self._longitude[vehicle[ends]] = longitude[ends]
        known = (elapsed > 0) & (elapsed <= self._gap_ms)
        speed = np.rint(metres * _THOUSANDTHS / np.where(known, elapsed, 1))
        possible = known & (speed <= self._limit)
        self.dropped["no_value"] += int(np.count_nonzero(~known))
        self.dropped["value_limit"] += int(np.count_nonzero(known & ~possible))
        self.clamped += int(np.count_nonzero(possible & (speed > self._upper)))
        keep = np.empty(order.size, bool)
        keep[order] = possible
        value = np.empty(order.size, np.int32)
        value[order] = np.minimum(speed, self._upper)
        day = np.repeat(np.arange(block.days.size), block.counts)
        return dataclasses.replace(
            block,
            counts=np.bincount(day[keep], minlength=block.days.size).astype(np.int64),
            vehicle=block.vehicle[keep],
            time=block.time[keep],
            latitude=block.latitude[keep],
            longitude=block.longitude[keep],
            value=value[keep],
        )


def _before(
    column: NDArray[np.int64], starts: NDArray[np.bool_], carried: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Each entry's predecessor, at the start of a vehicle the one carried from earlier blocks."""
    before = np.empty_like(column)
    before[1:] = column[:-1]
    before[starts] = carried
    return before
