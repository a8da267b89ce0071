"""Blocks of days: sorted, without repeats, as plain Python does it."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.store.sort_days import LARGEST_PART, DayBlock, Unsorted, sort_block, unsorted_blocks
from core.store.spill import SLAB_ROWS, Spill
from tests.core.store.test_spill import ROWS, batch

FEW = st.tuples(
    st.integers(0, 3),
    st.integers(18_000, 18_002),
    st.sampled_from((-57_600_000, -1, 0, 1, 1000, 143_999_999)),
    st.integers(0, 2),
    st.integers(-1, 1),
    st.integers(0, 2),
)
"""Rows with many repeats."""


def _spilled(rows: list[tuple[int, ...]], names: tuple[str, ...], slab_rows: int = SLAB_ROWS) -> Spill:
    spill = Spill(io.BytesIO, slab_rows=slab_rows)
    spill.add(*batch(rows, names))
    spill.finish()
    return spill


def _codes(spill: Spill) -> NDArray[np.int32]:
    names = sorted(spill.names)
    return np.array([names.index(name) for name in spill.names], np.int32)


def _sorted(spill: Spill, block_rows: int, most_rows: int = LARGEST_PART) -> list[DayBlock]:
    codes = _codes(spill)
    blocks = unsorted_blocks(spill, codes, block_rows=block_rows, most_rows=most_rows)
    return [sort_block(block, codes) for block in blocks]


@given(
    rows=st.lists(FEW | ROWS, min_size=1, max_size=40),
    block_rows=st.integers(1, 50),
    in_time_order=st.booleans(),
    most_rows=st.integers(1, 50),
    slab_rows=st.integers(1, 50),
)
def test_blocks_are_what_plain_sorting_gives(
    rows: list[tuple[int, ...]], block_rows: int, in_time_order: bool, most_rows: int, slab_rows: int
) -> None:
    if in_time_order:
        rows = sorted(rows, key=lambda row: row[2])
    names = ("d", "b", "a", "c", "e")
    blocks = _sorted(_spilled(rows, names, slab_rows), block_rows, most_rows)
    used = sorted({names[row[0]] for row in rows})
    ordered = sorted((row[1], used.index(names[row[0]]), *row[2:]) for row in rows)
    retained = [row for at, row in enumerate(ordered) if at == 0 or row[:3] != ordered[at - 1][:3]]
    found = [
        row
        for block in blocks
        for row in zip(
            np.repeat(block.days, block.counts).tolist(),
            block.vehicle.tolist(),
            block.time.tolist(),
            block.latitude.tolist(),
            block.longitude.tolist(),
            block.value.tolist(),
            strict=True,
        )
    ]
    assert found == retained
    assert sum(block.repeats for block in blocks) == len(rows) - len(retained)


@given(rows=st.lists(ROWS, min_size=1, max_size=40), block_rows=st.integers(1, 50))
def test_days_are_taken_together_up_to_the_bound(rows: list[tuple[int, ...]], block_rows: int) -> None:
    spill = _spilled(rows, ("a", "b", "c", "d", "e"))
    blocks = list(unsorted_blocks(spill, _codes(spill), block_rows=block_rows))
    assert [day for block in blocks for day in block.days.tolist()] == list(spill.days)
    assert all(block.columns.shape[1] <= block_rows or block.days.size == 1 for block in blocks)


def test_a_day_of_one_vehicle_comes_in_parts() -> None:
    """However much one vehicle sends on one day: no part is much larger than what is asked for."""
    rows = [(0, 18_000, time, 1, 2, 3) for time in np.random.default_rng(3).permutation(4000).tolist()]
    spill = _spilled([(0, 17_999, 5, 1, 2, 3), *rows, (0, 18_001, 5, 1, 2, 3)], ("bus",), slab_rows=256)
    blocks = list(unsorted_blocks(spill, _codes(spill), block_rows=100, most_rows=500))
    assert max(block.columns.shape[1] for block in blocks) <= 500
    found = [sort_block(block, _codes(spill)) for block in blocks]
    assert np.concatenate([block.time for block in found]).tolist() == [5, *range(4000), 5]
    assert sum(block.repeats for block in found) == 0


def test_a_day_of_repeats_alone_is_no_larger_than_one_part() -> None:
    rows = [(0, 18_000, 7, 1, 2, value) for value in range(2000, 0, -1)]
    spill = _spilled(rows, ("bus",), slab_rows=100)
    blocks = list(unsorted_blocks(spill, _codes(spill), block_rows=100, most_rows=300))
    assert max(block.columns.shape[1] for block in blocks) <= 300
    found = [sort_block(block, _codes(spill)) for block in blocks]
    assert [value for block in found for value in block.value.tolist()] == [1]
    assert sum(block.repeats for block in found) == 1999


@pytest.mark.parametrize("vehicles", [3, 70_000])
@pytest.mark.parametrize("days", [1, 3])
def test_many_vehicles_are_sorted_as_few_are(vehicles: int, days: int) -> None:
    random = np.random.default_rng(7)
    size = 9_000
    columns = random.integers(0, 50, (5, size), dtype=np.int32)
    columns[0] = random.integers(0, vehicles, size)
    codes = random.permutation(vehicles).astype(np.int32)
    counts = np.full(days, size // days)
    block = Unsorted(days=np.arange(days, dtype=np.int32), counts=counts, columns=columns)
    found = sort_block(block, codes)
    day = np.repeat(np.arange(days), size // days)
    rows = zip(day.tolist(), columns.T.tolist(), strict=True)
    expected = sorted((number, int(codes[row[0]]), *row[1:]) for number, row in rows)
    smallest: dict[tuple[int, ...], tuple[int, ...]] = {}
    for row in expected:
        smallest.setdefault(row[:3], row[3:])
    assert found.vehicle.tolist() == [key[1] for key in smallest]
    assert found.time.tolist() == [key[2] for key in smallest]
    rest = np.stack([found.latitude, found.longitude, found.value]).T.tolist()
    assert rest == [list(row) for row in smallest.values()]
    assert found.counts.tolist() == np.bincount([key[0] for key in smallest], minlength=days).tolist()


def test_blocks_show_sizes_only() -> None:
    block = _sorted(_spilled([(0, 18_000, 5, 211, 728, 30)], ("bus",)), 10)[0]
    assert repr(block).startswith("<confidential DayBlock: ")
    assert "211" not in repr(block)
