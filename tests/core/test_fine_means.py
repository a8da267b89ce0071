"""Means in units of 2^-30 km/h: each the nearest, none above the bound."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.fine_means import fine_means
from core.fixed_point import FINE, fine_ceil


@given(
    st.lists(
        st.integers(1, 1 << 37).flatmap(
            lambda count: st.tuples(st.integers(0, count * 1_000_000), st.just(count))
        ),
        min_size=1,
        max_size=8,
    )
)
def test_fine_means_round_each_mean_to_the_nearest(pairs: list[tuple[int, int]]) -> None:
    sums, counts = (np.array(column, np.int64) for column in zip(*pairs, strict=True))
    for fine, total, count in zip(fine_means(sums, counts).tolist(), *zip(*pairs, strict=True), strict=True):
        assert abs(fine - Fraction(total * FINE, count * 1000)) <= Fraction(1, 2)


@given(st.integers(1, 1000), st.integers(1, 10**6))
def test_a_mean_of_the_bound_stays_within_it(count: int, upper: int) -> None:
    fine = fine_means(np.array([count * upper]), np.array([count]))
    assert fine[0] <= fine_ceil(upper)
