"""A day's pings: where each bus is, how fast in the hour's traffic, and for how much of a trip it goes.

A bus moves along its route by `pace x seconds` and reports `pace x local speed`, so that speeds and
positions agree without integrating anything. Some trips stand for most of their time, others hardly: a bus
that dwells sends more records from where it is slow, as real ones do (method 10.2).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.synthesize.fleet import Fleet
from core.synthesize.ground import latitude_of, longitude_of
from core.synthesize.routes import ROUTE_POINTS, ROUTES, Routes
from core.synthesize.trips import make_trips

_GPS_ERROR_KM = 0.006
_MAX_SPEED_KMH = 65.0
_GOING = 1.2
"""A trip of a made-up bus goes for a share of its time that is Beta(_GOING, 1)."""
_STOP_SECONDS = 30


def one_day(
    rng: np.random.Generator, *, fleet: Fleet, routes: Routes, counts: Ints, interval: int
) -> dict[str, NDArray[Any]]:
    """The numeric columns of one day's pings, each of shape (pings,), sorted by second of the local day.

    counts: pings of each bus, shape (vehicles,). interval: seconds from ping to ping.
    """
    trips = make_trips(rng, counts, interval)
    trip = np.repeat(np.arange(trips.pings.size), trips.pings)
    ping = np.arange(trip.size) - np.repeat(np.cumsum(trips.pings) - trips.pings, trips.pings)
    vehicle = trips.vehicle[trip]
    jitter = rng.integers(0, min(interval, 3), trip.size)
    second = trips.start[trip] + ping * interval + jitter

    block = _blocks(trip, ping, max(1, _STOP_SECONDS // interval))
    going = rng.beta(_GOING, 1.0, trips.pings.size)[trip]
    stopped = rng.random(block[-1] + 1)[block] > going
    pace = fleet.pace[vehicle] * _rush(second) * rng.gamma(9.0, 1 / 9, block[-1] + 1)[block]
    pace *= rng.gamma(25.0, 1 / 25, trip.size)
    pace[stopped] = 0.0

    changed = rng.random(counts.size) < 0.2
    daily_route = np.where(changed, rng.integers(0, ROUTES, counts.size), fleet.route)
    route = daily_route[vehicle]
    phase = rng.uniform(0, 2, counts.size)[vehicle]
    phase = (phase + _since_first(pace * interval, counts) / routes.seconds[route]) % 2.0
    there = np.where(phase > 1.0, 2.0 - phase, phase) * (ROUTE_POINTS - 1)
    step = np.minimum(there.astype(np.int64), ROUTE_POINTS - 2)

    # A standing bus repeats its last fix, error included.
    fix = np.maximum.accumulate(np.where(stopped, 0, np.arange(trip.size)))
    error = rng.normal(0.0, _GPS_ERROR_KM, (2, trip.size))[:, fix]
    east = _between(routes.east, route, step, there) + error[0]
    north = _between(routes.north, route, step, there) + error[1]
    speed = np.minimum(pace * routes.speed[route, step], _MAX_SPEED_KMH)
    unsorted: dict[str, NDArray[Any]] = {
        "second": second,
        "vehicle": vehicle,
        "speed": np.round(speed, 1),
        "lat": latitude_of(north),
        "lon": longitude_of(east),
        "returning": phase > 1.0,
        "stop": route * 100 + step // 16,
        "trip": trip,
        "trip_start": trips.start[trip],
        "delay": np.round(rng.normal(120, 260, trips.pings.size)).astype(np.int64)[trip],
        "arrival": second - rng.integers(5, 240, trip.size),
    }
    order = np.argsort(second, kind="stable")
    return {name: values[order] for name, values in unsorted.items()}


def _blocks(trip: Ints, ping: Ints, length: int) -> Ints:
    """Number of the block of `length` successive pings that each ping is in; blocks end with trips."""
    first = ping % length == 0
    first[1:] |= trip[1:] != trip[:-1]
    return np.cumsum(first) - 1


def _rush(second: Ints) -> Floats:
    """Share of the undisturbed speed that is left in the traffic of that time of day."""
    hour = second / 3600
    return 1.0 - 0.28 * np.exp(-((hour - 9.8) ** 2) / 1.6) - 0.36 * np.exp(-((hour - 18.6) ** 2) / 2.4)


def _since_first(increments: Floats, counts: Ints) -> Floats:
    """Running sums that start anew at each bus; `counts` are the pings per bus."""
    total = np.concatenate([[0.0], np.cumsum(increments)])
    begins = np.cumsum(counts) - counts
    sums: Floats = total[1:] - np.repeat(total[begins], counts)
    return sums


def _between(table: Floats, route: Ints, step: Ints, there: Floats) -> Floats:
    """Linear interpolation of `table` at the fractional step `there`."""
    rest = there - step
    value: Floats = table[route, step] * (1.0 - rest) + table[route, step + 1] * rest
    return value
