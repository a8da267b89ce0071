"""Text as bytes: slices, nulls, widths."""

from __future__ import annotations

import itertools

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.text_columns import (
    cell_bytes,
    digits_as_nines,
    is_filled,
    is_valid,
    one_width,
    swap_bytes,
    to_text,
)
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


@given(st.lists(st.none() | st.text("/09:aé ", max_size=4), max_size=12), st.integers(0, 5))
def test_digits_become_nines_in_every_cell(cells: list[str | None], first: int) -> None:
    column = pa.array(cells, pa.string()).slice(min(first, len(cells)))
    expected = [None if cell is None else cell.replace("0", "9") for cell in column.to_pylist()]
    assert digits_as_nines(column).to_pylist() == expected


def test_a_grid_shows_characters_and_pairs() -> None:
    grid = one_width(pa.array(["?", "x12", "y34", "z56"])[1:])
    assert (grid.rows, grid.width) == (3, 3)
    assert bytes(grid.byte(0)) == b"xyz"
    assert grid.pair(1).tobytes() == b"123456"


def test_a_grid_does_not_show_its_cells() -> None:
    assert SECRET not in repr(one_width(pa.array([SECRET])))


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())])
def test_every_kind_of_text_is_text(kind: pa.DataType) -> None:
    column = pa.array(["a", None, " "], kind)
    assert to_text(column).equals(pa.array(["a", None, " "]))
    assert is_valid(column).tolist() == [True, False, True]
    assert is_filled(to_text(column)).tolist() == [True, False, False]


def test_numbers_become_their_text() -> None:
    assert to_text(pa.array([1, None])).to_pylist() == ["1", None]
