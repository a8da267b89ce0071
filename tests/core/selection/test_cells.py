"""Rule `cells` against a literal version."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import Contributions
from core.errors import InputError
from core.selection.base import SelectionRequest
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
