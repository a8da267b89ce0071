"""A sample of a product has every value of every axis, and never the whole where less will do."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.covering_sample import Choice, covering

sizes = st.lists(st.integers(1, 5), min_size=2, max_size=4)


def rows_of(counts: list[int]) -> list[list[Choice]]:
    return [[(value,) for value in row] for row in product(*map(range, counts))]


@given(sizes)
def test_every_value_of_every_axis_is_there_by_as_few_as_can_be(counts: list[int]) -> None:
    rows = rows_of(counts)
    found = covering(rows)
    assert {pair for number in found for pair in enumerate(rows[number])} == {
        pair for row in rows for pair in enumerate(row)
    }
    assert len(found) == max(counts)
    assert covering(rows) == found


def test_a_single_axis_stays_whole() -> None:
    assert covering([[(value,)] for value in range(7)]) == set(range(7))


@pytest.mark.parametrize("second", range(3))
@pytest.mark.parametrize("first", range(2))
def test_what_the_sample_leaves_out_is_audited(
    first: int, second: int, request: pytest.FixtureRequest
) -> None:
    assert (request.node.get_closest_marker("audit") is not None) is (
        (first, second) not in {(0, 0), (1, 1), (0, 2)}
    )


@pytest.mark.whole
@pytest.mark.parametrize("second", range(3))
@pytest.mark.parametrize("first", range(2))
def test_a_product_that_is_marked_stays_whole(
    first: int, second: int, request: pytest.FixtureRequest
) -> None:
    assert (first, second) in product(range(2), range(3))
    assert request.node.get_closest_marker("audit") is None
