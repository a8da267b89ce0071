"""A city's records, day after day: memory is that of one day's numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pyarrow as pa

from core.counted import count_of
from core.progress import Progress
from core.synthesize.fleet import make_fleet
from core.synthesize.itms_tables import day_tables
from core.synthesize.pings import one_day
from core.synthesize.routes import make_routes
from core.synthesize.volumes import counts_of_day, largest_count, ping_interval, split


def city_tables(
    *, records: int, seed: int, vehicles: int, days: int, progress: Progress
) -> Iterator[pa.Table]:
    """The records as tables of at most `_BATCH_ROWS` rows and all columns, in time order."""
    rng = np.random.default_rng(seed)
    routes, fleet = make_routes(rng), make_fleet(rng, vehicles)
    interval = ping_interval(records, vehicles, days)
    largest = largest_count(interval)
    weekday = np.array([1.03, 1.0, 1.02, 1.0, 1.04, 0.98, 0.80])[np.arange(days) % 7]
    totals = split(records, weekday, largest * vehicles)
    for day in range(days):
        progress(day / days, f"day {day + 1} of {days}")
        if totals[day]:
            of_day = np.random.default_rng([seed, day])
            counts = counts_of_day(of_day, fleet, int(totals[day]), largest)
            numbers = one_day(of_day, fleet=fleet, routes=routes, counts=counts, interval=interval)
            yield from day_tables(day, numbers, fleet, _clock())
    progress(1.0, count_of(records, "record"))


@cache
def _clock() -> pa.Array:
    """Each second of a day; not by Arrow, which asks for a zone even here: Windows before 1903 has none."""
    return pa.array([f"{of // 3600:02}:{of // 60 % 60:02}:{of % 60:02}" for of in range(86_400)])
