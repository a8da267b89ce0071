"""Rule `cells` against a literal version."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import Contributions
from core.errors import InputError
from core.selection.base import SelectionRequest
from core.selection.cells import read_cells
from core.selection.registry import select
from tests.records import assert_tells
from tests.selections import check_index, places
from tests.strategies import CELLS, contributions


@given(contributions(), st.lists(st.sampled_from(CELLS), min_size=1, max_size=9))
def test_each_hexagon_comes_with_every_slot_of_the_window(table: Contributions, cells: list[int]) -> None:
    selection = select(table, SelectionRequest(rule="cells", cells=tuple(cells)))
    assert places(selection) == [(cell, slot) for cell in sorted(set(cells)) for slot in table.window.slots]
    check_index(selection, table)


@given(contributions(), st.permutations(CELLS))
def test_the_order_of_a_list_does_not_matter(table: Contributions, cells: list[int]) -> None:
    one, other = (
        select(table, SelectionRequest(rule="cells", cells=tuple(order))) for order in (CELLS, tuple(cells))
    )
    assert places(one) == places(other)
    assert one.index.tolist() == other.index.tolist()


@given(contributions())
def test_an_empty_list_is_refused(table: Contributions) -> None:
    with pytest.raises(InputError, match="empty") as caught:
        select(table, SelectionRequest(rule="cells"))
    assert_tells(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_headers_comments_columns_and_repeats(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "cells.csv"
    text = "h3_cell,name\n# west\n8742d9d69ffffff,a\n\n8742D9D68FFFFFF # east\n8742d9d69ffffff\n"
    path.write_text(text, encoding)
    assert read_cells(path, 7) == (0x8742D9D68FFFFFF, 0x8742D9D69FFFFFF)


def test_a_list_of_nothing_is_no_cell(tmp_path: Path) -> None:
    path = tmp_path / "cells.csv"
    path.write_text("h3_cell\n# none\n")
    assert read_cells(path, 7) == ()


def test_another_resolution_is_refused_by_line(tmp_path: Path) -> None:
    path = tmp_path / "cells.csv"
    path.write_text("h3_cell\n8742d9d69ffffff\n")
    with pytest.raises(InputError, match="resolution 7, not 8") as caught:
        read_cells(path, 8)
    assert_tells(caught.value)
    assert caught.value.where.endswith("line 2")
