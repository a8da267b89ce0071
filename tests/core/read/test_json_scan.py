"""Where records stand in a JSON text, and how it is cut."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.read.json_scan import (
    ArraySearch,
    Malformed,
    Start,
    before_closing,
    find_start,
    last_cut,
    one_by_one,
)
from tests.bounded import processor_seconds

NASTY = st.text('},{[]"\\:\n \x1eaé', max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | NASTY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NASTY, inner, max_size=3),
    max_leaves=8,
)
RECORDS = st.lists(st.dictionaries(NASTY, VALUES, max_size=3).map(lambda one: {**one, "a": "x"}), min_size=1)
LAYOUTS = st.sampled_from([{}, {"indent": 1}, {"separators": (",", ":")}, {"ensure_ascii": False}])


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("[{", Start(shape="array", offset=1)),
        (" \n[ {}]", Start(shape="array", offset=3)),
        ('{"a": 1}\n{"a": 2}\n', Start(shape="lines", offset=0)),
        ('{"a": 1}\nbroken\n', Start(shape="lines", offset=0)),
        ('{"a": 1}', Start(shape="objects", offset=0)),
        ('{\n"a": 1}\n{\n"a": 2}', Start(shape="objects", offset=0)),
        ('{"rows": [{"a": 1}]}', Start(shape="objects", offset=0)),
        ('{"a": [[{"b": 1}]]}', Start(shape="objects", offset=0)),
        ('{"stops": [{"b": 1}]}\n{"stops": [{"b": 1}]}', Start(shape="lines", offset=0)),
        ('{"stops": [\n{"b": 1}]}\n{"stops": []}', Start(shape="objects", offset=0)),
        ("3", None),
        ('"text"', None),
        ("name,speed\n", None),
    ],
)
def test_where_records_begin(text: str, start: Start | None) -> None:
    assert find_start(text.encode(), whole=True, named_lines=False) == start


@pytest.mark.parametrize(
    ("text", "arrays"),
    [
        ('{"rows": [{"a": 1}]}', [("rows", 10, 1)]),
        ('{"n": [1, 2], "s": "[{", "rows":\n[ {"a": 1}]}', [("rows", 35, 1)]),
        ('{"data": {"rows": [{"a": [{"b": 1}]}]}, "x": []}', [("data.rows", 19, 2)]),
        ('{"a": [{}, {}], "b": {"c": [1], "d": [{}]}}', [("a", 7, 1), ("b.d", 38, 2)]),
        ('{"a": [[{"b": 1}]]}', []),
    ],
)
def test_arrays_of_objects_are_found_in_pieces_of_any_size(text: str, arrays: Any) -> None:
    for size in (1, 7, 100):
        search, found, pending, place = ArraySearch(), [], b"", 0
        for begin in range(0, len(text), size):
            pending += text[begin : begin + size].encode()
            there = True
            while there:
                there, place = search.find(pending, place, last=begin + size >= len(text))
                found += [(search.found, place, search.depth)] * there
        assert found == arrays
        assert search.passed == sum(text.count("{}") or 1 for _ in arrays[:1])


@pytest.mark.parametrize("text", ['{"a": [{}}', '{"a": [{}]', '{"a": [{}]} x', "[{}]"])
def test_brackets_that_do_not_fit_are_malformed(text: str) -> None:
    def all_arrays() -> None:
        search, place = ArraySearch(), 0
        while place < len(text):
            _, place = search.find(text.encode(), place, last=True)

    with pytest.raises(Malformed):
        all_arrays()


def test_lines_by_name_may_begin_with_a_broken_one() -> None:
    head = b'{"a": 1\n{"a": 2}\n'
    assert find_start(head, whole=True, named_lines=True) == Start(shape="lines", offset=0)
    assert find_start(head, whole=True, named_lines=False) != Start(shape="lines", offset=0)


@pytest.mark.parametrize(
    ("shape", "text", "before", "after"),
    [
        ("array", '{"a": 1} ,\n {"a": 2}, {"a"', '{"a": 1} ,\n {"a": 2}', '{"a"'),
        ("objects", '{\n"a": 1}\r\n{"a": 2', '{\n"a": 1}', '{"a": 2'),
        ("lines", '{"a": 1}\n{"a": 2}\n{"a"', '{"a": 1}\n{"a": 2}\n', '{"a"'),
    ],
)
def test_the_last_cut(shape: Any, text: str, before: str, after: str) -> None:
    cut = last_cut(text.encode(), shape)
    assert cut is not None
    assert (text[: cut[0]], text[cut[1] :]) == (before, after)


@pytest.mark.parametrize(("shape", "text"), [("array", '{"a": 1},'), ("objects", "{}"), ("lines", "{}")])
def test_without_another_record_there_is_no_cut(shape: Any, text: str) -> None:
    assert last_cut(text.encode(), shape) is None


def test_a_cut_is_found_however_long_the_record_behind_it() -> None:
    text = b'{"a": 1},{"a": "' + b"x" * 100_000
    assert last_cut(text, "array") == (8, 9)


@pytest.mark.parametrize(
    ("text", "depth", "place"),
    [
        ("{}]", 0, 2),
        (" {} ] \n", 0, 4),
        ("{}]} }\n", 2, 2),
        ("{}", 0, None),
        ("{}]", 1, None),
        ("{}}", 1, None),
    ],
)
def test_what_stands_before_the_closing_bracket(text: str, depth: int, place: int | None) -> None:
    assert before_closing(text.encode(), depth) == place


@given(RECORDS, LAYOUTS, st.integers(1, 60))
def test_one_by_one_reads_any_array_in_blocks_of_any_size(
    records: list[dict[str, Any]], layout: Any, block: int
) -> None:
    text = json.dumps(records, **layout).encode()[1:]
    found: list[Any] = []
    buffer, fresh = b"", True
    for place in range(0, len(text) + block, block):
        buffer += text[place : place + block]
        step = one_by_one(buffer, "array", fresh=fresh, last=place >= len(text))
        found += step.records
        fresh, buffer = fresh and not step.records, step.rest
        if step.ended:
            break
    assert found == records
    assert step.ended


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ("array", '{"a": 1} {"a": 2}]'),
        ("array", '{"a": 1},]'),
        ("array", '{"a": 1}'),
        ("array", '{"a": '),
        ("objects", '{"a": 1} x'),
        ("lines", '{"a": 1}\n{"a": '),
    ],
)
def test_what_is_no_json_or_breaks_off_is_malformed(shape: Any, text: str) -> None:
    with pytest.raises(Malformed):
        one_by_one(text.encode(), shape, fresh=True, last=True)


def test_broken_lines_are_counted_with_their_places() -> None:
    text = '{"a": 1}\n{"a": \n\n7\n{"a": 2} {"a": 3}\nnull\n'
    found = one_by_one(text.encode(), "lines", fresh=True, last=True)
    assert found.records == [{"a": 1}, {"a": 2}, {"a": 3}]
    assert found.others == [1, 3, 5]


def test_numbers_of_thousands_of_digits_stop_nothing() -> None:
    found = one_by_one(b'{"a": ' + b"9" * 6000 + b'}, {"a": 1e999}]', "array", fresh=True, last=True)
    assert found.records == [{"a": "9" * 6000}, {"a": float("inf")}]


def test_nesting_without_end_is_malformed() -> None:
    with pytest.raises(Malformed):
        one_by_one(b'{"a": ' + b"[" * 100_000, "array", fresh=True, last=True)


def test_deep_nesting_keeps_what_is_near_the_top() -> None:
    deep = b"[" * 5000 + b'"]"' + b"]" * 5000
    text = b'{"a": "x", "b": ' + deep + b', "c": "y"}'
    for shape, whole in (("array", text + b"]"), ("lines", text), ("objects", text)):
        (record,) = one_by_one(whole, shape, fresh=True, last=True).records  # type: ignore[arg-type]
        assert (record["a"], record["c"]) == ("x", "y")


def test_what_arrow_takes_for_numbers_is_taken_here_too() -> None:
    text = b'{"a": [Inf, -Inf, -NaN], "b": "-Inf"}\n{"a": Infx}\n{"a": 1}'
    found = one_by_one(text, "lines", fresh=True, last=True)
    assert repr(found.records) == "[{'a': [inf, -inf, nan], 'b': '-Inf'}, {'a': 1}]"
    assert found.others == [1]


def test_line_ends_within_strings_are_kept() -> None:
    found = one_by_one(b'{"a": "x\ny\tz"}]', "array", fresh=True, last=True)
    assert found.records == [{"a": "x\ny\tz"}]


def test_bytes_that_are_no_utf8_are_told_and_a_cut_character_waits() -> None:
    with pytest.raises(UnicodeDecodeError):
        one_by_one(b'{"a": "\xff"}, {"b', "array", fresh=True, last=False)
    found = one_by_one(b'{"a": "x"}, {"b": "\xc3', "array", fresh=True, last=False)
    assert (found.records, found.rest) == ([{"a": "x"}], b'{"b": "\xc3')


@pytest.mark.parametrize("name", ["Inf", "-Inf", "-NaN", "Infinity", "InfInf", "Infinityinity"])
@pytest.mark.parametrize("text", ['{"a": 1%s}', "{%s: 1}", '{"a" %s}', '{"a": "\\%s"}', "%sx"])
def test_a_number_by_name_where_none_may_stand_is_malformed(text: str, name: str) -> None:
    broken = (text % name).encode()
    with processor_seconds(5):
        find_start(broken, whole=True, named_lines=False)
        assert one_by_one(broken + b"\n", "lines", fresh=True, last=False).others == [0]
        with pytest.raises(Malformed):
            one_by_one(broken + b"]", "array", fresh=True, last=True)


@pytest.mark.parametrize("name", ["Inf", "-Inf", "-NaN", "NaN"])
def test_a_number_by_name_in_place_of_a_record_costs_no_other_record(name: str) -> None:
    found = one_by_one(f'[{name}], {name}, {{"a": 1}}]'.encode(), "array", fresh=True, last=True)
    assert (found.records, found.others, found.ended) == ([{"a": 1}], [0, 0], True)


def test_no_array_is_seen_within_a_string_that_the_head_cuts() -> None:
    head = b'{"note": "for example :[{'
    assert ArraySearch().find(head, 0, last=False) == (False, 9)


MANY = 30_000


@pytest.mark.parametrize(
    "head",
    [
        b'{"a": [' + b"Inf, " * MANY + b"1]}",
        b'{"a": ' + b"Inf" * MANY + b"}",
        b"{" + b" " * MANY,
        b'{"a": [' + b" " * MANY,
        b'{"' + b'\\"' * MANY,
        b'{"' + b'\\"' * MANY + b"\\",
        b'{"a": Inf, "' + b'\\"' * MANY,
        b'{"a":' * MANY + b'"a":[1],' * MANY,
        b'{"a":' * MANY,
        b'{"a":[' * MANY,
        b'{"a": "' + b"[" * MANY + b"{" * MANY,
    ],
    ids=range(11),
)
def test_the_start_is_sought_in_time_that_grows_with_the_head(head: bytes) -> None:
    with processor_seconds(5):
        for whole in (False, True):
            found = find_start(head, whole=whole, named_lines=False)
            assert found is None or found.offset <= len(head)
            with contextlib.suppress(Malformed):
                ArraySearch().find(head, 0, last=whole)


@pytest.mark.parametrize("shape", ["array", "lines", "objects"])
@pytest.mark.parametrize("odd", [b"Inf", b"[-NaN, -Inf]"])
def test_records_are_read_in_time_that_grows_with_their_number(shape: Any, odd: bytes) -> None:
    record = b'{"value": ' + odd + b', "note": "' + b"x" * 80 + b'"}'
    between, close = (b",", b"]") if shape == "array" else (b"\n", b"")
    with processor_seconds(5):
        found = one_by_one(between.join([record] * MANY) + close, shape, fresh=True, last=True)
    assert (len(found.records), found.others) == (MANY, [])


def test_the_end_is_sought_in_time_that_grows_with_its_depth() -> None:
    for end in (b"}" * (30 * MANY), b" }" * (20 * MANY)):
        with processor_seconds(5):
            assert before_closing(b"{}]" + end, end.count(b"}")) == 2
