"""Cells of JSON records: the same meaning in bulk and one by one."""

from __future__ import annotations

import json
import math
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.positions import parse_numbers, parse_one_column
from core.read.json_cells import (
    as_json_text,
    bulk_table,
    cells_table,
    dig,
    flatten,
    kinds_of,
    paired_columns,
    without_lists,
)

NUMBERS = st.one_of(
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=True, allow_infinity=True),
    st.floats(-200, 200).map(lambda number: round(number, 3)),
)


@pytest.mark.parametrize(
    ("name", "found"), [("a", {"b": 1}), ("a.b", 1), ("c.d", 2), ("a.x", None), ("a.b.c", None), ("e.f", 4)]
)
def test_dig_takes_a_name_as_it_stands_before_its_dots(name: str, found: object) -> None:
    record = {"a": {"b": 1}, "c.d": 2, "c": {"d": 3}, "e.f": None, "e": {"f": 4}}
    assert dig(record, name) == found


def test_nested_fields_are_named_with_dots() -> None:
    assert flatten({"a": {"b": {"c": 1}}, "d": [1]}) == {"a.b.c": 1, "d": [1]}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["x", None], "text"),
        ([1], "int"),
        ([1, 1.5], "float"),
        ([1.5, 1], "float"),
        ([[1, 2.5]], "floats"),
        ([["1", "2"]], "texts"),
        ([True], "other"),
        ([{"a": 1}], "other"),
        ([[[1]]], "other"),
    ],
)
def test_the_kind_of_a_column(values: list[Any], kind: str) -> None:
    column = "b" if isinstance(values[0], dict) else "a"
    assert kinds_of([{column: value} for value in values], [column]) == {column: kind}


def test_pairs_are_lists_of_two_wherever_there_is_anything() -> None:
    records = [{"a": [1.5, 2], "b": [1], "c": 1, "d": ["1", "2"]}, {"a": None, "b": [1, 2], "c": [1, 2]}]
    assert paired_columns(records, ["a", "b", "c", "d", "e"]) == {"a", "d"}


def test_the_most_frequent_kind_is_expected_and_a_float_where_any_number_is_one() -> None:
    values = [1, "x", 2, 2.5, None, "y", 3]
    assert kinds_of([{"a": value} for value in values], ["a"]) == {"a": "float"}


def test_lists_become_text_where_each_cell_has_its_own_type() -> None:
    records = [{"a": [72.5, 21]}, {"a": None}, {"a": [1, 2]}]
    bulk = bulk_table("\n".join(map(json.dumps, records)).encode(), ["a"], {"a": "floats"})
    assert bulk is not None
    alone = cells_table(records, ["a"], {"a"})
    as_text = cells_table(records, ["a"])
    for table in (bulk, alone, as_text):
        column = table.column("a").combine_chunks()
        text = without_lists(column, table.schema.field("a"))
        assert text.to_pylist() == ["[72.5, 21]", None, "[1, 2]"]
    plain = pa.array([[1.5]])
    assert without_lists(plain, pa.field("a", plain.type)) is plain


def test_a_column_without_a_value_has_no_kind() -> None:
    assert kinds_of([{"a": None}, {}], ["a"]) == {}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        ("x", "x"),
        (1234, "1234"),
        (1234.0, "1234"),
        (1.50, "1.5"),
        (100.0, "100"),
        (2**70, str(2**70)),
        (True, "true"),
        ([72.5, 21], "[72.5, 21]"),
        (["72.5", "21"], "[72.5, 21]"),
        (["a", 1], '["a", 1]'),
        ([72.0, 21, 1.5], "[72, 21, 1.5]"),
        ({"a": 1}, '{"a": 1}'),
        ("\ud800x", "\ufffdx"),
        ("\U0001f68c", "\U0001f68c"),
    ],
)
def test_the_text_of_a_cell(value: object, text: str | None) -> None:
    assert as_json_text(value) == text


