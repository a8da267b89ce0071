"""Direct indexing is the library's, position by position."""

from __future__ import annotations

import h3
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.hats.cells import RESOLUTIONS, cell_text
from core.hats.cells_one_by_one import index_directly
from core.progress import Cancelled


@given(
    st.lists(
        st.tuples(st.integers(-90 * 10**7, 90 * 10**7), st.integers(-180 * 10**7, 180 * 10**7)), max_size=20
    ),
    st.sampled_from(RESOLUTIONS),
)
def test_cells_are_those_of_the_library(places: list[tuple[int, int]], resolution: int) -> None:
    latitude = np.array([place[0] for place in places], np.int32)
    longitude = np.array([place[1] for place in places], np.int32)
    found = index_directly(latitude, longitude, resolution)
    expected = [
        h3.latlng_to_cell(float(f"{a / 1e7:.7f}"), float(f"{b / 1e7:.7f}"), resolution) for a, b in places
    ]
    assert [cell_text(cell) for cell in found] == expected
    assert found.dtype == np.uint64


def test_it_can_be_stopped_between_blocks() -> None:
    told: list[float] = []

    def stop(done: float, _: str = "") -> None:
        told.append(done)
        if len(told) == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        index_directly(np.zeros(200_000, np.int32), np.zeros(200_000, np.int32), 7, stop)
    assert told == [0.0, 0.25]
