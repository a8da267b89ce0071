"""WrapAround against the algorithm as printed (P3 Alg. 1)."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.grouping.assignment import Assignment
from core.grouping.wraparound import wraparound
from tests.core.grouping.literal import Array, wraparound_as_printed
from tests.strategies import counts


def records_of(assignment: Assignment) -> list[Array]:
    """The records of each array, in order."""
    arrays: list[Array] = [[] for _ in range(assignment.arrays)]
    for user, first, taken, array in zip(
        assignment.user, assignment.first, assignment.taken, assignment.array, strict=True
    ):
        arrays[array] += [(int(user), int(record)) for record in range(first, first + taken)]
    return arrays


@given(counts(most_users=30, most_records=40), st.integers(1, 40))
def test_it_packs_as_printed(sizes: NDArray[np.int64], wanted: int) -> None:
    m_ub = min(wanted, int(sizes[0]))
    assignment = wraparound(sizes, m_ub)
    assert records_of(assignment) == wraparound_as_printed(sizes.tolist(), m_ub)
    assert assignment.sizes.tolist() == [m_ub] * (int(np.minimum(sizes, m_ub).sum()) // m_ub)
    assert assignment.touched == 2


@given(counts(most_users=30, most_records=40), st.integers(1, 40))
def test_nobody_is_in_more_than_two_arrays_or_gives_more_than_m_ub(
    sizes: NDArray[np.int64], wanted: int
) -> None:
    m_ub = min(wanted, int(sizes[0]))
    assignment = wraparound(sizes, m_ub)
    assert assignment.taken.min() >= 1
    assert np.bincount(assignment.user).max() <= 2
    assert np.bincount(assignment.user, weights=assignment.taken).max() <= m_ub
    assert {one.dtype for one in (assignment.user, assignment.first, assignment.taken, assignment.array)} == {
        np.dtype(np.int64)
    }


def test_a_worked_example() -> None:
    """m_UB = 4 of 5, 3, 3, 1: the second user fills up with a record of the third, whose others are lost."""
    assignment = wraparound(np.array([5, 3, 3, 1]), 4)
    assert assignment.user.tolist() == [0, 1, 2]
    assert assignment.taken.tolist() == [4, 3, 1]
    assert assignment.array.tolist() == [0, 1, 1]
    assert assignment.sizes.tolist() == [4, 4]


def test_one_user_is_one_array() -> None:
    assert records_of(wraparound(np.array([3]), 3)) == [[(0, 0), (0, 1), (0, 2)]]
