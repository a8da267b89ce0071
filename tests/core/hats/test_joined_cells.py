"""core.hats.joined_cells: cells of several resolutions, and which coarse ones a fine one lies in."""

from __future__ import annotations

import h3
import numpy as np
import pytest
from h3.api import basic_int

from core.hats.joined_cells import cells_of_text, cells_of_texts, joined_text, spanned_cells


def test_texts_name_cells_and_sort_as_they_do() -> None:
    pairs = [
        (basic_int.latlng_to_cell(21 + n / 50, 72.8, 6), basic_int.latlng_to_cell(21 + n / 50, 72.8, 8))
        for n in range(30)
    ]
    texts = [*map(joined_text, pairs)]
    assert [*map(cells_of_text, texts)] == pairs
    assert sorted(texts) == [joined_text(pair) for pair in sorted(pairs)]
    assert cells_of_texts(texts, 2).tolist() == [[*pair] for pair in pairs]
    assert cells_of_texts((), 2).shape == (0, 2)


@pytest.mark.parametrize("box", [(30.1, -98.0), (21.1, 72.7), (-33.9, 151.1), (64.0, -22.0), (-17.0, 179.9)])
def test_every_coarse_cell_that_a_position_of_a_fine_one_lies_in_is_among_them(
    box: tuple[float, float],
) -> None:
    draw = np.random.default_rng(2)
    several = 0
    for finest, coarse in ((8, 6), (7, 6), (9, 8), (9, 6), (8, 5), (10, 7)):
        for lat, lon in (np.array(box) + draw.uniform(0, 0.2, (300, 2))).tolist():
            fine = basic_int.latlng_to_cell(lat, lon, finest)
            found = spanned_cells(fine, coarse)
            assert basic_int.latlng_to_cell(lat, lon, coarse) in found
            assert len(found) <= 3
            # the middle of the fine one is no farther from each than a part of it may be
            near = h3.grid_disk(h3.int_to_str(basic_int.cell_to_parent(fine, coarse)), 1)
            assert {*map(h3.int_to_str, found)} <= {*near}
            several += len(found) > 1
    assert several > 100
