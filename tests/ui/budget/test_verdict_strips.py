"""ui.budget.verdict_strips: an example on its line, and an error before its bands."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette
from pytestqt.qtbot import QtBot

from core.advice.example_value import ExampleValue
from core.advice.usefulness import Usefulness
from tests.ui.contrasts import contrast, row_of
from ui.budget.verdict_sign import verdict_colour
from ui.budget.verdict_strips import BandStrip, RangeStrip, band_colour
from ui.kit.theme import Theme


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


_MUTED = QPalette.ColorRole.PlaceholderText


def _places(row: list[QColor], colour: QColor) -> list[int]:
    return [x for x, seen in enumerate(row) if seen == colour]


def _written(strip: BandStrip, rows: range) -> set[int]:
    picture = strip.grab().toImage()
    ground = picture.pixelColor(0, 0)
    return {x for y in rows for x in range(picture.width()) if contrast(picture.pixelColor(x, y), ground) > 2}


def test_the_range_has_the_colour_of_its_verdict_and_the_example_a_dot_on_it(
    qtbot: QtBot, theme: Theme
) -> None:
    assert theme.colours
    strip = RangeStrip()
    qtbot.addWidget(strip)
    assert strip.isHidden(), "until there is an example"
    strip.resize(246, strip.sizeHint().height())
    example = ExampleValue(published=30, low=20, high=50, least=0, most=60)
    strip.show_example(example, Usefulness.ROUGH, "km/h")
    assert not strip.isHidden()
    middle, colour = strip.fontMetrics().height() + 6, verdict_colour(Usefulness.ROUGH, strip.palette())
    ends = _places(row_of(strip, middle - 5), colour)
    assert (ends[0], ends[-1]) == (6 + 78 - 1, 6 + 195), "a stroke at either end of the range"
    dot = [x for x in _places(row_of(strip, middle - 2), colour) if 90 < x < 190]
    assert 5 <= len(dot) <= 11
    assert abs(sum(dot) / len(dot) - (6 + 117)) < 1
    strip.show_example(example, Usefulness.GOOD, "km/h")
    assert not _places(row_of(strip, middle - 5), colour)
    strip.show_example(None, Usefulness.GOOD, "km/h")
    assert strip.isHidden()


def test_figures_stand_where_they_belong_and_none_over_another(qtbot: QtBot, theme: Theme) -> None:
    assert theme.colours
    strip = RangeStrip()
    qtbot.addWidget(strip)
    strip.resize(246, strip.sizeHint().height())
    letters = strip.fontMetrics()
    text, muted = (strip.palette().color(role) for role in (QPalette.ColorRole.Text, _MUTED))

    def columns(rows: range, colour: QColor) -> list[int]:
        return sorted({x for y in rows for x in _places(row_of(strip, y), colour)})

    above = range(letters.height() - 1)
    below = range(letters.height() + 13, strip.height())
    for low, high, first, last in ((20, 40, True, True), (4, 58, False, False), (4, 30, False, True)):
        strip.show_example(
            ExampleValue(published=30, low=low, high=high, least=0, most=60), Usefulness.GOOD, "km/h"
        )
        at = columns(above, text)
        assert abs((at[0] + at[-1]) / 2 - 123) < 3, "the published figure is above its dot"
        ends = columns(below, text)
        assert abs(ends[0] - (6 + 234 * low / 60)) < 2 * letters.averageCharWidth()
        assert abs(ends[-1] - (6 + 234 * high / 60)) < 2 * letters.averageCharWidth()
        faint = columns(below, muted)
        assert any(x < ends[0] for x in faint) is first, "0 where there is room for it"
        assert any(x > ends[-1] for x in faint) is last


def test_the_error_points_at_the_band_it_lies_in(qtbot: QtBot, theme: Theme) -> None:
    assert theme.colours
    strip = BandStrip()
    qtbot.addWidget(strip)
    assert strip.isHidden()
    strip.resize(312, strip.sizeHint().height())
    high = strip.fontMetrics().height()
    strip.show_error(4.0, 2.0, 8.0, "4 km/h")
    assert not strip.isHidden()
    ground = QColor(strip.palette().color(QPalette.ColorRole.Window))
    row = row_of(strip, high + 5)
    good, bad = (
        _places(row, band_colour(word, strip.palette())) for word in (Usefulness.GOOD, Usefulness.NO_USE)
    )
    assert (good[0], good[-1]) == (6, 6 + 50 - 3), "from 0 to 2 of 12"
    assert (bad[0], bad[-1]) == (6 + 200, 6 + 300 - 3), "from 8 on"
    assert row[100] not in (row[20], row[250], ground), "between them it is faint"
    text = strip.palette().color(QPalette.ColorRole.Text)
    tip = [x for x in _places(row_of(strip, high - 5), text) if abs(x - 106) < 8]
    assert abs(sum(tip) / len(tip) - 106) <= 1, "at 4 of 12"
    written = _written(strip, range(high - 6))
    assert 106 + 4 < min(written) < 106 + 18, "the figure is beside it"
    strip.show_error(11.8, 2.0, 8.0, "11.8 km/h")
    written = _written(strip, range(high - 6))
    assert 6 + 295 - 18 < max(written) < 6 + 295 - 4, "at its other side where there is no more room"
    words = sorted(_written(strip, range(high + 12, strip.height())))
    assert words[0] < 56 < 156 < words[-1] < 306, "each band is called by its word"
    strip.show_error(500.0, 2.0, 8.0, "500 km/h")
    tip = _places(row_of(strip, high - 5), text)
    assert max(tip) <= 306 + 5, "what is off the scale is at its end"


def test_without_two_bands_there_is_nothing_to_see(qtbot: QtBot) -> None:
    strip = BandStrip()
    qtbot.addWidget(strip)
    for good, constant in ((None, 8.0), (2.0, None), (8.0, 8.0)):
        strip.show_error(4.0, 2.0, 8.0, "4 km/h")
        assert not strip.isHidden()
        strip.show_error(4.0, good, constant, "4 km/h")
        assert strip.isHidden()
