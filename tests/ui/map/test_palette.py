"""ui.map.palette: colours can be told apart and read."""

from __future__ import annotations

import itertools
import math

import pytest

from ui.map.palette import colours


def rgb(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def luminance(colour):
    parts = [part / 255 for part in rgb(colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("ramp", ["cividis", "viridis"])
@pytest.mark.parametrize("count", range(2, 10))
def test_colours_climb_in_lightness(ramp, count):
    ramped = colours(count, ramp=ramp)
    assert len(set(ramped)) == count
    lightness = [luminance(colour) for colour in ramped]
    assert lightness == sorted(lightness)


@pytest.mark.parametrize("ramp", ["cividis", "viridis"])
def test_neighbouring_classes_can_be_told_apart(ramp):
    for low, high in itertools.pairwise(colours(7, ramp=ramp)):
        assert math.dist(rgb(low), rgb(high)) > 24


@pytest.mark.parametrize("count", [0, 10])
def test_too_few_or_too_many_colours_are_refused(count):
    with pytest.raises(ValueError, match="classes"):
        colours(count)
