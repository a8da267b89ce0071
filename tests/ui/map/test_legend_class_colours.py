"""ui.map.legend_classes: colours can be told apart and read."""

from __future__ import annotations

import itertools
import math
import re

import pytest

from core.paths import resources
from core.quantity import Quantity
from ui.map.legend_classes import (
    DISTINCT_VEHICLES,
    INTERVAL_WIDTHS,
    TYPICAL_ERRORS,
    colours,
    error_classes,
    width_classes_of,
)

DELAY = Quantity(name="delay", column_unit="s", unit="s")


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


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("edge", ["empty-edge", "hatch", "focus", "badge"])
def test_edges_stand_out_from_the_page(theme: str, edge: str) -> None:
    """Whatever a cell's colour is, where it ends is seen (WCAG 1.4.11)."""
    light, dark = (resources() / "map" / "map.css").read_text().split(':root[data-theme="dark"]')
    named = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", light if theme == "light" else dark))
    assert contrast(named[edge], named["page"]) >= 3


@pytest.mark.parametrize("ramp", ["cividis", "viridis"])
def test_one_of_the_two_edges_stands_out_from_every_class(ramp: str) -> None:
    """Two neighbours of one class are told apart, in both themes (WCAG 1.4.11)."""
    edges = re.findall(r"--edge-on-[a-z]+: (#[0-9a-f]{6});", (resources() / "map" / "map.css").read_text())
    for count in range(1, 10):
        for colour in colours(count, ramp=ramp):
            assert max(contrast(edge, colour) for edge in edges) >= 3


def test_the_largest_error_is_not_what_shines() -> None:
    for scale in (
        TYPICAL_ERRORS,
        INTERVAL_WIDTHS,
        error_classes(DELAY, 1_800_000),
        width_classes_of(DELAY, 60_000),
    ):
        shades = [luminance(entry.colour) for entry in scale.legend()]
        assert shades == sorted(shades, reverse=True)
    assert luminance(DISTINCT_VEHICLES.legend()[-1].colour) > luminance(DISTINCT_VEHICLES.legend()[0].colour)
