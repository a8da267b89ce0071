"""Where records stand in a JSON text, and how it is cut."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ingest import json_cells
from core.ingest.json_cells import bulk_table
from core.ingest.json_scan import Malformed, Start, cut, find_start, one_by_one

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
        ('{"rows": [{"a": 1}]}', Start(shape="array", offset=10, depth=1)),
        ('{"n": [1, 2], "s": "[{", "rows":\n[ {"a": 1}]}', Start(shape="array", offset=34, depth=1)),
        ('{"data": {"rows": [{"a": 1}]}}', Start(shape="array", offset=19, depth=2)),
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


def test_lines_by_name_may_begin_with_a_broken_one() -> None:
    head = b'{"a": 1\n{"a": 2}\n'
    assert find_start(head, whole=True, named_lines=True) == Start(shape="lines", offset=0)
    assert find_start(head, whole=True, named_lines=False) != Start(shape="lines", offset=0)


@given(RECORDS, LAYOUTS, st.integers(1, 400))
def test_a_cut_is_either_seen_through_or_exact(records: list[dict[str, Any]], layout: Any, size: int) -> None:
    """Whatever strings and nested objects hold: bulk reading gives the records, or nothing at all."""
    text = json.dumps(records, **layout).encode()[1:]
    pieces = cut(text[:size], "array", 0, last=size >= len(text))
    table = bulk_table(pieces[0], ["a"], {"a": "text"}) if pieces and pieces[0].strip() else None
    if pieces and table is not None:
        assert table.column("a").to_pylist() == ["x"] * table.num_rows
        rest = pieces[1] + text[size:]
        remaining = json.loads(b"[" + rest) if rest else []
        assert remaining == records[table.num_rows :]


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


@pytest.mark.parametrize("layout", [{}, {"indent": 2}, {"separators": (",\r\n", ":")}])
def test_layout_keeps_no_array_from_bulk_reading(layout: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_cells, "BULK_BLOCK", 1 << 12)
    records = [{"a": "x", "b": {"c": [number, 2]}} for number in range(500)]
    pieces = cut(json.dumps(records, **layout).encode()[1:], "array", 0, last=True)
    table = bulk_table(pieces[0], ["a"], {"a": "text"}) if pieces else None
    assert table is not None
    assert table.num_rows == len(records)
