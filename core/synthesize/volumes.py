"""How many records a city sends per day and bus, and the most of a shift that pings fill."""

from __future__ import annotations

import numpy as np

from core.arrays import Floats, Ints
from core.synthesize.fleet import Fleet
from core.synthesize.service_hours import DAY_END, DAY_START, SHIFT_JITTER

_RECORDS_PER_VEHICLE = 800
_SMALLEST_FLEET, _LARGEST_FLEET = 40, 760
_RECORDS_PER_DAY = 480_000
_FEWEST_DAYS = 7
_BUSIEST = 0.9
"""A bus may fill at most this share of its shift with pings."""
_TYPICAL_DUTY = 0.16
"""Share of the shift that a bus of mean activity reports; far below `_BUSIEST`: counts stay uneven."""
_SLOWEST_INTERVAL = 60


def default_vehicles(records: int) -> int:
    """One bus per 800 records, between 40 and the 760 of a large city."""
    return min(max(records // _RECORDS_PER_VEHICLE, _SMALLEST_FLEET), _LARGEST_FLEET)


def default_days(records: int) -> int:
    """A week, or as many days as keep a large city's 480,000 records a day."""
    return max(_FEWEST_DAYS, round(records / _RECORDS_PER_DAY))


def ping_interval(records: int, vehicles: int, days: int) -> int:
    """Seconds between two pings of a running bus: the denser the data, the shorter."""
    per_vehicle_day = records / (vehicles * days)
    return int(min(max(_TYPICAL_DUTY * (DAY_END - DAY_START) / per_vehicle_day, 1), _SLOWEST_INTERVAL))


def largest_count(interval: int) -> int:
    """The most pings of one bus on one day; holds for the shortest shift."""
    return int(_BUSIEST * (DAY_END - DAY_START - 2 * SHIFT_JITTER)) // interval


def counts_of_day(rng: np.random.Generator, fleet: Fleet, total: int, largest: int) -> Ints:
    """Split a day's records over the buses, in proportion to activity, none above `largest`."""
    share = fleet.activity * rng.lognormal(0.0, 0.35, fleet.activity.size)
    running = rng.random(share.size) < fleet.attendance
    if running.sum() * largest >= total:
        share = np.where(running, share, 0.0)
    return split(total, share, largest)


def split(total: int, share: Floats, largest: int) -> Ints:
    """Integers that sum to `total`, each at most `largest`, otherwise in proportion to `share`."""
    order = np.argsort(-share, kind="stable")
    ordered = share[order]
    rest_of_share = np.cumsum(ordered[::-1])[::-1]
    factor = (total - np.arange(share.size) * largest) / np.where(rest_of_share > 0, rest_of_share, 1.0)
    # A whisker of tolerance: a total that fills every bus must not fail by a rounding error.
    full = int(np.argmax(factor * ordered <= largest * (1 + 1e-9)))
    exact = np.where(np.arange(share.size) < full, largest, np.minimum(factor[full] * ordered, largest))
    counts = np.floor(exact).astype(np.int64)
    missing = total - int(counts.sum())
    counts[np.argsort(counts - exact, kind="stable")[:missing]] += 1
    return counts[np.argsort(order)]
