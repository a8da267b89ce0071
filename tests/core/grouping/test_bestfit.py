"""BestFit against the algorithm as printed (P3 Alg. 2)."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.grouping.bestfit import bestfit
from tests.core.grouping.literal import bestfit_as_printed
from tests.strategies import counts


@given(counts(most_users=30, most_records=40), st.integers(1, 45))
def test_it_packs_as_printed(sizes: NDArray[np.int64], m_ub: int) -> None:
    assignment = bestfit(sizes, m_ub)
    arrays = bestfit_as_printed(sizes.tolist(), m_ub)
    place = {record: index for index, array in enumerate(arrays) for record in array}
    assert assignment.array.tolist() == [place[user, 0] for user in range(sizes.size)]
    assert assignment.taken.tolist() == [min(count, m_ub) for count in sizes.tolist()]
    assert assignment.sizes.tolist() == [len(array) for array in arrays]
    assert assignment.arrays == len(arrays)
    assert assignment.user.tolist() == list(range(sizes.size))
    assert not assignment.first.any()
    assert assignment.touched == 1


def test_it_packs_two_thousand_users_as_printed() -> None:
    sizes = np.sort(np.random.default_rng(2).geometric(0.02, 2_000))[::-1].astype(np.int64)
    assignment = bestfit(sizes, 60)
    assert assignment.sizes.tolist() == [len(array) for array in bestfit_as_printed(sizes.tolist(), 60)]


@given(counts(most_users=40, most_records=60), st.integers(1, 60))
def test_a_packing_holds_what_the_mechanisms_need(sizes: NDArray[np.int64], m_ub: int) -> None:
    assignment = bestfit(sizes, m_ub)
    assert assignment.taken.tolist() == np.minimum(sizes, m_ub).tolist()
    assert np.bincount(assignment.array, weights=assignment.taken).tolist() == assignment.sizes.tolist()
    assert 1 <= assignment.sizes.min() <= assignment.sizes.max() <= m_ub
    assert assignment.arrays >= assignment.taken.sum() // m_ub  # Kbar >= K
    assert assignment.array.max() == assignment.arrays - 1
    assert {assignment.array.dtype, assignment.taken.dtype, assignment.sizes.dtype} == {np.dtype(np.int64)}


def test_equally_full_arrays_are_filled_by_least_index() -> None:
    assignment = bestfit(np.array([6, 6, 4, 4]), 10)
    assert assignment.array.tolist() == [0, 1, 0, 1]


def test_the_fullest_array_comes_before_an_earlier_one() -> None:
    assignment = bestfit(np.array([5, 4, 4, 3, 1]), 8)
    assert assignment.array.tolist() == [0, 1, 1, 0, 2]


def test_many_users_are_packed_quickly_enough_to_count() -> None:
    sizes = np.sort(np.random.default_rng(1).integers(1, 400, 20_000))[::-1].astype(np.int64)
    assignment = bestfit(sizes, 200)
    assert assignment.sizes.sum() == np.minimum(sizes, 200).sum()
