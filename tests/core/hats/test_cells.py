"""Cells: indexed from coordinates at each resolution, checked when typed."""

from __future__ import annotations

import h3
import numpy as np
import pytest

from core.errors import InputError
from core.hats.cells import (
    RESOLUTIONS,
    area_around_km2,
    areas_km2,
    cell_text,
    mean_area_km2,
    parse_cell,
    require_resolution,
)
from tests.records import assert_tells


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
    with pytest.raises(InputError, match="not an H3 cell") as caught:
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
    assert caught.value.mend == "write 5 to 10; the default is 7"


def test_resolutions_5_to_10_are_offered() -> None:
    assert [require_resolution(resolution) for resolution in RESOLUTIONS] == [5, 6, 7, 8, 9, 10]


def test_areas_add_up_to_the_parents_and_lie_about_the_mean() -> None:
    text = "8742d9d69ffffff"
    children = np.array([h3.str_to_int(child) for child in h3.cell_to_children(text, 8)], np.uint64)
    found = areas_km2(children)
    assert found.shape == (7,)
    # seven children cover their parent only roughly
    assert found.sum() == pytest.approx(h3.cell_area(text, unit="km^2"), rel=1e-3)
    assert 0.6 < found[0] / mean_area_km2(8) < 1.4
    assert areas_km2(np.zeros(0, np.uint64)).size == 0


def test_the_area_of_a_city_is_that_of_its_hexagons_and_not_of_the_earth() -> None:
    middle = h3.latlng_to_cell(21.17, 72.83, 6)
    around = area_around_km2((21.0, 72.66, 21.34, 73.0), 6)
    assert around == pytest.approx(h3.cell_area(middle, unit="km^2"), rel=1e-12)
    near = np.array([h3.str_to_int(cell) for cell in h3.grid_disk(middle, 3)], np.uint64)
    assert around == pytest.approx(float(areas_km2(near).mean()), rel=2e-3)
    assert around < 0.95 * mean_area_km2(6)
