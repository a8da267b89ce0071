"""Ids: text however they come, folded once, merged where they fold alike."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.vehicle_ids import parse_ids, parse_joined
from core.records.id_folds import id_folds

TEXTS = ["007", "7", "7.0", "1e3", " Bus\t", "BUS", "Straße", "STRASSE", "", "  ", None]


def test_texts_are_trimmed_and_folded_and_never_numbers() -> None:
    expected = ["007", "7", "7.0", "1e3", "bus", "bus", "strasse", "strasse", None, None, None]
    assert parse_ids(pa.array(TEXTS)).to_pylist() == expected


@given(st.lists(st.sampled_from(TEXTS)))
def test_the_dictionary_holds_each_id_once_and_no_empty_one(texts: list[str | None]) -> None:
    for column in (pa.array(texts, pa.string()), pa.array(texts, pa.string()).dictionary_encode()):
        found = parse_ids(column)
        names = found.dictionary.to_pylist()
        assert len(set(names)) == len(names)
        assert all(names)
        assert found.to_pylist() == [
            text.strip().casefold() if text and text.strip() else None for text in texts
        ]


def test_a_dictionary_may_hold_nulls_and_more_than_is_used() -> None:
    values = pa.array(["A", None, "a ", "unused"])
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, None], pa.int8()), values)
    assert parse_ids(column).to_pylist() == ["a", None, "a", None]


def test_a_slice_of_a_column_is_read_from_its_own_rows() -> None:
    column = pa.array(["a", "b", "c", "d"])
    assert parse_ids(column.slice(1, 2)).to_pylist() == ["b", "c"]
    assert parse_ids(column.dictionary_encode().slice(1, 2)).to_pylist() == ["b", "c"]


@pytest.mark.parametrize("kind", [pa.int8(), pa.int64(), pa.uint16()])
def test_integers_are_their_decimal_text(kind: pa.DataType) -> None:
    assert parse_ids(pa.array([7, None, 100], kind)).to_pylist() == ["7", None, "100"]


def test_long_integers_keep_every_digit() -> None:
    numbers = [2**63 - 1, 2**63 - 2]
    assert parse_ids(pa.array(numbers)).to_pylist() == [str(number) for number in numbers]


def test_whole_floats_lose_what_a_spreadsheet_added() -> None:
    floats = pa.array([1234.0, -7.0, 12.5, float("nan"), None, 1234.0])
    assert parse_ids(floats).to_pylist() == ["1234", "-7", "12.5", None, None, "1234"]
    assert parse_ids(pa.array([1e300, 1e15])).to_pylist() == [None, "1000000000000000"]


def test_an_empty_column_has_no_ids() -> None:
    assert len(parse_ids(pa.array([], pa.string()))) == 0


def test_what_a_spreadsheet_leaves_of_a_long_number_is_no_id() -> None:
    lost = ["3.58E+14", "3,58E+14", "-1e+15", "3.58123e14", "3,5E14"]
    cells = ["1e5", "7e+", "bus 1e+10", "1.2.3e+4", "12.5e3"]
    assert parse_ids(pa.array([*lost, *cells])).to_pylist() == [*[None] * len(lost), *cells]


def test_an_id_of_several_columns_has_the_text_of_each() -> None:
    agency, number = pa.array(["A ", "a", "b", None, "NULL"]), pa.array([7, 7, 7, 7, 7])
    ids = parse_joined([agency, number]).to_pylist()
    assert ids == ["a\x1f7", "a\x1f7", "b\x1f7", None, None]
    assert [id_folds(text).further for text in ("b\x1f007.0", "\x1f7 ")] == ["b\x1f7", "7"]
    assert parse_ids(pa.array(["a\x1f7"])).to_pylist() == ["a 7"], "no text of one column holds the sign"
