"""Sums of every vehicle's records in each HAT, from the values themselves (city-release 6)."""

from __future__ import annotations

import numpy as np

from core.arrays import Ints
from core.city.city_pairs import grouped_rows
from core.contributions import UserTable


def vehicle_sums(users: UserTable, column: Ints) -> Ints:
    """Thousandths, one of each pair of a plan, in its order; confidential.

    column: shape (G of the table,), HAT -> its column of the plan, -1 where it is in none.
    """
    sums = np.zeros(users.hat.size, np.int64)
    for index in np.flatnonzero(column >= 0).tolist():
        sums[users.first[index] : users.first[index + 1]] = users.hat_data(index).sums()
    rows, first = grouped_rows(users, column)
    summed: Ints = np.add.reduceat(sums[rows], first)
    return summed
