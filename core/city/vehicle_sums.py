"""Sums of every vehicle's records in each HAT, from the values themselves (city-release 6)."""

from __future__ import annotations

import numpy as np

from core.arrays import Ints
from core.city.city_pairs import pair_rows
from core.contributions import UserTable


def vehicle_sums(users: UserTable, hat_index: Ints) -> Ints:
    """Thousandths, one of each pair of the HATs in the order of `city_pairs`; confidential.

    hat_index: numbers of the HATs in the table, rising.
    """
    sums = np.zeros(users.hat.size, np.int64)
    chosen = np.zeros(users.first.size - 1, bool)
    chosen[hat_index] = True
    for index in hat_index.tolist():
        sums[users.first[index] : users.first[index + 1]] = users.hat_data(index).sums()
    rows, first = pair_rows(users, chosen)
    summed: Ints = np.add.reduceat(sums[rows], first)
    return summed
