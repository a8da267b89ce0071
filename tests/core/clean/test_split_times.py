"""Times in two columns are read as the same times in one."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest

from core.clean.split_times import joined_times
from core.clean.time_formats import TIME_FORMATS
from core.clean.times import parse_times
from core.read.file_format import DATE_ORDERS, FileFormat

DAY, CLOCK = dt.date(2026, 10, 5), dt.time(6, 12, 7)
READ = "2026-10-05 06:12:07"
IN_TWO = [
    (example, one.date_order)
    for one in TIME_FORMATS
    for example, _ in one.examples
    if " " in example
    and one.name in ("ISO 8601", "ISO 8601, basic", "year first", "day first", "month first")
]


def text(*cells: str | None) -> pa.Array:
    return pa.array(cells, pa.string())


def test_both_cells_are_joined_by_a_space() -> None:
    joined = joined_times(text("05/10/2026", " 2026-10-05"), text("06:12:07", "6:12 PM +05:30 "))
    assert joined.to_pylist() == ["05/10/2026 06:12:07", "2026-10-05 6:12 PM +05:30"]


@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        ("seconds_since_midnight", True),
        ("SecsPastMidnight", True),
        ("sec_of_day", True),
        ("midnight_offset_seconds", True),
        ("spm", True),
        ("clock", False),
        ("second", False),
        ("spm_flag", False),
    ],
)
def test_digits_behind_a_date_of_digits_are_seconds_where_their_name_says_so(
    name: str, seconds: bool
) -> None:
    """80000 is 22:13:20 or 08:00:00: no row decides it, its column's name does."""
    joined = joined_times(text("20250304", "20250304", "20250304"), text("80000", "93600.5", "200000"), name)
    read = ["20250304 22:13:20.000", "20250304 26:00:00.500", "20250304 200000"]
    assert joined.to_pylist() == (
        read if seconds else ["20250304 80000", "20250304 93600.5", "20250304 200000"]
    )
    assert parse_times(joined).present.tolist()[:2] == [True, True]


@pytest.mark.parametrize(("date", "time"), [(None, "06:12"), ("", "06:12"), ("05/10/2026", None), (" ", " ")])
def test_without_one_of_the_two_there_is_no_time(date: str | None, time: str | None) -> None:
    times = parse_times(joined_times(text(date), text(time)))
    assert not times.present.any()


def test_what_is_no_date_or_no_clock_is_there_and_unreadable() -> None:
    times = parse_times(joined_times(text("today", "2026-10-05"), text("06:12", "noon")))
    assert times.present.all()
    assert not times.naive.any()


@pytest.mark.parametrize(("example", "order"), IN_TWO)
def test_the_formats_of_one_column_are_those_of_two(example: str, order: str) -> None:
    date, time = example.split(" ", 1)
    for named in DATE_ORDERS:
        written = FileFormat(date_order=named)
        one, two = (
            parse_times(text(example), written),
            parse_times(joined_times(text(date), text(time)), written),
        )
        assert one.instants.tolist() == two.instants.tolist()
        assert (one.naive.tolist(), one.offsets) == (two.naive.tolist(), two.offsets)
    assert (parse_times(text(example), FileFormat(date_order=order or "dmy")).instants > 0).all()


@pytest.mark.parametrize(
    "ending",
    [
        *(" 00:00", " 00:00:00", "T00:00:00", " 00:00:00.000", " 00:00:00,0"),
        *(" 12:00:00 AM", " 12:00:00 a. m.", " 12:00:00\u00a0a.\u00a0m.", " 12:00:00 a.m."),
        *(", 00:00", ", 00:00:00", ", 12:00:00\u202fAM", ", 12:00:00 a. m."),
    ],
)
def test_a_midnight_behind_the_date_tells_nothing(ending: str) -> None:
    assert joined_times(text(f"05/10/2026{ending}"), text("06:12")).to_pylist() == ["05/10/2026 06:12"]


