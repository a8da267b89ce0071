"""Speeds from positions: near the great circle, and a matter of each vehicle alone."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.mapping import ColumnMapping, DerivedSpeed, ReadingRules
from core.store.derived_speed import EARTH_RADIUS, HALF_TURN, SpeedDeriver, metres_between
from core.store.sort_days import DayBlock

GAP = 120
LATITUDES = st.integers(-HALF_TURN // 2, HALF_TURN // 2)
LONGITUDES = st.integers(-HALF_TURN, HALF_TURN)
Row = tuple[int, int, int, int, int]
"""(day, vehicle, time, latitude, longitude)"""


def _rules(physical_max: int = 200_000) -> ReadingRules:
    mapping = ColumnMapping(
        vehicle="id",
        time="t",
        latitude="y",
        longitude="x",
        derived=DerivedSpeed(max_gap_seconds=GAP),
        physical_max=physical_max,
    )
    return ReadingRules(mapping=mapping, zone="UTC", upper_bound=65_000)


def _haversine(south: int, west: int, north: int, east: int) -> float:
    lat, lon, lat2, lon2 = (math.radians(value / 1e7) for value in (south, west, north, east))
    half = math.sin((lat2 - lat) / 2) ** 2
    half += math.cos(lat) * math.cos(lat2) * math.sin((lon2 - lon) / 2) ** 2
    return 2 * EARTH_RADIUS * math.asin(math.sqrt(min(half, 1.0)))


def _metres(*place: int) -> float:
    return float(metres_between(*(np.array([value], np.int64) for value in place))[0])


@given(
    latitude=st.integers(-850_000_000, 850_000_000),
    longitude=LONGITUDES,
    north=st.integers(-600_000, 600_000),
    east=st.integers(-600_000, 600_000),
)
def test_short_distances_are_those_of_the_great_circle(
    latitude: int, longitude: int, north: int, east: int
) -> None:
    other = (longitude + east + HALF_TURN) % (2 * HALF_TURN) - HALF_TURN
    expected = _haversine(latitude, longitude, latitude + north, other)
    assert _metres(latitude, longitude, latitude + north, other) == pytest.approx(
        expected, rel=1e-4, abs=1e-3
    )


@given(LATITUDES, LONGITUDES, LATITUDES, LONGITUDES)
def test_distances_are_symmetric_and_within_half_the_earth(a: int, b: int, c: int, d: int) -> None:
    there = _metres(a, b, c, d)
    assert there == _metres(c, d, a, b)
    assert 0 <= there <= EARTH_RADIUS * math.pi * math.sqrt(2)


def test_known_distances() -> None:
    degree = EARTH_RADIUS * math.pi / 180
    assert _metres(0, 0, 10_000_000, 0) == pytest.approx(degree, rel=1e-14)
    assert _metres(0, 1_795_000_000, 0, -1_795_000_000) == pytest.approx(degree, rel=1e-14)
    assert _metres(600_000_000, 0, 600_000_000, 10_000_000) == pytest.approx(degree / 2, rel=1e-14)
    assert _metres(900_000_000, 0, 900_000_000, 10_000_000) == pytest.approx(0, abs=1e-6)
    assert _metres(5, 7, 5, 7) == 0


def _expected(rows: list[Row], physical_max: int) -> tuple[list[tuple[Row, int]], dict[str, int], int]:
    """Record by record in plain Python."""
    before: dict[tuple[int, int], Row] = {}
    retained, dropped, clamped = [], {"no_value": 0, "value_limit": 0}, 0
    for row in rows:
        last = before.get(row[:2])
        before[row[:2]] = row
        elapsed = 0 if last is None else row[2] - last[2]
        if last is None or not 0 < elapsed <= GAP * 1000:
            dropped["no_value"] += 1
            continue
        speed = round(_metres(row[3], row[4], last[3], last[4]) * 3.6e6 / elapsed)
        if speed > physical_max:
            dropped["value_limit"] += 1
            continue
        clamped += speed > 65_000
        retained.append((row, min(speed, 65_000)))
    return retained, dropped, clamped


ROWS = st.lists(
    st.tuples(
        st.integers(100, 103),
        st.integers(0, 3),
        st.sampled_from((-57_000, 0, 1, 3_000, 60_000, 86_300_000, 86_399_000)),
        st.integers(0, 300).map(lambda step: 211_000_000 + step * 50),
        st.integers(0, 300).map(lambda step: 728_000_000 + step * 50),
    ),
    max_size=40,
    unique_by=lambda row: row[:3],
).map(sorted)


def _derive(rows: list[Row], per_block: int, physical_max: int) -> tuple[list[tuple[Row, int]], SpeedDeriver]:
    """In blocks of so many records, which may cut a day."""
    deriver = SpeedDeriver(_rules(physical_max))
    found: list[tuple[Row, int]] = []
    for start in range(0, len(rows), per_block):
        part = np.array(rows[start : start + per_block], np.int32)
        group = np.unique(part[:, 0])
        block = deriver.derive(
            DayBlock(
                days=group,
                counts=np.array([int((part[:, 0] == day).sum()) for day in group]),
                vehicle=part[:, 1],
                time=part[:, 2],
                latitude=part[:, 3],
                longitude=part[:, 4],
                value=np.zeros(len(part), np.int32),
            )
        )
        columns = (block.vehicle, block.time, block.latitude, block.longitude)
        day = np.repeat(block.days, block.counts)
        retained = zip(day.tolist(), *(column.tolist() for column in columns), strict=True)
        found += zip(retained, block.value.tolist(), strict=True)
    return found, deriver


@given(rows=ROWS, per_block=st.integers(1, 40), physical_max=st.sampled_from((1000, 50_000, 200_000)))
def test_blocks_are_what_record_by_record_gives(rows: list[Row], per_block: int, physical_max: int) -> None:
    retained, dropped, clamped = _expected(rows, physical_max)
    found, deriver = _derive(rows, per_block, physical_max)
    assert found == retained
    assert (deriver.dropped, deriver.clamped) == (dropped, clamped)


@given(rows=ROWS, day=st.integers(100, 103), vehicle=st.integers(0, 3))
def test_the_speeds_of_a_vehicle_day_follow_from_its_own_records(
    rows: list[Row], day: int, vehicle: int
) -> None:
    together, _ = _derive(rows, 9, 200_000)
    alone, _ = _derive([row for row in rows if row[:2] == (day, vehicle)], 2, 200_000)
    assert alone == [item for item in together if item[0][:2] == (day, vehicle)]


def test_a_stray_position_costs_the_speeds_to_it_and_from_it() -> None:
    rows = [(100, 0, step * 10_000, 211_000_000 + step * 500, 728_000_000) for step in range(6)]
    rows[3] = (*rows[3][:3], 300_000_000, 728_000_000)
    found, deriver = _derive(rows, 1, 200_000)
    assert [row[2] for row, _ in found] == [10_000, 20_000, 50_000]
    assert deriver.dropped == {"no_value": 1, "value_limit": 2}
    assert {value for _, value in found} == {2_002}


def test_the_bits_are_these_on_every_machine() -> None:
    draw = random.Random(1)
    places = [[draw.randint(-HALF_TURN // 2, HALF_TURN // 2) for _ in range(50)] for _ in range(4)]
    metres = metres_between(*(np.array(column, np.int64) for column in places))
    exact = [_metres_step_by_step(*place) for place in zip(*places, strict=True)]
    assert metres.tolist() == exact


def _metres_step_by_step(latitude: int, longitude: int, latitude2: int, longitude2: int) -> float:
    """The same operations in the same order on Python's own IEEE doubles."""
    x = abs(latitude + latitude2) * (math.pi / HALF_TURN / 4)
    square = x * x
    sine = 1.0 / math.factorial(17)
    for k in range(7, -1, -1):
        sine = sine * square + (-1.0) ** k / math.factorial(2 * k + 1)
    sine *= x
    east = longitude - longitude2
    east -= 2 * HALF_TURN if east > HALF_TURN else 0
    east += 2 * HALF_TURN if east < -HALF_TURN else 0
    across = east * (1.0 - 2.0 * (sine * sine))
    along = float(latitude - latitude2)
    return math.sqrt(across * across + along * along) * (EARTH_RADIUS * (math.pi / HALF_TURN))
