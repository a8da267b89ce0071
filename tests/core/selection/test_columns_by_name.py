"""Columns of a person's table count by name."""

from __future__ import annotations

import pytest

from core.selection.columns_by_name import order_of_columns


@pytest.mark.parametrize(
    ("header", "places"),
    [
        ("a,b,c", (0, 1, 2)),
        ("c,a,b", (1, 2, 0)),
        ("a,b", None),
        ("a,b,b", None),
        ("a,b,c,c", None),
        ("", None),
    ],
)
def test_a_header_is_these_columns_each_once(header: str, places: tuple[int, ...] | None) -> None:
    assert order_of_columns(("a", "b", "c"), header.split(",")) == places
