"""Boundaries by depth of brackets: every record of a valid text, whatever its strings and fields hold."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.read.json_depth import commas_by_depth, last_cut_by_depth
from tests.core.read.test_json_scan import LAYOUTS, RECORDS


@given(RECORDS, LAYOUTS)
def test_every_boundary_of_a_valid_text_is_found(records: list[dict[str, Any]], layout: Any) -> None:
    text = json.dumps(records, **layout).encode()[1:-1]
    edges = [-1, *commas_by_depth(np.frombuffer(text, np.uint8)).tolist(), len(text)]
    pieces = [json.loads(text[left + 1 : right]) for left, right in itertools.pairwise(edges)]
    assert pieces == records


@given(RECORDS, LAYOUTS, st.integers(1, 600))
def test_a_cut_by_depth_is_exact(records: list[dict[str, Any]], layout: Any, size: int) -> None:
    text = json.dumps(records, **layout).encode()[1:-1]
    cut = last_cut_by_depth(text[:size])
    if cut:
        before = json.loads(b"[" + text[: cut[0]] + b"]")
        assert [*before, *json.loads(b"[" + text[cut[1] :] + b"]")] == records
    else:
        # what follows the first record's comma is seen with the next bracket alone
        first = len(json.dumps(records[0], **layout).encode()) if "indent" not in layout else size
        assert len(records) == 1 or size <= first + 2


@pytest.mark.parametrize("text", ["", '{"a": 1', '{"a": 1}', '{"a": "}, {"', '{"a": [{"b": 1}, {"b": 2}]'])
def test_without_a_whole_record_and_a_comma_there_is_no_cut(text: str) -> None:
    assert last_cut_by_depth(text.encode()) is None


def test_where_the_array_ends_within_there_is_no_cut() -> None:
    assert last_cut_by_depth(b'{"a": "x"}, {"a": "y"}], "links": [{"a": "z"}, {"a": "w"}]}') is None


def test_in_what_is_no_json_only_a_comma_before_an_object_is_taken() -> None:
    data = np.frombuffer(b'{"a":1} {,"b":1},{"c":2},,{"d":3},', np.uint8)
    assert commas_by_depth(data).tolist() == [16]
