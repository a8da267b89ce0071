"""Rules for m_UB."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.grouping.m_ub import MEDIAN, median_rule, resolve_m_ub
from tests.strategies import counts


@given(counts(most_users=25, most_records=50))
def test_the_median_rule_takes_the_upper_middle(sizes: NDArray[np.int64]) -> None:
    users = sizes.size
    ceiling = -(-users // 2)
    assert median_rule(sizes) == sorted(sizes.tolist(), reverse=True)[ceiling - 1]
    assert resolve_m_ub(MEDIAN, sizes) == median_rule(sizes)


@pytest.mark.parametrize(("sizes", "median"), [([9], 9), ([9, 1], 9), ([9, 5, 1], 5), ([9, 7, 5, 1], 7)])
def test_examples(sizes: list[int], median: int) -> None:
    assert median_rule(np.array(sizes)) == median


@given(counts(), st.integers(-3, 20) | st.just(10**400))
def test_a_number_is_cut_to_what_there_is(sizes: NDArray[np.int64], given_number: int) -> None:
    resolved = resolve_m_ub(given_number, sizes)
    assert resolved == min(max(given_number, 1), int(sizes[0]))
