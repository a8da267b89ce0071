"""What a chart holds is confidential where it follows from records."""

from __future__ import annotations

from core.charts.chart import PALETTE
from tests.core.charts.examples import LINES


def test_a_chart_shows_sizes_only() -> None:
    assert repr(LINES).startswith("<confidential Chart")
    assert "4.0" not in repr(LINES)


def test_colours_are_different_and_dark_enough_for_white_paper() -> None:
    assert len(set(PALETTE)) == len(PALETTE)
    for colour in PALETTE:
        red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
        assert 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.75
