"""A city cut into blocks: every HAT once, cells whole, equal sizes, the nearest around."""

from __future__ import annotations

import numpy as np
import pytest

from core.city.cell_blocks import SOLVED_TOGETHER, cell_blocks
from core.city.smoothing_model import HatPlaces
from tests.smoothing_tables import hats_around


@pytest.mark.parametrize("hats", [101, 350, 1_000])
@pytest.mark.parametrize("slots", [1, 24])
def test_each_hat_is_one_block_s_own_and_cells_stay_whole(hats: int, slots: int) -> None:
    places = HatPlaces.of(*hats_around(hats, slots=slots))
    blocks = cell_blocks(places, most=100)
    assert sorted(np.concatenate([block.own for block in blocks]).tolist()) == list(range(hats))
    for block in blocks:
        assert not set(block.own) & set(block.around)
        for some in (block.own, block.around):
            assert np.isin(places.cell, places.cell[some]).sum() == some.size
        assert abs(block.own.size - hats / len(blocks)) <= 2 * slots
        assert 100 - slots < block.own.size + block.around.size <= 100


def test_what_lies_around_is_nearest() -> None:
    places = HatPlaces.of(*hats_around(600, slots=4))
    for block in cell_blocks(places, most=120):
        own = places.centres[np.unique(places.cell[block.own])]
        away = np.linalg.norm(places.centres[:, None] - own, axis=2).min(axis=1)[places.cell]
        others = np.setdiff1d(np.arange(600), np.concatenate((block.own, block.around)))
        assert away[block.around].max() <= away[others].min() + 1e-9


def test_what_fits_is_one_block() -> None:
    (block,) = cell_blocks(HatPlaces.of(*hats_around(100)), most=100)
    assert block.own.tolist() == list(range(100))
    assert not block.around.size
    (block,) = cell_blocks(HatPlaces.of(*hats_around(SOLVED_TOGETHER)))
    assert block.own.size == SOLVED_TOGETHER


def test_a_cell_with_more_hats_than_fit_is_a_block_by_itself() -> None:
    blocks = cell_blocks(HatPlaces.of(*hats_around(24 * 7)), most=20)
    assert [block.own.size for block in blocks] == [24] * 7
    assert not any(block.around.size for block in blocks)


def test_of_nothing_there_is_no_block() -> None:
    assert cell_blocks(HatPlaces.of(np.zeros(0, np.int64), np.zeros(0))) == []