@pytest.mark.parametrize(
    ("records", "kinds"),
    [
        ('{"a": "x"}', {"a": "int"}),
        ('{"a": 1}', {"a": "text"}),
        ('{"a": 1.5}', {"a": "int"}),
        ('{"a": 99999999999}', {"a": "float"}),
        ('{"a": 99999999999999999999}', {"a": "int"}),
        ('{"a": "x"}', {"a": "other"}),
        ('{"a": "x"} [1]', {"a": "text"}),
        ('{"a": "x"', {"a": "text"}),
        ('{"a": "x", "a": "y"}', {"a": "text"}),
        ('{"a": "\\ud800"}', {"a": "text"}),
        ('{"a": "x\ny"}', {"a": "text"}),
        ('{"a": [1, null]}', {"a": "floats"}),
        ('{"a": [1, 99999999999]}', {"a": "floats"}),
    ],
)
def test_bulk_reading_declines_what_it_cannot_read_exactly(records: str, kinds: dict[str, str]) -> None:
    assert bulk_table(records.encode(), ["a"], kinds) is None


def test_two_names_of_which_one_lies_in_the_other_are_not_read_in_bulk() -> None:
    assert bulk_table(b'{"a": "x"}', ["a", "a.b"], {}) is None


def test_a_name_as_it_stands_goes_before_its_dots_in_bulk_too() -> None:
    records = [{"a.b": "x", "a": {"b": "y"}}, {"a": {"b": "z"}}, {"a": None}, {"a.b": None, "a": {"b": "w"}}]
    text = "\n".join(map(json.dumps, records)).encode()
    table = bulk_table(text, ["a.b"], {"a.b": "text"})
    assert table is not None
    assert table.column("a.b").to_pylist() == ["x", "z", None, "w"]
    assert cells_table(records, ["a.b"]).column("a.b").to_pylist() == ["x", "z", None, "w"]


@given(st.lists(NUMBERS, min_size=1))
def test_numbers_mean_the_same_in_bulk_one_by_one_and_as_text(numbers: list[float]) -> None:
    records = [{"a": number} for number in numbers]
    text = "\n".join(map(json.dumps, records)).encode()
    columns = [cells_table([record], ["a"]).column("a") for record in records]
    alone_texts = [column.cast(pa.string())[0].as_py() for column in columns]
    alone_numbers = [parse_numbers(column.combine_chunks())[0][0] for column in columns]
    mixed = cells_table([*records, {"a": "no number"}], ["a"]).column("a").combine_chunks()
    assert mixed.to_pylist()[:-1] == [as_json_text(number) for number in numbers] == alone_texts
    _same_numbers(parse_numbers(mixed)[0].tolist()[:-1], alone_numbers)
    for kinds in ({"a": "int"}, {"a": "float"}):
        table = bulk_table(text, ["a"], kinds)
        if table is not None:
            column = table.column("a").combine_chunks()
            assert column.cast(pa.string()).to_pylist() == alone_texts
            _same_numbers(parse_numbers(column)[0].tolist(), alone_numbers)


def _same_numbers(left: list[float], right: list[float]) -> None:
    for one, other in zip(left, right, strict=True):
        assert one == other or (math.isnan(one) and math.isnan(other))


@given(st.lists(st.lists(st.floats(-180, 180) | st.integers(-180, 180), min_size=1, max_size=3), min_size=1))
def test_positions_mean_the_same_in_bulk_one_by_one_and_as_text(pairs: list[list[float]]) -> None:
    records = [{"a": pair} for pair in pairs]
    bulk = bulk_table("\n".join(map(json.dumps, records)).encode(), ["a"], {"a": "floats"})
    assert bulk is not None
    tables = [
        bulk,
        cells_table(records, ["a"], {"a"}),
        cells_table(records, ["a"]),
        cells_table([*records, {"a": "x"}], ["a"]).slice(0, len(records)),
        cells_table([{"a": list(map(str, pair))} for pair in pairs], ["a"]),
    ]
    found = [parse_one_column(table.column("a").combine_chunks(), "lon,lat") for table in tables]
    for other in found[1:]:
        _same_numbers(other.latitude.tolist(), found[0].latitude.tolist())
        _same_numbers(other.longitude.tolist(), found[0].longitude.tolist())
