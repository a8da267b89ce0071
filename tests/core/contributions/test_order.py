"""The order of rows is that of a stable sort, packed or not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import order
from core.contributions.order import order_of


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2**20)), max_size=40),
    st.sampled_from((63, 25, 0)),
)
def test_it_is_the_stable_order(rows: list[tuple[int, int, int]], bits: int) -> None:
    columns = [np.array([row[place] for row in rows], np.int64) for place in range(3)]
    expected = sorted(range(len(rows)), key=rows.__getitem__)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "_BITS", bits)
        assert order_of(*columns).tolist() == expected


def test_columns_of_63_bits_are_sorted_all_the_same() -> None:
    wide = np.array([2**62, 5, 2**62, 0])
    assert order_of(wide, np.array([1, 0, 0, 7])).tolist() == [3, 1, 2, 0]


def test_narrow_columns_do_not_overflow() -> None:
    rng = np.random.default_rng(1)
    code, vehicle = (
        rng.integers(0, 32_767, 5_000).astype(np.int16),
        rng.integers(0, 3, 5_000).astype(np.int16),
    )
    assert order_of(code, vehicle).tolist() == np.lexsort((vehicle, code)).tolist()
