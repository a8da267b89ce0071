"""The contribution table: names, blocks of rows, first rows of vehicles."""

from __future__ import annotations

from collections import Counter

import h3
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import Contributions, table
from core.contributions.table import changes, distinct
from tests.strategies import contributions


@given(contributions())
def test_a_hat_is_named_by_slot_and_cell(table: Contributions) -> None:
    names = [table.hat_name(index) for index in range(table.hats)]
    assert names == [
        f"{slot:02d} {h3.int_to_str(cell)}"
        for cell, slot in zip(table.cell.tolist(), table.slot.tolist(), strict=True)
    ]
    assert Counter(names).most_common(1)[0][1] == 1


@given(contributions(), st.integers(1, 12))
def test_blocks_of_rows_are_all_rows_and_bounded(found: Contributions, most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "BLOCK_VALUES", most)
        blocks = list(found.row_blocks())
    assert [row for block in blocks for row in range(block.start, block.stop)] == list(range(found.hat.size))
    for block in blocks:
        values = int(found.start[block.stop] - found.start[block.start])
        assert values <= most or block.stop - block.start == 1


@given(contributions())
def test_a_vehicle_starts_once_in_each_hat(found: Contributions) -> None:
    first = found.starts_vehicle()
    pairs = list(zip(found.hat[first].tolist(), found.vehicle[first].tolist(), strict=True))
    assert pairs == sorted(set(zip(found.hat.tolist(), found.vehicle.tolist(), strict=True)))


def test_changes_of_no_rows_are_none() -> None:
    assert changes(np.zeros(0, np.int32)).size == 0
    assert changes(np.array([3, 3, 4, 3]), np.array([1, 2, 2, 2])).tolist() == [True, True, True, True]


@given(st.lists(st.integers(-3, 3) | st.integers(-(2**63), 2**63 - 1), max_size=30))
def test_distinct_numbers_are_those_of_numpy(numbers: list[int]) -> None:
    given = np.array(numbers, np.int64)
    before = given.copy()
    assert distinct(given).tolist() == np.unique(given).tolist()
    assert (given == before).all()


@given(contributions())
def test_counts_of_hats_and_vehicles_are_literal(found: Contributions) -> None:
    hats = found.hat.tolist()
    assert found.rows_before().tolist() == [sum(one < hat for one in hats) for hat in range(found.hats + 1)]
    records = Counter[int]()
    for hat, count in zip(hats, found.counts.tolist(), strict=True):
        records[hat] += count
    assert found.records.tolist() == [records[hat] for hat in range(found.hats)]
    days = Counter(zip(hats, found.vehicle.tolist(), strict=True))
    hat, vehicle, number = (column.tolist() for column in found.vehicle_days())
    assert list(zip(hat, vehicle, number, strict=True)) == [(*pair, days[pair]) for pair in sorted(days)]


@given(contributions())
def test_the_first_busy_slot_is_the_earliest_with_a_tenth_of_the_records_of_the_fullest(
    found: Contributions,
) -> None:
    records = Counter[int]()
    for slot, count in zip(found.slot.tolist(), found.records.tolist(), strict=True):
        records[slot] += count
    most = max(records.values(), default=0)
    busy = [slot for slot, count in records.items() if 10 * count >= most]
    assert found.first_busy_slot == min(busy, default=None)
