"""Times: what is read, what is not, and that a bad neighbour changes nothing."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ingest.times import MISSING, localise, parse_times
from tests.records import instant

TEXTS = {
    "2022-01-01T10:10:35+05:30": 1_641_012_035_000,
    "2022-01-01 10:10:35+05:30": 1_641_012_035_000,
    "2022-01-01 10:10:35 +0530": 1_641_012_035_000,
    "2022-01-01T04:40:35Z": 1_641_012_035_000,
    "2022-01-01T04:40:35.9Z": 1_641_012_035_900,
    "2022-01-01T04:40:35.123456789Z": 1_641_012_035_123,
    "2022-01-01T04:40Z": 1_641_012_000_000,
    "1641012035": 1_641_012_035_000,
    "1641012035.25": 1_641_012_035_250,
    "1641012035250": 1_641_012_035_250,
    "  2022-01-01T04:40:35Z ": 1_641_012_035_000,
}
UNREADABLE = [
    "yesterday",
    "2022-02-30T10:00:00Z",
    "2022-01-01T24:00:00Z",
    "2022-01-01T10:60:00Z",
    "2022-01-01T10:10:35+24:00",
    "2022-01-01",
    "10:10:35",
    "03/04/2022 10:10",
    "2022-01-01T10:10:35 Asia/Kolkata",
    "12345678901234567890",
    "-1641012035",
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_become_utc_milliseconds(text: str) -> None:
    parsed = parse_times(pa.array([text]))
    assert parsed.instants.tolist() == [TEXTS[text]]
    assert parsed.present.all()
    assert not parsed.naive.any()


@pytest.mark.parametrize("text", UNREADABLE)
def test_unreadable_texts_are_present_but_missing(text: str) -> None:
    parsed = parse_times(pa.array([text]))
    assert parsed.instants.tolist() == [int(MISSING)]
    assert parsed.present.all()
    assert parsed.offsets == frozenset()


@pytest.mark.parametrize("cell", ["", "   ", None])
def test_empty_cells_are_absent(cell: str | None) -> None:
    parsed = parse_times(pa.array([cell], pa.string()))
    assert not parsed.present.any()
    assert parsed.instants.tolist() == [int(MISSING)]


@given(st.permutations([*TEXTS, *UNREADABLE, "", "2022-01-01 10:10:35"]))
def test_a_time_reads_the_same_whatever_stands_beside_it(texts: list[str]) -> None:
    together = parse_times(pa.array(texts))
    alone = [parse_times(pa.array([text])) for text in texts]
    assert together.instants.tolist() == [int(one.instants[0]) for one in alone]
    assert together.naive.tolist() == [bool(one.naive[0]) for one in alone]


def test_numbers_are_seconds_or_milliseconds() -> None:
    numbers = pa.array([1_641_012_035, 1_641_012_035_250, None, 2**60])
    assert parse_times(numbers).instants.tolist() == [
        1_641_012_035_000,
        1_641_012_035_250,
        int(MISSING),
        int(MISSING),
    ]
    fractions = pa.array([1_641_012_035.25, float("nan"), float("inf")])
    assert parse_times(fractions).instants.tolist() == [1_641_012_035_250, int(MISSING), int(MISSING)]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_timestamps_with_a_zone_are_instants_and_without_are_naive(unit: str) -> None:
    moments = pa.array([1_641_012_035, None]).cast(pa.int64())
    factor = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    ticks = pa.array([None if m is None else m * factor for m in moments.to_pylist()], pa.int64())
    aware = parse_times(ticks.cast(pa.timestamp(unit, tz="Asia/Kolkata")))
    naive = parse_times(ticks.cast(pa.timestamp(unit)))
    assert aware.instants.tolist() == naive.instants.tolist() == [1_641_012_035_000, int(MISSING)]
    assert (aware.naive.tolist(), naive.naive.tolist()) == ([False, False], [True, False])


def test_offsets_are_told_with_their_first_and_last_instant() -> None:
    texts = ["2015-03-08T01:30:00-06:00", "2015-03-08T03:30:00-05:00", "2015-03-08T23:00:00-05:00"]
    assert parse_times(pa.array(texts)).offsets == {
        (-360, instant(texts[0])),
        (-300, instant(texts[1])),
        (-300, instant(texts[2])),
    }


@pytest.mark.parametrize("year", ["0001", "1900", "1999", "2100", "9999"])
def test_the_offset_of_an_impossible_time_tells_nothing(year: str) -> None:
    parsed = parse_times(pa.array([f"{year}-06-01T00:00:00+05:30", "2022-01-01T00:00:00+05:30"]))
    assert parsed.offsets == {(330, instant("2022-01-01T00:00:00"))}
    assert parsed.instants[0] != MISSING


def test_naive_times_are_placed_in_the_zone() -> None:
    wall = parse_times(
        pa.array(["2015-03-08 01:30", "2015-03-08 02:30", "2015-11-01 01:30", "2015-11-01 02:30"])
    )
    placed = localise(wall.instants, wall.naive, "America/Chicago")
    assert placed.tolist() == [
        instant("2015-03-08T01:30:00-06:00"),
        instant("2015-03-08T03:00:00-05:00"),
        instant("2015-11-01T01:30:00-05:00"),
        instant("2015-11-01T02:30:00-06:00"),
    ]


def test_times_with_offset_stay_where_they_are() -> None:
    parsed = parse_times(pa.array(["2022-01-01T00:00:00Z", "2022-01-01 00:00:00"]))
    placed = localise(parsed.instants, parsed.naive, "Asia/Kolkata")
    np.testing.assert_array_equal(np.diff(placed), [-330 * 60_000])
