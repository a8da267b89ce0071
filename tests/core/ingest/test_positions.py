"""Numbers and positions: every way to write them, and what is none."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ingest.positions import on_earth, parse_numbers, parse_one_column, parse_two_columns, to_integers

NUMBERS = {"1.5": 1.5, " 7 ": 7.0, "+5": 5.0, "-3.25": -3.25, ".5": 0.5, "-.5": -0.5, "5.": 5.0, "1e2": 100.0}
NO_NUMBERS = ["3,25", "1.234,5", "abc", "1 2", "nan", "inf", "-", ".", "0x10", "1e999", "12km"]


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_are_read(text: str) -> None:
    numbers, present = parse_numbers(pa.array([text]))
    assert numbers.tolist() == [NUMBERS[text]]
    assert present.all()


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_number_is_not_guessed(text: str) -> None:
    numbers, present = parse_numbers(pa.array([text]))
    assert np.isnan(numbers).all()
    assert present.all()


@given(st.floats(-1e9, 1e9))
def test_a_written_number_comes_back_exactly(value: float) -> None:
    numbers, _ = parse_numbers(pa.array([repr(value)]))
    assert numbers.tolist() == [value]


def test_absent_numbers_are_told_from_unreadable_ones() -> None:
    numbers, present = parse_numbers(pa.array(["", None, "x", "1"]))
    assert present.tolist() == [False, False, True, True]
    assert np.isnan(numbers).tolist() == [True, True, True, False]


PAIRS = [
    "[72.83, 21.19]",
    "[72.83,21.19]",
    "72.83, 21.19",
    " [ 72.83 , 21.19 ] ",
    '{"type": "Point", "coordinates": [72.83, 21.19]}',
    '{"coordinates":[72.83,21.19],"type":"Point"}',
    "POINT (72.83 21.19)",
    "point(72.83 21.19)",
]


@pytest.mark.parametrize("text", PAIRS)
def test_texts_that_hold_both_coordinates(text: str) -> None:
    parsed = parse_one_column(pa.array([text]), "lon,lat")
    assert (parsed.longitude.tolist(), parsed.latitude.tolist()) == ([72.83], [21.19])


@pytest.mark.parametrize("text", PAIRS[:4])
def test_plain_pairs_follow_the_order(text: str) -> None:
    parsed = parse_one_column(pa.array([text]), "lat,lon")
    assert (parsed.latitude.tolist(), parsed.longitude.tolist()) == ([72.83], [21.19])


@pytest.mark.parametrize("text", PAIRS[4:])
def test_standard_forms_have_an_order_of_their_own(text: str) -> None:
    parsed = parse_one_column(pa.array([text]), "lat,lon")
    assert (parsed.longitude.tolist(), parsed.latitude.tolist()) == ([72.83], [21.19])


@pytest.mark.parametrize(
    "text", ["[72.83]", "[1, 2, 3]", "72.83", "POINT EMPTY", "LINESTRING (1 2, 3 4)", "[a, b]"]
)
def test_texts_that_hold_no_position(text: str) -> None:
    parsed = parse_one_column(pa.array([text, PAIRS[0]]), "lon,lat")
    assert np.isnan(parsed.latitude).tolist() == [True, False]
    assert parsed.present.all()


def test_lists_of_two_are_positions_and_others_are_not() -> None:
    lists = pa.array([[72.83, 21.19], None, [1.0], [], [1.0, 2.0, 3.0], [72.83, None]])
    parsed = parse_one_column(lists, "lon,lat")
    assert np.isnan(parsed.latitude + parsed.longitude).tolist() == [False, True, True, True, True, True]
    assert parsed.present.tolist() == [True, False, True, True, True, True]


def test_two_columns_need_both_cells() -> None:
    parsed = parse_two_columns(pa.array(["21.19", "", "21.19"]), pa.array(["72.83", "72.83", None]))
    assert parsed.present.tolist() == [True, False, False]


def test_on_earth() -> None:
    latitude = np.array([0.0, 0.0, 90.0, 90.1, -90.0, 10.0, 99_999.0, np.nan])
    longitude = np.array([0.0, 1.0, 180.0, 0.0, -180.0, 180.1, 99_999.0, 1.0])
    assert on_earth(latitude, longitude).tolist() == [False, True, True, False, True, False, False, False]


@given(st.integers(-1_800_000_000, 1_800_000_000))
def test_seven_decimals_survive_as_integers(number: int) -> None:
    assert to_integers(np.array([float(f"{number / 1e7:.7f}")])).tolist() == [number]
