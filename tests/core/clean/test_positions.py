"""Numbers and positions: every way to write them, and what is none."""

from __future__ import annotations

import math
import re

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.positions import on_earth, parse_numbers, parse_one_column, parse_two_columns, to_integers
from core.clean.text_columns import from_bytes

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
    "text", ["[72.83]", "[1, 2, 3, 4]", "72.83", "POINT EMPTY", "LINESTRING (1 2, 3 4)", "[a, b]"]
)
def test_texts_that_hold_no_position(text: str) -> None:
    parsed = parse_one_column(pa.array([text, PAIRS[0]]), "lon,lat")
    assert np.isnan(parsed.latitude).tolist() == [True, False]
    assert parsed.present.all()


def test_lists_of_two_are_positions_and_others_are_not() -> None:
    lists = pa.array([[72.83, 21.19], None, [1.0], [], [1.0] * 5, [72.83, None]])
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


_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_ONE = re.compile(_NUMBER, re.ASCII)
_PAIR = re.compile(rf"\[?\s*({_NUMBER})\s*,\s*({_NUMBER})\s*\]?", re.ASCII)
_APART = re.compile(
    rf"[(\[{{]?\s*\[?\s*({_NUMBER})(?:\s*,\s*|\s+)({_NUMBER})(?:(?:\s*,\s*|\s+){_NUMBER})?\s*\]?\s*[)\]}}]?"
    rf"|({_NUMBER})\s*[;|/]\s*({_NUMBER})",
    re.ASCII,
)
_GEO = re.compile(
    r"(?i)(?:\{.*\"coordinates\"\s*:\s*\[|point\s*\()\s*"
    rf"({_NUMBER})(?:\s*,\s*|\s+)({_NUMBER})\s*(?:\].*\}}|\))",
    re.ASCII,
)


def _one_number(text: str) -> float:
    found = float(text) if _ONE.fullmatch(text.strip()) else math.nan
    return found if math.isfinite(found) else math.nan


def _one_pair(text: str) -> tuple[float, float]:
    """Longitude and latitude of one text by itself."""
    text = text.strip()
    found = _PAIR.fullmatch(text) or _GEO.fullmatch(text) or _APART.fullmatch(text)
    numbers = [float(one) for one in found.groups() if one] if found else [math.nan] * 2
    pair = numbers[0], numbers[1]
    return pair if all(map(math.isfinite, pair)) else (math.nan, math.nan)


number_texts = (
    st.floats(-200, 200).map(repr)
    | st.sampled_from((*NUMBERS, *NO_NUMBERS, "", " ", "+-1", "--1", "1e5", "1E+2", "1e-999", "NaN", "null"))
    | st.text("0123456789.,+-eE ", max_size=8)
)
pair_texts = (
    st.tuples(
        st.sampled_from(("[", "", " [ ", "[[")),
        number_texts,
        st.sampled_from((",", ", ", " , ", " ", ";")),
        number_texts,
        st.sampled_from(("]", "", " ] ", "]]")),
    ).map("".join)
    | st.sampled_from((*PAIRS, ",", "[,]", "[, ]", "1,", ",1 ", "]", "[1e308, 1e308]", "[-1e999, 1]"))
    | st.text("[], 12.", max_size=6)
)


@given(st.lists(st.none() | number_texts, max_size=8))
def test_a_number_is_the_same_in_any_batch_as_alone(texts: list[str | None]) -> None:
    numbers, present = parse_numbers(pa.array(texts, pa.string()))
    np.testing.assert_array_equal(numbers, [_one_number(text or "") for text in texts])
    assert present.tolist() == [bool(text and text.strip()) for text in texts]


@given(st.lists(st.none() | number_texts, max_size=8))
def test_a_decimal_comma_stands_where_a_point_would(texts: list[str | None]) -> None:
    column = pa.array(texts, pa.string())
    numbers, present = parse_numbers(column, ",")
    expected = [_one_number((text or "").translate(str.maketrans(".,", "x."))) for text in texts]
    np.testing.assert_array_equal(numbers, expected)
    assert present.tolist() == [bool(text and text.strip()) for text in texts]


def test_the_decimal_mark_decides_and_no_mark_of_thousands_is_known() -> None:
    column = pa.array(["30,137", "30.137", "30", "1.234,5", "1,234.5"])
    np.testing.assert_array_equal(parse_numbers(column, ",")[0], [30.137, np.nan, 30, np.nan, np.nan])
    np.testing.assert_array_equal(parse_numbers(column)[0], [np.nan, 30.137, 30, np.nan, np.nan])
    np.testing.assert_array_equal(parse_numbers(column, ".,")[0], [30.137, 30.137, 30, np.nan, np.nan])
    lat, lon = pa.array(["21,19", "21.19"]), pa.array(["72,83", "72,83"])
    parsed = parse_two_columns(lat, lon, ",")
    np.testing.assert_array_equal(parsed.latitude, [21.19, np.nan])
    np.testing.assert_array_equal(parsed.longitude, [72.83, 72.83])


@given(st.lists(st.none() | pair_texts, max_size=8), st.integers(0, 3))
def test_a_pair_is_the_same_in_any_batch_as_alone(texts: list[str | None], first: int) -> None:
    column = pa.array(texts, pa.string()).slice(min(first, len(texts)))
    here = column.to_pylist()
    for parsed in (
        parse_one_column(column, "lon,lat"),
        parse_one_column(column.dictionary_encode(), "lon,lat"),
    ):
        expected = [_one_pair(text or "") for text in here]
        np.testing.assert_array_equal(parsed.longitude, [lon for lon, _ in expected])
        np.testing.assert_array_equal(parsed.latitude, [lat for _, lat in expected])
        assert parsed.present.tolist() == [bool(text and text.strip()) for text in here]


@pytest.mark.parametrize("text", ["NaN", "nan", "null", "NULL", "None", "N/A", "-"])
def test_words_for_nothing_are_unreadable_and_not_empty(text: str) -> None:
    numbers, present = parse_numbers(pa.array([text, "1"]))
    np.testing.assert_array_equal(numbers, [np.nan, 1])
    assert present.all()


@pytest.mark.parametrize("kind", [pa.large_string(), pa.dictionary(pa.int16(), pa.string())])
def test_numbers_in_every_kind_of_text(kind: pa.DataType) -> None:
    numbers, present = parse_numbers(pa.array(["1.5", None, "x"]).cast(kind))
    np.testing.assert_array_equal(numbers, [1.5, np.nan, np.nan])
    assert present.tolist() == [True, False, True]


def test_numbers_of_a_dictionary_are_numbers() -> None:
    numbers, present = parse_numbers(pa.array([1.5, None, float("inf")]).dictionary_encode())
    np.testing.assert_array_equal(numbers, [1.5, np.nan, np.nan])
    assert present.tolist() == [True, False, True]


def test_commas_that_are_as_many_as_cells_may_still_lie_in_few_of_them() -> None:
    texts = ["[1, 2, 3]", "[72.83]", "[72.83, 21.19]", "1", "2,3,4", "[5, 6]"]
    parsed = parse_one_column(pa.array(texts), "lon,lat")
    np.testing.assert_array_equal(parsed.longitude, [1, np.nan, 72.83, np.nan, 2, 5])
    np.testing.assert_array_equal(parsed.latitude, [2, np.nan, 21.19, np.nan, 3, 6])
    hidden = from_bytes(
        np.array([0, 3, 6], np.int32), np.frombuffer(b"1,23,4", np.uint8), np.array([2], np.uint8)
    )
    np.testing.assert_array_equal(parse_one_column(hidden, "lon,lat").longitude, [np.nan, 3])
