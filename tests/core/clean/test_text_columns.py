"""Text as bytes: slices, nulls, widths."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.text_columns import cell_bytes, from_bytes, grids, is_filled, is_valid, swap_bytes, to_text
from tests.records import SECRET

CELLS = st.lists(st.none() | st.text("ab,é ", max_size=4), max_size=12)


@given(CELLS, st.integers(0, 5))
def test_cells_are_what_lies_between_their_edges(cells: list[str | None], first: int) -> None:
    column = pa.array(cells, pa.string()).slice(min(first, len(cells)))
    edges, data = cell_bytes(column)
    assert edges[0] == 0
    assert edges[-1] == data.size
    cut = [bytes(data[start:end]).decode() for start, end in itertools.pairwise(edges)]
    assert cut == [cell or "" for cell in column.to_pylist()]


@given(CELLS, st.integers(0, 5))
def test_characters_are_swapped_in_every_cell(cells: list[str | None], first: int) -> None:
    column = pa.array(cells, pa.string()).slice(min(first, len(cells)))
    expected = [
        None if cell is None else cell.translate(str.maketrans(",a", ".,")) for cell in column.to_pylist()
    ]
    assert swap_bytes(column, {",": ".", "a": ","}).to_pylist() == expected


@given(CELLS, st.integers(0, 5))
def test_grids_hold_each_cell_of_their_widths_once(cells: list[str | None], first: int) -> None:
    column = pa.array(cells, pa.string()).slice(min(first, len(cells)))
    found: list[str | None] = [None] * len(column)
    for mask, grid in grids(column, range(1, 4)):
        assert mask.sum() == grid.rows
        texts = [bytes(row).decode() for row in grid.data.reshape(grid.rows, grid.width)]
        for row, text in zip(np.flatnonzero(mask), texts, strict=True):
            assert found[row] is None
            found[row] = text
    assert found == [
        cell if cell is not None and 1 <= len(cell.encode()) < 4 else None for cell in column.to_pylist()
    ]


def test_a_grid_shows_characters_pairs_and_some_of_its_rows() -> None:
    (_, grid), *others = grids(pa.array(["x12", "y34", "z56"]), range(3, 4))
    assert not others
    assert bytes(grid.byte(0)) == b"xyz"
    assert grid.pair(1).tobytes() == b"123456"
    assert bytes(grid.where(np.array([True, False, True])).byte(0)) == b"xz"


def test_a_grid_does_not_show_its_cells() -> None:
    (_, grid), *_ = grids(pa.array([SECRET]), range(20))
    assert SECRET not in repr(grid)


def test_null_cells_that_hold_bytes_are_in_no_grid() -> None:
    hidden = from_bytes(
        np.array([0, 2, 4], np.int32), np.frombuffer(b"abcd", np.uint8), np.array([2], np.uint8)
    )
    assert hidden.to_pylist() == [None, "cd"]
    assert [(mask.tolist(), bytes(grid.data)) for mask, grid in grids(hidden, range(3))] == [
        ([False, True], b"cd")
    ]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())])
def test_every_kind_of_text_is_text(kind: pa.DataType) -> None:
    column = pa.array(["a", None, " "], kind)
    assert to_text(column).equals(pa.array(["a", None, " "]))
    assert is_valid(column).tolist() == [True, False, True]
    assert is_filled(to_text(column)).tolist() == [True, False, False]


def test_numbers_become_their_text() -> None:
    assert to_text(pa.array([1, None])).to_pylist() == ["1", None]
