"""A day's trips: each bus's pings cut into runs with pauses between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Ints
from core.synthesize.volumes import DAY_END, DAY_START, SHIFT_JITTER

_TRIP_SECONDS = 1500


@dataclass(frozen=True, slots=True, kw_only=True)
class Trips:
    """The trips of one day, bus by bus in time order; all arrays have shape (trips,)."""

    vehicle: Ints
    start: Ints
    """Second of the local day."""
    pings: Ints


def make_trips(rng: np.random.Generator, counts: Ints, interval: int) -> Trips:
    """Cut each bus's pings into trips of about half an hour, with pauses at random between them."""
    trips = -(-counts * interval // _TRIP_SECONDS)
    vehicle = np.repeat(np.arange(counts.size), trips)
    number = np.arange(vehicle.size) - np.repeat(np.cumsum(trips) - trips, trips)
    before = counts[vehicle] * number // trips[vehicle]
    after = counts[vehicle] * (number + 1) // trips[vehicle]
    shift_start = DAY_START + rng.integers(-SHIFT_JITTER, SHIFT_JITTER, counts.size)
    shift_end = DAY_END + rng.integers(-SHIFT_JITTER, SHIFT_JITTER, counts.size)
    idle = (shift_end - shift_start - counts * interval)[vehicle]
    waited = rng.random(vehicle.size)
    waited = waited[np.lexsort((waited, vehicle))]
    start = shift_start[vehicle] + before * interval + (idle * waited).astype(np.int64)
    return Trips(vehicle=vehicle, start=start, pings=after - before)
