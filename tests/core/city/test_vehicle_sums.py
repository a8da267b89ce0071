"""Sums of a pair are those of its records, one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.city.city_pairs import city_pairs, grouped_pairs
from core.city.vehicle_sums import vehicle_sums
from core.contributions import Contributions, users_of
from core.privacy import Unit
from tests.neighbours import KEY
from tests.strategies import contributions

UNITS = (Unit.VEHICLE, Unit.VEHICLE_DAY)


@pytest.mark.parametrize("unit", UNITS)
@given(table=contributions(), data=st.data())
def test_each_pair_has_the_sum_of_its_records(unit: Unit, table: Contributions, data: st.DataObject) -> None:
    """HATs that are left out have none; HATs of one column are added up."""
    numbers = st.lists(st.integers(-1, 2), min_size=table.hats, max_size=table.hats)
    drawn = data.draw(numbers.filter(lambda found: max(found) >= 0))
    column = np.unique([-1, *drawn], return_inverse=True)[1][1:] - 1
    users = users_of(table, unit, KEY)
    pairs = grouped_pairs(users, column)
    found = dict(
        zip(
            zip(pairs.hat.tolist(), pairs.code.tolist(), strict=True),
            vehicle_sums(users, column).tolist(),
            strict=True,
        )
    )
    wanted: Counter[tuple[int, int]] = Counter()
    for row in range(table.hat.size):
        if column[table.hat[row]] >= 0:
            pair = int(column[table.hat[row]]), int(table.vehicle[row])
            wanted[pair] += sum(table.values[table.start[row] : table.start[row + 1]].tolist())
    assert found == dict(wanted)


@given(table=contributions())
def test_they_stand_in_the_order_of_the_plan(table: Contributions) -> None:
    """Whose sums these are, no pair says: both must count the same rows."""
    users = users_of(table, Unit.VEHICLE, KEY)
    everything = np.arange(table.hats)
    assert vehicle_sums(users, everything).size == city_pairs(users, everything >= 0).hat.size
