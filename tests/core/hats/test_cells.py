"""Cells: indexed from coordinates at each resolution, checked when typed."""

from __future__ import annotations

import h3
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.hats.cells import RESOLUTIONS, cell_text, cells_of, parse_cell, require_resolution
from tests.records import assert_tells


@given(
    st.lists(
        st.tuples(st.integers(-90 * 10**7, 90 * 10**7), st.integers(-180 * 10**7, 180 * 10**7)), max_size=20
    ),
    st.sampled_from(RESOLUTIONS),
)
def test_cells_are_those_of_the_library(places: list[tuple[int, int]], resolution: int) -> None:
    latitude = np.array([place[0] for place in places], np.int32)
    longitude = np.array([place[1] for place in places], np.int32)
    found = cells_of(latitude, longitude, resolution)
    expected = [
        h3.latlng_to_cell(float(f"{a / 1e7:.7f}"), float(f"{b / 1e7:.7f}"), resolution) for a, b in places
    ]
    assert [cell_text(cell) for cell in found] == expected
    assert found.dtype == np.uint64


def test_a_cell_comes_back_from_its_text() -> None:
    text = "8742d9d69ffffff"
    cell = parse_cell(f" {text.upper()} ", 7, where="here")
    assert cell_text(cell) == text
    assert cell_text(np.uint64(cell)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "8742d9d69fffff",
        "8742d9d69ffffff0",
        "f" * 40,
        "-1",
        "8742_d9d69fffff",
        "0x742d9d69ffffff",
        "zebra",
        "é",
    ],
)
def test_what_is_no_cell_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no H3 cell") as caught:
        parse_cell(text, 7, where="line 3")
    assert_tells(caught.value)


def test_a_cell_of_another_resolution_is_refused() -> None:
    with pytest.raises(InputError, match="resolution 7, not 8") as caught:
        parse_cell("8742d9d69ffffff", 8, where="line 3")
    assert_tells(caught.value)


@pytest.mark.parametrize("resolution", [4, 11, 0, -1, 100])
def test_a_resolution_that_is_not_offered_is_refused(resolution: int) -> None:
    with pytest.raises(InputError, match="not offered") as caught:
        require_resolution(resolution)
    assert_tells(caught.value)


def test_resolutions_5_to_10_are_offered() -> None:
    assert [require_resolution(resolution) for resolution in RESOLUTIONS] == [5, 6, 7, 8, 9, 10]
