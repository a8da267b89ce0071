"""The grid of means: few steps, wide enough, rounded as fractions are."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.mechanisms.value_grid import MOST_SPACINGS, ValueGrid, value_grid

UPPERS = st.integers(1, 10**6)


@pytest.mark.parametrize(
    ("upper", "step", "largest"),
    [(65_000, 10, 6_500), (10_000, 1, 10_000), (10_001, 10, 1_001), (1, 1, 1), (1_000_000, 100, 10_000)],
)
def test_grids_by_hand(upper: int, step: int, largest: int) -> None:
    assert value_grid(upper) == ValueGrid(step=step, largest=largest)
    assert value_grid(upper).step_kmh == step / 1000


@given(UPPERS)
def test_it_is_the_finest_power_of_ten_that_covers_the_range(upper: int) -> None:
    grid = value_grid(upper)
    assert math.log10(grid.step).is_integer()
    assert (grid.largest - 1) * grid.step < upper <= grid.largest * grid.step
    assert grid.largest <= MOST_SPACINGS
    assert grid.step == 1 or upper > MOST_SPACINGS * grid.step // 10


@given(UPPERS, st.integers(1, 10**7), st.data())
def test_means_are_rounded_to_nearest_and_stay_on_the_grid(
    upper: int, records: int, data: st.DataObject
) -> None:
    grid = value_grid(upper)
    total = data.draw(st.sampled_from((0, upper * records)) | st.integers(0, upper * records))
    (found,) = grid.nearest(np.array([total]), np.array([records])).tolist()
    assert found == math.floor(Fraction(total, records * grid.step) + Fraction(1, 2))
    assert 0 <= found <= grid.largest
