"""The variance inside boxes is that of the prior's whole covariance."""

from __future__ import annotations

import numpy as np
import pytest

from core.city.region_boxes import box_grid, boxes_of
from core.city.region_spread import REGION_SPREADS, unevenness
from core.city.smoothing_model import HatPlaces, covariance
from tests.tiny_cities import tiny_city, tiny_window


@pytest.mark.parametrize(("seed", "resolution", "minutes"), [(1, 9, 60), (2, 10, 120), (3, 7, 15)])
def test_boxes_hide_what_the_covariance_of_all_their_hats_says(
    seed: int, resolution: int, minutes: int
) -> None:
    city = tiny_city(seed, resolution=resolution, window=tiny_window(minutes=minutes))
    grid, found = city.boxes.grid, unevenness(city.boxes)
    hats = list(city.records)
    counts = np.array([float(sum(vehicles.values())) for vehicles in city.records.values()])
    places = HatPlaces.of(
        np.array([cell for cell, _ in hats]), grid.hours[np.array([slot for _, slot in hats])]
    )
    shared = covariance(places, REGION_SPREADS)
    for space, row in enumerate(found):
        for time, uneven in enumerate(row):
            for number, value in enumerate(uneven.tolist()):
                place, block = divmod(number, grid.blocks(time))
                cells = set(grid.cells[grid.cells_of(space, place)].tolist())
                inside = np.array(
                    [cell in cells and slot in grid.slots_of(time, block) for cell, slot in hats]
                )
                m = counts * inside
                expected = m @ np.diag(shared) - m @ shared @ m / m.sum() if m.any() else 0.0
                assert value == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_one_hat_hides_nothing() -> None:
    city = tiny_city(5)
    first = city.pairs.only(np.arange(city.pairs.hats) == 0)
    cell, slot = np.array(city.cells[:1], np.uint64), np.array(city.slots[:1])
    boxes = boxes_of(box_grid(cell, city.window), first, cell, slot)
    assert all(np.allclose(uneven, 0.0) for row in unevenness(boxes) for uneven in row)
