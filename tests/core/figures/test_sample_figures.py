"""Figures of the bundled sample: free to be passed on, and each with its name."""

from __future__ import annotations

from tests.city_figure import DrawnSample


def test_they_are_of_nobody_and_say_of_what(drawn_sample: DrawnSample) -> None:
    names = [figure.name for figure in drawn_sample.figures]
    assert names == ["hexagons-with-records", "hexagons-selected", "city-totals"]
    for figure in drawn_sample.figures:
        assert "synthetic sample" in figure.title + figure.note
        assert "CONFIDENTIAL" not in figure.note
