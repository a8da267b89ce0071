"""SVG: well-formed, one element a shape, texts escaped, nothing fetched."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from core.charts.chart import Chart
from core.charts.drawing import picture_of
from core.charts.shapes import Area, Polyline, Words
from core.charts.svg import svg
from tests.core.charts.examples import BARS, LINES

SPACE = "{http://www.w3.org/2000/svg}"
TAGS = {Polyline: "polyline", Area: "polygon", Words: "text"}


@pytest.mark.parametrize("chart", [LINES, BARS], ids=lambda chart: chart.name)
def test_it_holds_every_shape_in_order(chart: Chart) -> None:
    picture = picture_of(chart)
    root = ElementTree.fromstring(svg(picture))
    drawn = [child.tag for child in root][2:]
    assert drawn == [SPACE + TAGS[type(shape)] for shape in picture.shapes]
    assert root.findtext(f"{SPACE}title") == chart.title
    assert (root.get("width"), root.get("height")) == ("900", "600")


def test_nothing_is_fetched_from_anywhere() -> None:
    text = svg(picture_of(LINES)).decode()
    assert "href" not in text
    assert "url(" not in text
    assert text.count("http") == 1
    assert text.isascii()
