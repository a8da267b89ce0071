"""PNG: the same shapes as pixels."""

from __future__ import annotations

import io
import itertools
import struct

import pytest
from PIL import Image

from core.charts.chart import Chart
from core.charts.drawing import picture_of
from core.charts.png import png
from core.charts.shapes import Area, Picture, Polyline, Words
from tests.core.charts.examples import BARS, LINES


def pixels(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(png(picture))).convert("RGB")


def picture(*shapes: Polyline | Area | Words) -> Picture:
    return Picture(title="Test", width=100.0, height=50.0, shapes=shapes)


@pytest.mark.parametrize("chart", [LINES, BARS], ids=lambda chart: chart.name)
def test_a_chart_has_two_pixels_for_each_point_and_is_the_same_every_time(chart: Chart) -> None:
    content = png(picture_of(chart))
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", content[16:24]) == (1800, 1200)
    assert png(picture_of(chart)) == content


def test_lines_and_areas_are_where_they_belong() -> None:
    drawn = pixels(
        picture(
            Polyline(points=((10.0, 10.0), (90.0, 10.0)), colour="#ff0000", width=4.0),
            Area(
                points=((20.0, 20.0), (40.0, 20.0), (40.0, 40.0), (20.0, 40.0)),
                fill="#00ff00",
                colour="#0000ff",
                width=2.0,
            ),
        )
    )
    assert drawn.size == (200, 100)
    assert drawn.getpixel((100, 20)) == (255, 0, 0)
    assert drawn.getpixel((60, 60)) == (0, 255, 0)
    assert drawn.getpixel((41, 60)) == (0, 0, 255)
    assert drawn.getpixel((150, 70)) == (255, 255, 255)


def test_a_dashed_line_has_gaps_of_its_length() -> None:
    drawn = pixels(
        picture(
            Polyline(
                points=((0.0, 25.0), (50.0, 25.0), (100.0, 25.0)),
                colour="#000000",
                width=4.0,
                dash=(10.0, 10.0),
            )
        )
    )
    row = [drawn.getpixel((x, 50)) == (0, 0, 0) for x in range(200)]
    assert 0.42 < sum(row) / 200 < 0.58
    assert sum(a != b for a, b in itertools.pairwise(row)) in (9, 10)


@pytest.mark.parametrize(("align", "where"), [("start", "right"), ("end", "left")])
def test_words_begin_or_end_at_their_point(align: str, where: str) -> None:
    words = Words(text="HAT", at=(50.0, 25.0), size=12.0, colour="#000000", align=align)  # type: ignore[arg-type]
    drawn = pixels(picture(words)).convert("L")
    box = drawn.point(lambda value: 255 * (value < 128)).getbbox()
    assert box is not None
    assert (box[0] >= 99) if where == "right" else (box[2] <= 101)
    assert abs((box[1] + box[3]) / 2 - 50) < 4


def test_words_upwards_are_turned() -> None:
    words = Words(
        text="mean error", at=(50.0, 25.0), size=8.0, colour="#000000", align="middle", upwards=True
    )
    box = pixels(picture(words)).convert("L").point(lambda value: 255 * (value < 128)).getbbox()
    assert box is not None
    assert box[3] - box[1] > 2 * (box[2] - box[0])
