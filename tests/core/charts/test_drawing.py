"""From charts to shapes: everything inside the paper, bars and curves where their values are."""

from __future__ import annotations

import itertools
import math

import pytest

from core.charts.chart import Chart
from core.charts.drawing import PAPER_HEIGHT, PAPER_WIDTH, picture_of
from core.charts.shapes import Area, Polyline, Words
from tests.core.charts.examples import BARS, LINES

EVERY_CHART = pytest.mark.parametrize("chart", [LINES, BARS], ids=lambda chart: chart.name)


@EVERY_CHART
def test_every_shape_lies_on_the_paper(chart: Chart) -> None:
    for shape in picture_of(chart).shapes:
        points = (shape.at,) if isinstance(shape, Words) else shape.points
        assert all(0 <= x <= PAPER_WIDTH and 0 <= y <= PAPER_HEIGHT for x, y in points)


@EVERY_CHART
def test_title_note_and_axes_are_written_in_letters_that_every_font_has(chart: Chart) -> None:
    texts = [shape.text for shape in picture_of(chart).shapes if isinstance(shape, Words)]
    assert {chart.title, chart.note, chart.across.label, chart.up.label} <= set(texts)
    assert all(text.isascii() for text in texts)


def test_a_higher_value_stands_higher_and_equal_ratios_are_equal_steps() -> None:
    lines = [
        shape for shape in picture_of(LINES).shapes if isinstance(shape, Polyline) and len(shape.points) == 3
    ]
    one = next(line for line in lines if line.colour == "#d55e00")
    heights = [y for _, y in one.points]
    assert heights == sorted(heights)
    assert heights[1] - heights[0] == pytest.approx(heights[2] - heights[1])


def test_error_bars_reach_as_far_as_they_are_large_and_no_further_than_the_plot() -> None:
    shapes = [one for one in picture_of(LINES).shapes if isinstance(one, Polyline)]
    bars = [one.points for one in shapes if one.width == 1.0 and one.colour == "#0072b2"][::3]
    points = next(one for one in shapes if len(one.points) == 3 and one.colour == "#0072b2").points
    assert [bar[0][0] for bar in bars] == [x for x, _ in points]
    decade = (points[2][1] - points[0][1]) / math.log10(4)
    for (lower, upper), ratios in zip(
        [(bar[0][1], bar[1][1]) for bar in bars], [(3, 5), (1, 3)], strict=False
    ):
        assert lower - upper == pytest.approx(decade * math.log10(ratios[1] / ratios[0]))
    assert bars[2][0][1] == max(y for one in shapes for _, y in one.points), "0.1 - 0.2 is below every power"


def test_only_the_dashed_curve_is_dashed_and_hollow() -> None:
    shapes = picture_of(LINES).shapes
    dashes = {
        shape.colour: shape.dash for shape in shapes if isinstance(shape, Polyline) and len(shape.points) == 3
    }
    assert dashes["#d55e00"] is None
    assert dashes["#0072b2"] is not None
    fills = {shape.colour: shape.fill for shape in shapes if isinstance(shape, Area)}
    assert fills["#d55e00"] == "#d55e00"
    assert fills["#0072b2"] == "#ffffff"


def test_the_legend_names_curves_from_above_in_lines_that_fit() -> None:
    words = [shape for shape in picture_of(LINES).shapes if isinstance(shape, Words)]
    beside = [word for word in words if word.at[0] > 660]
    assert beside[0].text == "One"
    assert " ".join(word.text for word in beside[1:]) == LINES.curves[1].title
    assert [word.at[1] for word in beside] == sorted(word.at[1] for word in beside)


def test_a_bar_is_as_high_as_its_items() -> None:
    areas = [shape for shape in picture_of(BARS).shapes if isinstance(shape, Area)]
    heights = [max(y for _, y in area.points) - min(y for _, y in area.points) for area in areas]
    assert heights == pytest.approx([heights[0], heights[0] / 3, 0.0, heights[0] / 30])
    lefts = [min(x for x, _ in area.points) for area in areas]
    steps = [right - left for left, right in itertools.pairwise(lefts)]
    assert steps == pytest.approx([steps[0]] * 3)
