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
