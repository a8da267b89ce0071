"""core.charts.colour_ramps: from dark to light, evenly."""

from __future__ import annotations

import pytest

from core.charts.colour_ramps import ramp_colours


@pytest.mark.parametrize("ramp", ["cividis", "viridis"])
def test_a_ramp_goes_from_dark_to_light(ramp: str) -> None:
    steps = ramp_colours(7, ramp=ramp)
    greens = [int(colour[3:5], 16) for colour in steps]
    assert greens == sorted(greens)
    assert len(set(steps)) == 7
    assert all(colour[0] == "#" and len(colour) == 7 for colour in steps)


def test_one_class_takes_the_middle() -> None:
    assert ramp_colours(1) == (ramp_colours(3)[1],)
