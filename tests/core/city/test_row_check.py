"""The check that privacy rests on: exact integers, however large, and nothing but them."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.city import row_check
from core.city.row_check import require_rows_within
from core.errors import InternalError

ROWS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 12), st.integers(0, 3)), max_size=12)


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("wide", [False, True])
@given(rows=ROWS, limit=st.integers(0, 40))
def test_it_refuses_exactly_where_a_row_exceeds_the_limit(
    squared: bool, wide: bool, rows: list[tuple[int, int, int]], limit: int
) -> None:
    held: Counter[int] = Counter()
    for vehicle, token, width in rows:
        moved = token * width if wide else token
        held[vehicle] += moved**2 if squared else moved
    vehicles, tokens, widths = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [])
    too_many = any(amount > (limit**2 if squared else limit) for amount in held.values())

    def check() -> None:
        require_rows_within(vehicles, tokens, limit, squared=squared, widths=widths if wide else ())

    if too_many:
        with pytest.raises(InternalError, match="more tokens than the noise covers"):
            check()
    else:
        check()


@pytest.mark.parametrize("squared", [False, True])
def test_one_token_too_many_is_found_among_many(squared: bool) -> None:
    """Beyond 64 bits, where machine integers would wrap around."""
    limit = 10**12
    require_rows_within([0], [limit], limit, squared=squared)
    require_rows_within([0, 1] * 2, [limit // 4] * 4, limit, squared=squared)
    for vehicles, tokens in (([0], [limit + 1]), ([0, 1, 0], [limit, 0, 1]), ([7, 7], [limit, limit])):
        with pytest.raises(InternalError):
            require_rows_within(vehicles, tokens, limit, squared=squared)
    with pytest.raises(InternalError):
        require_rows_within([0, 0], [2**63, 2**63], 10**6, squared=squared)


def test_a_negative_token_cannot_pay_for_another() -> None:
    with pytest.raises(InternalError, match="fewer tokens than none"):
        require_rows_within([0, 0], [11, -1], 10, squared=False)
    with pytest.raises(InternalError, match="fewer tokens than none"):
        require_rows_within([0, 0], [11, 1], 10, squared=False, widths=[1, -1])


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        require_rows_within([0], [1, 1], 10, squared=False)
    with pytest.raises(ValueError, match=r"shorter|longer"):
        require_rows_within([0, 0], [1, 1], 10, squared=False, widths=[1])


def test_it_uses_no_floating_point_and_nothing_of_the_city() -> None:
    """Privacy rests on this file alone: whoever reads it must need no other."""
    tree = ast.parse(Path(row_check.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"__future__", "collections.abc", "core.errors"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert not [value for value in constants if isinstance(value, float)]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Div)]
