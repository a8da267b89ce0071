"""Boxes nest, hold each record once a level, and follow the window's slots."""

from __future__ import annotations

import datetime as dt

import h3
import numpy as np
import pytest

from core.city.region_boxes import box_grid
from core.hats.slots import SlotLength
from core.hats.window import build_window
from tests.tiny_cities import AUSTIN, TinyCity, tiny_city, tiny_window


@pytest.fixture(params=[(1, 9, 60), (2, 10, 240), (3, 7, 30)], ids=str)
def city(request: pytest.FixtureRequest) -> TinyCity:
    seed, resolution, minutes = request.param
    return tiny_city(seed, resolution=resolution, window=tiny_window(minutes=minutes))


def test_every_level_holds_every_record_of_every_vehicle_once(city: TinyCity) -> None:
    of_vehicles = city.pairs.by_vehicle(city.pairs.records)
    for level in (level for row in city.boxes.levels for level in row):
        held = np.bincount(level.vehicle, level.records, minlength=of_vehicles.size)
        np.testing.assert_array_equal(held, of_vehicles)
        assert level.totals.sum() == of_vehicles.sum()
        assert level.vehicles.sum() == level.vehicle.size


def test_a_box_holds_the_records_of_its_index_parent_and_hours(city: TinyCity) -> None:
    grid = city.boxes.grid
    for space, row in enumerate(city.boxes.levels):
        for time, level in enumerate(row):
            for number in np.flatnonzero(level.totals).tolist():
                place, block = divmod(number, grid.blocks(time))
                cells = set(grid.cells[grid.cells_of(space, place)].tolist())
                slots = set(grid.slots_of(time, block))
                expected: dict[int, int] = {}
                for (cell, slot), vehicles in city.records.items():
                    if cell in cells and slot in slots:
                        for vehicle, records in vehicles.items():
                            expected[vehicle] = expected.get(vehicle, 0) + records
                rows = slice(level.first[number], level.first[number + 1])
                found = zip(level.vehicle[rows].tolist(), level.records[rows].tolist(), strict=True)
                assert dict(found) == expected


def test_places_are_the_parents_in_h3_s_numbering(city: TinyCity) -> None:
    grid, texts = city.boxes.grid, [h3.int_to_str(cell) for cell in city.boxes.grid.cells.tolist()]
    finest = h3.get_resolution(texts[0])
    for space, resolution in enumerate(range(6, finest + 1)):
        parents = [h3.cell_to_parent(text, resolution) for text in texts]
        assert grid.places(space) == len(set(parents))
        for place in range(grid.places(space)):
            assert len(set(parents[grid.cells_of(space, place)])) == 1


def test_finer_places_and_shorter_blocks_make_up_the_coarse_ones(city: TinyCity) -> None:
    grid = city.boxes.grid
    for space in range(len(grid.first_cell) - 1):
        within = [grid.places_within(space, place, space + 1) for place in range(grid.places(space))]
        assert within[0][0] == 0
        assert [first for first, _ in within[1:]] == [last for _, last in within[:-1]]
    for time in range(len(grid.first_slot) - 1):
        first, last = grid.blocks_within(time, grid.blocks(time) - 1, time + 1)
        assert last == grid.blocks(time + 1)
        assert grid.slots_of(time + 1, first).start == grid.slots_of(time, grid.blocks(time) - 1).start


@pytest.mark.parametrize(
    ("hours", "slot", "lengths"),
    [
        (("00:00", "24:00"), 60, [24, 8, 4, 2, 1]),
        (("00:00", "24:00"), 15, [96, 32, 16, 8, 4, 1]),
        (("00:00", "24:00"), 30, [48, 16, 8, 4, 2, 1]),
        (("00:00", "24:00"), 120, [12, 4, 2, 1]),
        (("08:00", "20:00"), 240, [3, 2, 1]),
        (("09:00", "21:00"), 60, [12, 8, 4, 2, 1]),
        (("09:00", "12:00"), 60, [3, 2, 1]),
        (("09:00", "17:00"), 60, [8, 4, 2, 1]),
        (("09:00", "21:00"), "all", [1]),
        (("09:15", "09:30"), 15, [1]),
    ],
)
def test_blocks_start_at_the_window_s_first_hour(
    hours: tuple[str, str], slot: SlotLength, lengths: list[int]
) -> None:
    day = dt.date(2020, 1, 1)
    window = build_window(((day, day),), hours, slot)
    cell = h3.str_to_int(h3.latlng_to_cell(*AUSTIN, 8))
    grid = box_grid(np.array([cell], np.uint64), window)
    assert [int(first[1]) for first in grid.first_slot] == lengths
    assert {int(first[0]) for first in grid.first_slot} == {0}
    assert {int(first[-1]) for first in grid.first_slot} == {len(window.slots)}
    assert grid.hours[0] * 60 == window.start + window.slot_minutes / 2


@pytest.mark.parametrize("resolution", [5, 6])
def test_coarse_cells_are_their_own_places(resolution: int) -> None:
    cell = h3.str_to_int(h3.latlng_to_cell(*AUSTIN, resolution))
    grid = box_grid(np.array([cell], np.uint64), tiny_window())
    assert len(grid.first_cell) == 1
