"""Times at fixed places: fields, calendar, offsets, and what is not read."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.fixed_times import read_fixed, read_whole_epochs
from tests.records import instant
from tests.time_texts import read_one, time_texts

MOMENT = instant("2022-01-01T10:10:35+05:30")


@given(st.lists(time_texts(), max_size=12), st.sampled_from(("", "dmy", "mdy")))
def test_what_is_read_is_what_one_text_alone_says(texts: list[str], order: str) -> None:
    found = read_fixed(pa.array(texts, pa.string()), order)
    for row, text in enumerate(texts):
        expected = read_one(text, order)
        if found.read[row]:
            assert (int(found.ms[row]), bool(found.naive[row])) == (expected.ms, expected.naive)
            assert bool(found.has_offset[row]) == (expected.minutes is not None)
            assert int(found.minutes[row]) == (expected.minutes or 0)
        else:
            told = (found.naive[row], found.has_offset[row], found.minutes[row], found.ms[row])
            assert not any(told)


@given(st.datetimes(), st.sampled_from("T "), st.sampled_from(("minutes", "seconds", "milliseconds")))
def test_every_moment_of_the_calendar_is_read(moment: dt.datetime, between: str, precision: str) -> None:
    text = moment.isoformat(between, precision)
    expected = (dt.datetime.fromisoformat(text) - dt.datetime(1970, 1, 1)) // dt.timedelta(milliseconds=1)  # noqa: DTZ001
    found = read_fixed(pa.array([text]))
    assert (found.read.all(), found.naive.all(), int(found.ms[0])) == (True, True, expected)


@pytest.mark.parametrize("digits", range(1, 10))
@pytest.mark.parametrize("suffix", ["+05:30", "+0530"])
def test_fractions_are_cut_to_milliseconds(digits: int, suffix: str) -> None:
    fraction = "987654321"[:digits]
    found = read_fixed(pa.array([f"2022-01-01T10:10:35.{fraction}{suffix}"]))
    assert found.read.all()
    assert int(found.ms[0]) == MOMENT + int(fraction[:3].ljust(3, "0"))


@pytest.mark.parametrize("year", [1900, 2000, 2023, 2024, 2100])
def test_february_ends_as_the_calendar_says(year: int) -> None:
    texts = [f"{year}-02-{day} 00:00" for day in (28, 29, 30)]
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    assert read_fixed(pa.array(texts)).read.tolist() == [True, leap, False]


@pytest.mark.parametrize(
    "text",
    [
        "0000-01-01T00:00:00Z",
        "2022-00-01T00:00:00Z",
        "2022-13-01T00:00:00Z",
        "2022-01-00T00:00:00Z",
        "2022-01-01T24:00:00Z",
        "2022-01-01T10:10:60Z",
        "2022-01-01t10:10:35z",
        "2022-01-01T10:10:35.Z",
        "2022-01-01T10:10:35.1234567890Z",
        "2022-01-01T10:10:35,5Z",
        "2022-01-01T10:10:35+05",
        "2022-01-01T10:10:35+05:60",
        "2022-01-01T10:10:35+05:3Z",
        "2022/01/01T10:10:35",
        "2022-01/01 10:10:35",
        " 2022-01-01 10:10:35",
        "01/02/2022 10:10:35",
    ],
)
def test_what_has_another_form_is_not_read(text: str) -> None:
    assert not read_fixed(pa.array([text])).read.any()


def test_an_order_is_needed_for_days_and_months_and_then_keeps() -> None:
    texts = pa.array(["31/12/2023 10:15:30", "12/31/2023 10:15:30", "01-02-2023 10:15", "01.02.2023 10:15"])
    assert not read_fixed(texts).read.any()
    assert read_fixed(texts, "dmy").read.tolist() == [True, False, True, True]
    assert read_fixed(texts, "mdy").read.tolist() == [False, True, True, True]
    assert read_fixed(texts, "dmy").ms[2] == instant("2023-02-01T10:15:00Z")
    assert read_fixed(texts, "mdy").ms[2] == instant("2023-01-02T10:15:00Z")


@given(st.integers(0, 10**15))
def test_whole_numbers_of_9_to_13_digits_are_epochs(number: int) -> None:
    found = read_whole_epochs(pa.array([str(number), "1641012035"]))
    expected = read_one(str(number)).ms
    assert found.read.tolist() == [expected is not None, True]
    assert int(found.ms[0]) == (expected or 0)
    assert not (found.naive | found.has_offset).any()


def test_nothing_is_read_of_nothing() -> None:
    assert read_fixed(pa.array([], pa.string())).read.size == 0
    assert read_fixed(pa.array([None, "2022-01-01 10:10"])).read.tolist() == [False, True]
