"""Public ranges: their atoms, what one record can move, and what is refused."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.statistics.ranges import MOST_RANGES, Ranges, checked_ranges, proposed_edges
from tests.strategies import U

UNIT = 1000


def ranges(*pairs: tuple[int, int], upper: int = 65) -> Ranges:
    return checked_ranges(pairs, 0, upper * UNIT)


some_ranges = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 10)).filter(
        lambda ends: ends[0] < ends[1] and ends != (0, 10)
    ),
    min_size=1,
    max_size=6,
    unique=True,
).map(lambda pairs: ranges(*pairs, upper=10))


@pytest.mark.parametrize(
    ("pairs", "distance"),
    [
        ([(0, 10)], 1),
        ([(0, 10), (40, 65)], 2),
        ([(0, 10), (10, 30), (30, 65)], 2),
        ([(0, 10), (0, 20), (0, 30)], 3),
        ([(0, 30), (10, 40), (20, 50)], 3),
    ],
)
def test_the_distance_of_known_ranges(pairs: list[tuple[int, int]], distance: int) -> None:
    assert ranges(*pairs).distance == distance


@given(some_ranges)
def test_the_distance_is_the_most_that_a_record_leaves_and_enters(found: Ranges) -> None:
    """By trying every pair of values in steps of half a unit, and leaving altogether."""
    values = range(0, found.upper_bound + 1, UNIT // 2)

    def members(value: int) -> tuple[bool, ...]:
        top = found.upper_bound
        return tuple(low <= value < high or value == high == top for low, high in found.listed)

    vectors = {members(value) for value in values} | {(False,) * len(found)}
    apart = (sum(a != b for a, b in zip(*pair, strict=True)) for pair in itertools.product(vectors, vectors))
    assert found.distance == max(apart)


@given(some_ranges, st.lists(st.integers(0, 10 * UNIT), max_size=20))
def test_a_value_lies_in_the_ranges_of_its_atom(found: Ranges, values: list[int]) -> None:
    """Values on an end of a range, and just below one, among them: ranges hold their first end alone."""
    values += [near for edge in found.edges for near in (edge - 1, edge) if near >= 0]
    atoms = found.atom_of(np.array(values, np.int32))
    for value, atom in zip(values, atoms.tolist(), strict=True):
        expected = [low <= value < high or value == high == found.upper_bound for low, high in found.listed]
        assert found.members[atom].astype(bool).tolist() == expected


def test_what_tiles_and_what_holds_the_lowest_value() -> None:
    tiled, gap = ranges((0, 10), (10, 65)), ranges((0, 10), (20, 65))
    assert (tiled.tile, gap.tile) == (True, False)
    assert tiled.holds_lowest.tolist() == [True, False]
    assert tiled.cumulated().listed == ((0, 10_000),)


def test_proposed_edges_follow_from_the_bounds_alone() -> None:
    assert proposed_edges(0, U) == (0, 1, 5, 10, 20, 30, 45, 65)
    assert proposed_edges(-60_000, 2 * U) == (-60, -58, -50, -40, -20, 0, 30, 70)
    edges = proposed_edges(0, U)
    assert checked_ranges(list(itertools.pairwise(edges)), 0, U).begins_standing
    assert not ranges((0, 10), (10, 65)).begins_standing


@pytest.mark.parametrize(
    ("pairs", "what"),
    [
        ([], "Shares of 0 ranges"),
        ([(0, n + 1) for n in range(MOST_RANGES + 1)], "Shares of 21 ranges"),
        ([(10, 10)], "is empty"),
        ([(20, 10)], "is empty"),
        ([(-1, 10)], "beyond the bounds"),
        ([(0, 66)], "beyond the bounds"),
        ([(0, 65)], "covers every record"),
        ([(0, 0.0005)], "finer than a thousandth"),
        ([(0, 10), (0, 10)], "listed twice"),
    ],
)
def test_ranges_that_cannot_be_are_refused(pairs: list[tuple[float, float]], what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        checked_ranges(pairs, 0, U)
    assert caught.value.where == "query.parameters, ranges"
    assert caught.value.mend
