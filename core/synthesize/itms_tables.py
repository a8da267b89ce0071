"""From a day's numbers to tables in the ITMS profile (method 2)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.synthesize.fleet import Fleet

FIRST_DAY = dt.date(2022, 1, 3)
"""A Monday."""
ZONE_OFFSET = "+05:30"
SHORT_COLUMNS = ("license_plate", "observationDateTime", "speed", "location.coordinates")

_BATCH_ROWS = 250_000
_SOURCE_ID = "city.example/synthetic/bus-live"


def day_tables(
    day: int, numbers: dict[str, NDArray[Any]], fleet: Fleet, clock: pa.Array
) -> Iterator[pa.Table]:
    """One day's records as tables of at most 250,000 rows, in the order of `numbers` (`pings.one_day`).

    clock: text of each second of a day, shape (86400,).
    """
    date = f"{FIRST_DAY + dt.timedelta(days=day)}T"
    stamp = pc.binary_join_element_wise(date, clock, ZONE_OFFSET, "")
    for start in range(0, numbers["second"].size, _BATCH_ROWS):
        batch = {name: values[start : start + _BATCH_ROWS] for name, values in numbers.items()}
        yield _table(day, batch, fleet, clock, stamp)


def _table(
    day: int, numbers: dict[str, NDArray[Any]], fleet: Fleet, clock: pa.Array, stamp: pa.Array
) -> pa.Table:
    """The ITMS profile of method 2; `clock` and `stamp` hold the text of each second of the day."""
    rows = numbers["second"].size
    coordinates = pc.binary_join_element_wise(
        "[", _text(numbers["lon"]), ", ", _text(numbers["lat"]), "]", ""
    )
    return pa.table(
        {
            "trip_direction": pa.array(["UP", "DN"]).take(pa.array(numbers["returning"].astype(np.int64))),
            "last_stop_id": _text(numbers["stop"]),
            "speed": pa.array(numbers["speed"]),
            "trip_delay": pa.array(numbers["delay"]),
            "last_stop_arrival_time": clock.take(pa.array(numbers["arrival"])),
            "actual_trip_start_time": stamp.take(pa.array(numbers["trip_start"])),
            "observationDateTime": stamp.take(pa.array(numbers["second"])),
            "trip_id": _text(numbers["trip"] + (day + 1) * 1_000_000),
            "id": pa.array([_SOURCE_ID]).take(pa.array(np.zeros(rows, dtype=np.int64))),
            "vehicle_label": fleet.label.take(pa.array(numbers["vehicle"])),
            "license_plate": fleet.plate.take(pa.array(numbers["vehicle"])),
            "location.coordinates": coordinates,
        }
    )


def _text(values: NDArray[Any]) -> pa.Array:
    return pa.array(values).cast(pa.string())
