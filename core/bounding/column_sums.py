"""Exact sums of every candidate HAT, within 64-bit integers (method 12.3)."""

from __future__ import annotations

import numpy as np

from core.arrays import Ints

LARGEST_SUM = 1 << 61
"""Sums of all candidate HATs are cut to this, both ways; noise is added to them in 64 bits."""


def column_sums(columns: Ints, numbers: Ints, size: int) -> Ints:
    """Sum of the numbers of each column, shape (size,), cut to +-`LARGEST_SUM`.

    Cutting brings two sums no further apart: sensitivities stay what they are. Where all that is added is
    far below, 64 bits hold the sum; elsewhere it is made in integers of any size, and is the same.
    """
    total: Ints = np.zeros(size, np.int64)
    if float(np.abs(numbers.astype(np.float64)).sum()) < LARGEST_SUM / 2:
        np.add.at(total, columns, numbers)
        return total
    exact = [0] * size
    for column, number in zip(columns.tolist(), numbers.tolist(), strict=True):
        exact[column] += number
    return np.array([min(max(one, -LARGEST_SUM), LARGEST_SUM) for one in exact], np.int64)
