"""A day's numbers as columns of the ITMS profile."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from core.synthesize.fleet import make_fleet
from core.synthesize.itms_tables import SHORT_COLUMNS, day_tables

ROWS = 250_001


def _numbers() -> dict[str, np.ndarray]:
    whole = dict.fromkeys(("second", "vehicle", "stop", "trip", "trip_start", "delay", "arrival"), 0)
    numbers: dict[str, np.ndarray] = {name: np.full(ROWS, value) for name, value in whole.items()}
    numbers |= {"speed": np.full(ROWS, 31.5), "lat": np.full(ROWS, 21.18), "lon": np.full(ROWS, 72.83)}
    numbers |= {"second": np.full(ROWS, 3661), "returning": np.arange(ROWS) % 2 == 1}
    return numbers


def test_numbers_become_the_text_of_a_feed() -> None:
    clock = pa.array([f"{s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}" for s in range(86_400)])
    fleet = make_fleet(np.random.default_rng(1), 1)
    first, second = day_tables(1, _numbers(), fleet, clock)
    assert (first.num_rows, second.num_rows) == (250_000, 1)
    assert first.slice(1, 1).to_pylist() == [
        {
            "trip_direction": "DN",
            "last_stop_id": "0",
            "speed": 31.5,
            "trip_delay": 0,
            "last_stop_arrival_time": "00:00:00",
            "actual_trip_start_time": "2022-01-04T00:00:00+05:30",
            "observationDateTime": "2022-01-04T01:01:01+05:30",
            "trip_id": "2000000",
            "id": "city.example/synthetic/bus-live",
            "vehicle_label": "A01",
            "license_plate": fleet.plate[0].as_py(),
            "location.coordinates": "[72.83, 21.18]",
        }
    ]
    assert set(SHORT_COLUMNS) < set(first.column_names)
