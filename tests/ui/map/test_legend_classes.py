"""ui.map.legend_classes: limits say what the classes hold, and are printed so that they can be read."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest
from PySide6.QtCore import QLocale

from core.quantity import Quantity
from core.system.paths import resources
from ui.map.legend_classes import (
    DISTINCT_VEHICLES,
    INTERVAL_WIDTHS,
    ClassScale,
    colours,
    error_classes,
    width_classes_of,
)

ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
GERMAN = QLocale(QLocale.Language.German)


def test_a_class_holds_its_lower_limit_and_the_last_also_its_upper():
    scale = ClassScale((0, 12, 18, 24))
    values = [0, 11.9, 12, 18, 24]
    assert [scale.classify(value) for value in values] == [0, 0, 1, 2, 2]
    assert scale.classes_of(np.array([*values, -1, 24.1, np.nan]), outside=-3).tolist() == [
        *(0, 0, 1, 2, 2),
        *(-3, -3, -3),
    ]


@pytest.mark.parametrize("value", [-0.1, 24.1, math.nan])
def test_a_value_outside_the_limits_is_refused_without_being_told(value):
    with pytest.raises(ValueError, match="outside") as refused:
        ClassScale((0, 12, 18, 24)).classify(value)
    assert str(value) not in str(refused.value)


def test_open_ends_hold_everything():
    scale = ClassScale((-math.inf, 10, 20, math.inf))
    assert [scale.classify(value) for value in (-1e9, 10, 20, 1e9, math.inf)] == [0, 1, 2, 2, 2]
    assert [entry.label for entry in scale.legend(ENGLISH)] == ["< 10", "10 – 20", "≥ 20"]


def test_limits_are_printed_with_the_same_decimals():
    assert [entry.label for entry in ClassScale((0, 0.5, 1.25)).legend(ENGLISH)] == [
        "0.00 – 0.50",
        "0.50 – 1.25",
    ]


def test_counts_do_not_overlap():
    scale = ClassScale((1, 2, 5, 10, math.inf), whole=True)
    assert [entry.label for entry in scale.legend(ENGLISH)] == ["1", "2 – 4", "5 – 9", "≥ 10"]
    closed = ClassScale((0, 5, 10), whole=True)
    assert [entry.label for entry in closed.legend(ENGLISH)] == ["0 – 4", "5 – 10"]


def test_numbers_are_written_as_the_language_does():
    assert ClassScale((0, 1.5, 2000)).legend(GERMAN)[1].label == "1,5 – 2.000,0"


@pytest.mark.parametrize("limits", [(), (1,), (1, 1), (2, 1), (0, math.inf, math.inf), (0, math.nan, 2)])
def test_limits_that_do_not_ascend_are_refused(limits):
    with pytest.raises(ValueError, match=r"limits"):
        ClassScale(limits)


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
        INTERVAL_WIDTHS,
        width_classes_of(DELAY, 60_000),
    ):
        shades = [luminance(entry.colour) for entry in scale.legend()]
        assert shades == sorted(shades, reverse=True)
    assert luminance(DISTINCT_VEHICLES.legend()[-1].colour) > luminance(DISTINCT_VEHICLES.legend()[0].colour)


@pytest.mark.parametrize(
    ("constant", "labels"),
    [
        (
            7.0,
            ["Good, 0.0 – 1.5", "Good, 1.5 – 2.0", "Rough, 2.0 – 4.0", "Rough, 4.0 – 7.0", "No use, ≥ 7.0"],
        ),
        (3.0, ["Good, 0.0 – 1.5", "Good, 1.5 – 2.0", "Rough, 2.0 – 3.0", "No use, ≥ 3.0"]),
        (None, ["Good, 0.0 – 1.5", "Good, 1.5 – 2.0", "Rough, 2.0 – 4.0", "Rough, ≥ 4.0"]),
    ],
)
def test_errors_have_the_classes_of_the_verdict(constant: float | None, labels: list[str]) -> None:
    legend = error_classes(2.0, constant).legend(QLocale.c())
    assert [entry.label for entry in legend] == labels
    assert len({entry.colour for entry in legend}) == len(labels)
    edges = re.findall(r"--edge-on-[a-z]+: (#[0-9a-f]{6});", (resources() / "map" / "map.css").read_text())
    for entry in legend:
        assert max(contrast(edge, entry.colour) for edge in edges) >= 3
