"""Cutting by depth of brackets: every record of a valid text, whatever its strings and fields hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ingest.json_cells import bulk_table
from core.ingest.json_depth import cut_by_depth
from tests.core.ingest.test_json_scan import LAYOUTS, RECORDS


@given(RECORDS, LAYOUTS, st.integers(1, 600), st.integers(0, 2))
def test_a_cut_by_depth_is_exact(records: list[dict[str, Any]], layout: Any, size: int, depth: int) -> None:
    text = json.dumps(records, **layout).encode()[1:] + b"\n}" * depth
    last = size >= len(text)
    pieces = cut_by_depth(text[:size], depth, last=last)
    assert pieces or not last
    if pieces:
        lines = [json.loads(line) for line in pieces[0].splitlines()]
        rest = pieces[1] + text[size:]
        assert lines == records[: len(lines)]
        assert last or json.loads(b"[" + rest.rstrip(b"}\n ")) == records[len(lines) :]
        table = bulk_table(pieces[0], ["a"], {"a": "text"})
        if table is not None:
            assert table.num_rows == len(lines)


@pytest.mark.parametrize("text", ["", '{"a": 1', '{"a": 1}', '{"a": "}, {"', '{"a": [{"b": 1}, {"b": 2}]'])
def test_without_a_whole_record_and_a_comma_there_is_no_cut(text: str) -> None:
    assert cut_by_depth(text.encode(), 0, last=False) is None


def test_where_the_array_ends_within_there_is_no_cut() -> None:
    text = b'{"a": "x"}, {"a": "y"}], "links": [{"a": "z"}, {"a": "w"}]}'
    assert cut_by_depth(text, 1, last=False) is None
    assert cut_by_depth(text, 1, last=True) is None
