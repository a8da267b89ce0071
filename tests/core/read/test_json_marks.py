"""Boundaries by a few bytes: every record of a plain text, and nothing that a parser would not see."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.read.json_cells import bulk_table
from core.read.json_marks import behind_objects, commas_between, lines_are_whole, mark, only_objects, unmark


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(bytearray(text.encode()), np.uint8)


def _commas(data: np.ndarray) -> np.ndarray:
    return commas_between(data, behind_objects(data))


def _only_objects(text: bytes) -> bool:
    data = np.frombuffer(text, np.uint8)
    return only_objects(data, behind_objects(data))


@pytest.mark.parametrize("between", [",", ", ", ",\n", " ,\r\n\t", "\n,\n" + " " * 60])
@pytest.mark.parametrize("lead", ["", " ", "\n  "])
def test_commas_are_found_whatever_blanks_stand_around_them(between: str, lead: str) -> None:
    records = ['{"a":{"b":1}}', '{"a":{},"b":[1,{"c":2}]}', "{}"]
    text = lead + between.join(records) + lead
    found = _commas(_bytes(text))
    assert found.size == len(records) - 1
    assert {text[place] for place in found.tolist()} == {","}
    assert [text[: found[0]].strip(), text[found[1] + 1 :].strip()] == [records[0], records[2]]


@pytest.mark.parametrize("text", ["", "{", ",{", "},", "}{", '{"a":1,"b":{"c":[1,2]}}', "},[{", "  ,  {"])
def test_nothing_else_is_taken_for_a_boundary(text: str) -> None:
    assert _commas(_bytes(text)).size == 0


@given(st.text('},{[]" \n', max_size=40))
def test_marks_are_undone(text: str) -> None:
    data = _bytes(text)
    commas = _commas(data)
    mark(data, commas)
    assert (data != _bytes(text)).sum() == commas.size
    unmark(data, commas)
    assert data.tobytes() == text.encode()


@pytest.mark.parametrize("text", ['{"a":"x},{y"}', '{"a":"x","b":[{"c":1},{"c":2}]}', '{"b":"}, {","a":"x"}'])
def test_a_mark_that_is_no_boundary_is_seen_by_the_parser(text: str) -> None:
    data = bytearray(text.encode())
    commas = _commas(np.frombuffer(data, np.uint8))
    assert commas.size == 1
    assert bulk_table(data, ["a"], {"a": "text"}) is not None
    mark(np.frombuffer(data, np.uint8), commas)
    assert bulk_table(data, ["a"], {"a": "text"}) is None


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ('{"a":1}\n{"a":2}\r\n\n \n{"a":3}', True),
        ('{"a":1}\n', True),
        ('{"a":1}{"a":2}\n{"a":3}', True),
        ('\n{"a":1}', True),
        ('{"a":\n1}', False),
        ('{"a":{}\n,"b":2}', False),
        ('{"a":1}\n[1]\n', False),
        ('{"a":1}' + "\n" * 100 + "{}", False),
    ],
)
def test_lines_of_whole_records(text: str, whole: bool) -> None:
    assert lines_are_whole(_bytes(text)) is whole


@pytest.mark.parametrize(
    "text",
    ["null", " null", '{"a":1} null', '{"a":1}null{"a":2}', '{"a":{}}' + "\n" * 99 + "null", "", "[1]"],
)
def test_a_null_in_place_of_a_record_is_seen_before_arrow_meets_it(text: str) -> None:
    assert not _only_objects(text.encode())


def test_nulls_within_records_are_none_of_these() -> None:
    assert _only_objects(b' {"a":null,"b":{"c":null}}\n{"a":[null,{}],"b":"null"}')
