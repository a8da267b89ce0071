"""core.assist.example_rows: what a person sees of one row, as it stands and as it is read."""

from __future__ import annotations

import pyarrow as pa
import pytest

from core.assist.example_rows import Example, example_of
from core.clean.drop_and_clamp import clean_batch, parse_batch
from core.clean.mapping import ColumnMapping
from tests.records import SECRET, rules

OURS = ColumnMapping(vehicle="plate", time="time", latitude="lat", longitude="lon", value="speed")
GOOD = {"plate": "A", "time": "2022-01-01T10:00:00Z", "lat": "21.1", "lon": "72.8", "speed": "30"}
NOW_MS = 1_700_000_000_000


def shown(zone: str = "", **cells: str) -> Example:
    row, how = GOOD | cells, rules(OURS, zone=None)
    parsed = parse_batch(pa.table({name: pa.array([cell], pa.string()) for name, cell in row.items()}), how)
    return example_of(row, parsed, clean_batch(parsed, how, zone or "UTC", NOW_MS), how, zone)


@pytest.mark.parametrize(
    ("lat", "lon", "place"),
    [
        ("-33.45694", "-70.64827", (-33.45694, -70.64827)),
        ("0", "0", (0.0, 0.0)),
        ("", "72.8", None),
    ],
)
def test_a_position_is_that_of_the_row(lat: str, lon: str, place: tuple[float, float] | None) -> None:
    assert shown(lat=lat, lon=lon).place == place


@pytest.mark.parametrize(
    ("time", "zone", "parsed", "local"),
    [
        ("2022-01-01T10:00:00+05:30", "", "2022-01-01 04:30:00Z", ""),
        ("2022-01-01T10:00:00", "", "2022-01-01 10:00:00", ""),
        ("2022-01-01T10:00:00", "Asia/Kolkata", "2022-01-01 04:30:00Z", "2022-01-01 10:00:00 +0530"),
        ("never", "Asia/Kolkata", "", ""),
        ("9999-12-31T23:59:59-05:00", "Asia/Kolkata", "", ""),
    ],
)
def test_a_time_is_told_in_utc_and_in_its_zone(time: str, zone: str, parsed: str, local: str) -> None:
    example = shown(zone, time=time)
    assert (example.time, example.parsed, example.local) == (time, parsed, local)


def test_a_row_that_cannot_be_used_tells_why_and_no_speed() -> None:
    example = shown(speed="-1")
    assert (example.value, example.amount, example.dropped) == ("-1", "", "value_limit")
    assert SECRET not in repr(shown(plate=SECRET))