@pytest.mark.parametrize(
    "date",
    [
        pa.array([DAY], pa.date32()),
        pa.array([DAY], pa.date64()),
        pa.array([dt.datetime.combine(DAY, dt.time())], pa.timestamp("us")),
        pa.array(["2026-10-05"]).dictionary_encode(),
        pa.array(["2026-10-05"], pa.large_string()),
    ],
)
@pytest.mark.parametrize(
    "time",
    [
        pa.array([CLOCK], pa.time32("s")),
        pa.array([CLOCK], pa.time32("ms")),
        pa.array([CLOCK], pa.time64("us")),
        pa.array([CLOCK], pa.time64("ns")),
        pa.array(["06:12:07"]),
    ],
)
def test_dates_and_clocks_of_a_type_are_read(date: pa.Array, time: pa.Array) -> None:
    times = parse_times(joined_times(date, time))
    assert times.instants.tolist() == [np.datetime64(READ, "ms").astype(np.int64)]
    assert times.naive.all()


def test_numbers_are_the_digits_that_they_show() -> None:
    joined = joined_times(pa.array([20261005], pa.int64()), text("061207"))
    assert parse_times(joined).instants.tolist() == [np.datetime64(READ, "ms").astype(np.int64)]


def test_a_date_of_digits_alone_may_stand_before_either_kind_of_clock() -> None:
    joined = joined_times(text(*["20261005"] * 3), text("06:12:07", "061207", "6:12:07"))
    assert set(parse_times(joined).instants.tolist()) == {np.datetime64(READ, "ms").astype(np.int64)}


@pytest.mark.parametrize(
    "clock", ["06:12:07 p. m.", "06:12:07\u00a0p.\u00a0m.", "6:12:07\u202fp.m.", "6:12:07 p.m"]
)
def test_halves_of_the_day_in_spanish_are_read_beside_a_date(clock: str) -> None:
    found = parse_times(joined_times(text("05/10/2026"), text(clock)), FileFormat(date_order="dmy"))
    assert found.instants.tolist() == [np.datetime64("2026-10-05 18:12:07", "ms").astype(np.int64)]


def test_a_noon_behind_the_date_is_no_midnight() -> None:
    assert joined_times(text("05/10/2026 12:00:00 p. m."), text("06:12")).to_pylist() == [
        "05/10/2026 12:00:00 p. m. 06:12"
    ]


def test_slices_of_a_column_keep_their_rows() -> None:
    dates, times = text("x", "2026-10-05", "2026-10-06"), text("y", "06:12", "07:12")
    assert joined_times(dates[1:], times[1:]).to_pylist() == ["2026-10-05 06:12", "2026-10-06 07:12"]


def test_no_rows_and_rows_without_times_are_text_too() -> None:
    for cells in ((), (None,), ("",)):
        joined = joined_times(text(*cells), text(*cells))
        assert joined.type == pa.string()
        assert joined.null_count == len(joined) == len(cells)


def test_seconds_since_midnight_are_a_time_of_day_and_days_of_service_go_on() -> None:
    dates = text("2026-10-05", "05OCT2026:00:00:00", "05/10/2026", "2026-10-05", "2026-10-05")
    found = parse_times(
        joined_times(dates, text("28800", "28800.5", "90000", "24:33:00", "200000")),
        FileFormat(date_order="dmy"),
    )
    read = ["2026-10-05 08:00:00", "2026-10-05 08:00:00.5", "2026-10-06 01:00:00", "2026-10-06 00:33:00"]
    assert found.instants[:-1].tolist() == [np.datetime64(one, "ms").astype(np.int64) for one in read]
    assert (found.naive.tolist(), found.present.all()) == ([True] * 4 + [False], True)


def test_digits_that_may_be_a_clock_are_no_seconds() -> None:
    joined = joined_times(text("20261005", "2026-10-05"), text("0612", "061207"))
    assert joined.to_pylist() == ["20261005 0612", "2026-10-05 061207"]
    assert (parse_times(joined).instants > 0).tolist() == [True, False]
