"""Regions are made of the hexagons with records in their hours, and are named in order."""

from __future__ import annotations

import numpy as np
import pytest

from core.city.noise_kind import NoiseKind
from core.city.region_search import Promise, search_regions
from core.city.region_spread import unevenness
from core.city.regions import regions_of
from core.mechanisms.tokens import TOKENS
from tests.tiny_cities import tiny_city, tiny_window


@pytest.mark.parametrize("seed", range(6))
def test_each_hat_is_in_the_region_that_lists_its_cell_and_slot(seed: int) -> None:
    city = tiny_city(seed, window=tiny_window(("06:00", "22:00")))
    asked = Promise(noise=NoiseKind.LAPLACE, tokens_of_box=0.6 * TOKENS, minimum_vehicles=1)
    published = search_regions(city.boxes, unevenness(city.boxes), asked)
    cells, slots = np.array(city.cells), np.array(city.slots)
    listed, _, of_hat = regions_of(published, city.boxes.grid, cells, slots, 6)
    assert len(listed) == len(published) > 1
    assert [one.id for one in listed] == [f"r{number:03}" for number in range(1, len(listed) + 1)]
    order = [(one.cells[0], one.slots.start) for one in listed]
    assert order == sorted(order)
    for number, region in enumerate(listed):
        hats = np.flatnonzero(of_hat == number)
        assert set(region.cells) == set(cells[hats].tolist())
        assert list(region.cells) == sorted(set(region.cells))
        assert {slot + 6 for slot in slots[hats].tolist()} <= set(region.slots)
    held = sum(int(city.boxes.levels[box.space][box.time].totals[box.number]) for box in published)
    assert city.pairs.by_hat(city.pairs.records)[of_hat >= 0].sum() == held


def test_many_regions_have_names_of_one_length() -> None:
    city = tiny_city(1, hats=1800, vehicles=2, rings=20, resolution=10)
    asked = Promise(noise=NoiseKind.LAPLACE, tokens_of_box=1e-6, minimum_vehicles=1)
    published = search_regions(city.boxes, unevenness(city.boxes), asked)
    listed, _, _ = regions_of(published, city.boxes.grid, np.array(city.cells), np.array(city.slots), 0)
    assert {len(one.id) for one in listed} == {4}
