"""ui.budget.verdict_strips: what stands at an end of a line is whole."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from core.advice.example_value import ExampleValue
from core.advice.usefulness import Usefulness
from ui.budget.verdict_strips import RangeStrip


def test_the_largest_value_is_not_cut_at_the_edge(qtbot: QtBot) -> None:
    strip = RangeStrip()
    qtbot.addWidget(strip)
    strip.resize(230, strip.sizeHint().height())
    example = ExampleValue(published=25, low=18, high=32, least=0, most=66)
    strip.show_example(example, Usefulness.GOOD, "km/h")
    picture, letters = strip.grab().toImage(), strip.fontMetrics()
    ground = picture.pixelColor(0, 0)
    below = range(picture.height() - letters.height() + 2, picture.height())
    ink = [x for x in range(150, 230) if any(picture.pixelColor(x, y) != ground for y in below)]
    assert ink[-1] - ink[0] > 0.8 * letters.horizontalAdvance("66 km/h")


def test_the_axis_reaches_over_the_whole_strip_and_the_range_lies_on_it(qtbot: QtBot) -> None:
    strip = RangeStrip()
    qtbot.addWidget(strip)
    strip.resize(230, strip.sizeHint().height())
    strip.show_example(ExampleValue(published=30, low=20, high=40, least=0, most=60), Usefulness.GOOD, "km/h")
    picture, middle = strip.grab().toImage(), strip.fontMetrics().height() + 6
    ground = picture.pixelColor(0, 0)
    inked = [x for x in range(picture.width()) if picture.pixelColor(x, middle) != ground]
    assert inked == list(range(inked[0], inked[-1] + 1))
    assert inked[0] < 12
    assert inked[-1] > 217
    # between its ends the range is higher than the axis
    high = [x for x in range(picture.width()) if picture.pixelColor(x, middle - 4) != ground]
    assert 230 / 3 - 8 < high[0] < high[-1] < 2 * 230 / 3 + 8
