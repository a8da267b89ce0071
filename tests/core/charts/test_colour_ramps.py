"""core.charts.colour_ramps: from dark to light, evenly."""

from __future__ import annotations

from itertools import pairwise

import pytest

from core.charts.colour_ramps import ramp_colours, released_colours


@pytest.mark.parametrize("ramp", ["cividis", "viridis"])
def test_a_ramp_goes_from_dark_to_light(ramp: str) -> None:
    steps = ramp_colours(7, ramp=ramp)
    greens = [int(colour[3:5], 16) for colour in steps]
    assert greens == sorted(greens)
    assert len(set(steps)) == 7
    assert all(colour[0] == "#" and len(colour) == 7 for colour in steps)


def test_one_class_takes_the_middle() -> None:
    assert ramp_colours(1) == (ramp_colours(3)[1],)


@pytest.mark.parametrize("count", range(1, 7))
def test_released_numbers_go_from_light_to_strong_even_in_grey(count: int) -> None:
    """Luminance by Rec. 709 falls from class to class."""
    found = released_colours(count)
    parts = [[int(one[at : at + 2], 16) for at in (1, 3, 5)] for one in found]
    light = [0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in parts]
    assert len(found) == count
    assert all(one - other > 15 for one, other in pairwise(light))
