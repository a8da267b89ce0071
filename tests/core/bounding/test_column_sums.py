"""Sums of columns: exact, and never beyond what noise is added to."""

from __future__ import annotations

import numpy as np
import pytest

from core.bounding.column_sums import LARGEST_SUM, column_sums


@pytest.mark.parametrize("seed", range(10))
def test_they_are_exact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns, numbers = rng.integers(0, 7, 100), rng.integers(-(2**50), 2**50, 100)
    wanted = [sum(numbers[columns == column].tolist()) for column in range(8)]
    assert column_sums(columns, numbers, 8).tolist() == wanted


def test_nothing_is_a_sum_of_nothing() -> None:
    assert column_sums(np.zeros(0, np.int64), np.zeros(0, np.int64), 3).tolist() == [0, 0, 0]


def test_what_would_leave_64_bits_is_cut_and_not_wrapped() -> None:
    large = np.array([2**60] * 20 + [-(2**60)] * 3 + [2**60, 5])
    columns = np.array([0] * 20 + [1] * 3 + [2, 2])
    assert column_sums(columns, large, 3).tolist() == [LARGEST_SUM, -LARGEST_SUM, 2**60 + 5]


def test_cutting_brings_neighbours_no_further_apart() -> None:
    large = np.array([2**60, 2**60, 3])
    zeros = np.zeros(3, np.int64)
    whole, fewer = column_sums(zeros, large, 1), column_sums(zeros[:2], large[:2], 1)
    assert abs(int(whole[0]) - int(fewer[0])) <= 3
