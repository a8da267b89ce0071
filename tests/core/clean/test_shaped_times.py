"""Times of any form, cell by cell: fields, calendar, offsets, and what is not read."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.clean.read_times import MISSING
from core.clean.shaped_times import read_shaped
from tests.records import SECRET, instant
from tests.time_texts import read_one, time_texts

MOMENT = instant("2022-01-01T10:10:35+05:30")


def is_read(*texts: str, order: str = "") -> list[bool]:
    return (read_shaped(pa.array(texts), order).ms != MISSING).tolist()


@given(st.lists(time_texts().map(str.strip), max_size=12), st.sampled_from(("", "dmy", "mdy")))
@example(["20137504900000000", "20130704080000000"], "")
def test_what_is_read_is_what_one_text_alone_says(texts: list[str], order: str) -> None:
    found = read_shaped(pa.array(texts, pa.string()), order)
    for row, text in enumerate(texts):
        expected = read_one(text, order)
        assert int(found.ms[row]) == (int(MISSING) if expected.ms is None else expected.ms)
        assert bool(found.naive[row]) == bool(expected.naive)
        assert bool(found.has_offset[row]) == (expected.minutes is not None)
        assert int(found.minutes[row]) == (expected.minutes or 0)


@given(st.datetimes(), st.sampled_from("T "), st.sampled_from(("minutes", "seconds", "milliseconds")))
def test_every_moment_of_the_calendar_is_read(moment: dt.datetime, between: str, precision: str) -> None:
    text = moment.isoformat(between, precision)
    expected = (dt.datetime.fromisoformat(text) - dt.datetime(1970, 1, 1)) // dt.timedelta(milliseconds=1)  # noqa: DTZ001
    found = read_shaped(pa.array([text]))
    assert (found.naive.all(), int(found.ms[0])) == (True, expected)


@pytest.mark.parametrize("digits", range(1, 10))
@pytest.mark.parametrize("suffix", ["+05:30", "+0530", " +05:30"])
@pytest.mark.parametrize("mark", [".", ","])
def test_fractions_are_cut_to_milliseconds(digits: int, suffix: str, mark: str) -> None:
    fraction = "987654321"[:digits]
    found = read_shaped(pa.array([f"2022-01-01T10:10:35{mark}{fraction}{suffix}"]))
    assert int(found.ms[0]) == MOMENT + int(fraction[:3].ljust(3, "0"))


@pytest.mark.parametrize("year", [1900, 2000, 2023, 2024, 2100])
def test_february_ends_as_the_calendar_says(year: int) -> None:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    for text in ("{year}-02-{day} 00:00", "{day} Feb {year} 00:00", "{year}02{day}T0000"):
        texts = [text.format(year=year, day=day) for day in (28, 29, 30)]
        assert is_read(*texts) == [True, leap, False]


@pytest.mark.parametrize(
    "text",
    [
        "0000-01-01T00:00:00Z",
        "2022-00-01T00:00:00Z",
        "2022-13-01T00:00:00Z",
        "2022-01-00T00:00:00Z",
        "2022-01-32T00:00:00Z",
        "2022-01-01T24:00:00Z",
        "2022-01-01T10:60:00Z",
        "2022-01-01T10:10:60Z",
        "2022-01-01T10:10:35+24:00",
        "2022-01-01T10:10:35+05:60",
        "2022-01-01 13:10 PM",
        "2022-01-01 0:10 AM",
        "20220132T000000Z",
        "31 Feb 2022 10:10",
        "Tue, 03 Jan 2022 10:10:35 +0000",
        "9999999999999999999",
        " 2022-01-01 10:10:35",
        "01/02/2022 10:10:35",
    ],
)
def test_what_the_calendar_or_the_clock_does_not_have_is_not_read(text: str) -> None:
    assert is_read(text) == [False]


def test_an_order_is_needed_for_days_and_months_and_then_keeps() -> None:
    texts = ("31/12/2023 10:15:30", "12/31/2023 10:15:30", "01-02-2023 10:15", "01.02.2023 10:15")
    assert is_read(*texts) == [False] * 4
    assert is_read(*texts, order="dmy") == [True, False, True, True]
    assert is_read(*texts, order="mdy") == [False, True, True, True]
    column = pa.array(texts)
    assert read_shaped(column, "dmy").ms[2] == instant("2023-02-01T10:15:00Z")
    assert read_shaped(column, "mdy").ms[2] == instant("2023-01-02T10:15:00Z")


@pytest.mark.parametrize("zone", ["Z", " Z", "UTC", " GMT", "+00", " -0000", "+00:00"])
def test_an_offset_of_nought_is_an_offset(zone: str) -> None:
    for clock in (
        "2022-01-01 10:10:35",
        "20220101T101035",
        "Sat, 01 Jan 2022 10:10:35",
        "1 Jan 2022 10:10:35",
    ):
        found = read_shaped(pa.array([clock + zone]))
        assert (found.has_offset.tolist(), found.minutes.tolist()) == ([True], [0])
        assert found.ms.tolist() == [instant("2022-01-01T10:10:35Z")]


@pytest.mark.parametrize(
    ("clock", "letter", "hour"),
    [("12:03:12", "a", 0), ("5:03:12", "a", 5), ("12:03:12", "p", 12), ("05:03:12", "p", 17)],
)
def test_halves_of_the_day_are_read_as_they_are_written_in_spanish(
    clock: str, letter: str, hour: int
) -> None:
    halves = [f"{letter}{end}" for end in ("m", ".m.", ".m", ". m.", ".\u00a0m.", ".\u202fm.")]
    halves += [half.upper() for half in halves]
    texts = [f"26/11/2026 {clock}{blank}{half}" for blank in ("", " ", "\u00a0", "\u202f") for half in halves]
    found = read_shaped(pa.array(texts), "dmy")
    assert set(found.ms.tolist()) == {instant(f"2026-11-26T{hour:02d}:03:12Z")}
    assert found.naive.all()
    assert all(is_read(*(text.replace("26/11", "11/26") for text in texts), order="mdy"))


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("26/11/2026, 5:03:12 p.m.", "dmy"),
        ("26/11/2026, 5:03:12 p. m.", "dmy"),
        ("26/11/2026, 5:03:12\u202fp.\u00a0m.", "dmy"),
        ("26/11/2026, 05:03:12 PM", "dmy"),
        ("26/11/2026,  17:03:12", "dmy"),
        ("26-11-2026, 17:03:12", "dmy"),
        ("26.11.2026, 17:03:12", "dmy"),
        ("11/26/2026, 5:03:12 PM", "mdy"),
        ("11/26/2026, 5:03:12\u202fPM", "mdy"),
        ("2026-11-26, 17:03:12", ""),
        ("2026-11-26, 5:03:12 p.m.", ""),
        ("2026/11/26, 17:03:12", ""),
    ],
)
def test_a_comma_between_date_and_time_of_day_is_read_over(text: str, order: str) -> None:
    found = read_shaped(pa.array([text, text.replace(",", "")]), order)
    assert found.ms.tolist() == [instant("2026-11-26T17:03:12Z")] * 2
    assert found.naive.all()
    assert is_read(text) == [not order]


def test_a_comma_stands_beside_offsets_and_fractions() -> None:
    found = read_shaped(pa.array(["26/11/2026, 17:03:12,678 -06:00"]), "dmy")
    assert found.ms.tolist() == [instant("2026-11-26T17:03:12.678-06:00")]
    assert found.minutes.tolist() == [-360]


@pytest.mark.parametrize(
    "text",
    [
        *("26/11/2026,17:03:12", "26/11/2026 ,17:03:12", "26/11/2026,, 17:03:12", "26/11/2026; 17:03:12"),
        *(
            "2026-11-26,T17:03:12",
            "2026-11-26T, 17:03:12",
            "20261126, 170312",
            "26/11/2026,",
            "32/11/2026, 17:03",
        ),
    ],
)
def test_a_comma_that_stands_otherwise_is_not_read(text: str) -> None:
    assert is_read(text, order="dmy") == [False]


def test_a_comma_leaves_the_order_of_day_and_month_as_open_as_a_blank() -> None:
    texts = ("03/04/2026, 17:03:12", "03/04/2026, 5:03:12 p.m.")
    assert is_read(*texts) == [False, False]
    assert set(read_shaped(pa.array(texts), "dmy").ms.tolist()) == {instant("2026-04-03T17:03:12Z")}
    assert set(read_shaped(pa.array(texts), "mdy").ms.tolist()) == {instant("2026-03-04T17:03:12Z")}


def test_an_offset_behind_a_wide_blank_is_where_it_stands() -> None:
    found = read_shaped(pa.array(["2026-11-26 05:03:12\u202fp.\u00a0m. -06:00"]))
    assert found.ms.tolist() == [instant("2026-11-26T17:03:12-06:00")]
    assert found.minutes.tolist() == [-360]


@pytest.mark.parametrize(
    "half", [" p", " p.", " p . m.", " m.", " p. n.", " p.. m.", " p. m..", " a. m. p. m."]
)
def test_what_is_no_half_of_a_day_is_not_read(half: str) -> None:
    assert is_read(f"26/11/2026 05:03:12{half}", order="dmy") == [False]


def test_an_hour_that_no_half_of_a_day_has_is_not_read() -> None:
    assert is_read("26/11/2026 0:03 a. m.", "26/11/2026 13:03 p. m.", order="dmy") == [False, False]


@pytest.mark.parametrize("name", ["September", "SEPTEMBER", "sep", "Sept"])
def test_months_are_known_by_whole_and_short_names_of_any_case(name: str) -> None:
    found = read_shaped(pa.array([f"30 {name} 2022 10:10", f"{name} 30, 2022 10:10"]))
    assert found.ms.tolist() == [instant("2022-09-30T10:10:00Z")] * 2


@given(st.integers(0, 10**19))
def test_whole_numbers_of_some_widths_are_epochs(number: int) -> None:
    found = read_shaped(pa.array([str(number), "1641012035"]))
    expected = read_one(str(number))
    assert found.ms.tolist() == [int(MISSING) if expected.ms is None else expected.ms, 1_641_012_035_000]
    assert (found.naive.tolist(), found.has_offset.any()) == (
        [bool(expected.naive), False],
        False,
    )


def test_nothing_is_read_of_nothing() -> None:
    assert read_shaped(pa.array([], pa.string())).ms.size == 0
    found = read_shaped(pa.array([None, "2022-01-01 10:10", None]))
    assert (found.ms != MISSING).tolist() == [False, True, False]
    assert (read_shaped(pa.array([None], pa.string())).ms == MISSING).all()


def test_more_shapes_than_16_bits_count_are_each_read() -> None:
    texts = [f"x{'y' * (row % 300)}{chr(0x4E00 + row // 300)}" for row in range(40_000)]
    found = read_shaped(pa.array([*texts, "2022-01-01 10:10:35Z"]))
    assert (found.ms != MISSING).nonzero()[0].tolist() == [40_000]


def test_what_is_read_does_not_show_itself() -> None:
    found = read_shaped(pa.array([f"2022-01-01 10:10:35Z{SECRET}"]))
    assert "2022" not in repr(found)
    assert SECRET not in repr(found)
