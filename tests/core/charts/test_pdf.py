"""PDF: the same shapes as commands, read back by an independent reader."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtPdf import QPdfDocument

from core.charts.drawing import picture_of
from core.charts.pdf import pdf
from core.charts.shapes import Area, Picture, Polyline, Words
from tests.core.charts.examples import LINES

pytestmark = pytest.mark.usefixtures("qapp")


class Read:
    """The one page of a PDF, as Qt's reader has it."""

    def __init__(self, picture: Picture) -> None:
        self.document = QPdfDocument()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "picture.pdf")
            path.write_bytes(pdf(picture))
            assert self.document.load(str(path)) == QPdfDocument.Error.None_
        assert self.document.pageCount() == 1
        size = QSize(round(2 * picture.width), round(2 * picture.height))
        self._image = self.document.render(0, size)

    def colour(self, x: int, y: int) -> str:
        """Of a place in the picture's points."""
        return self._image.pixelColor(2 * x, 2 * y).name()

    def ink(self, left: int, top: int, right: int, bottom: int) -> list[tuple[float, float]]:
        """Dark places inside a rectangle, in the picture's points."""
        spots = ((x, y) for x in range(2 * left, 2 * right) for y in range(2 * top, 2 * bottom))
        return [(x / 2, y / 2) for x, y in spots if self._image.pixelColor(x, y).lightness() < 128]


def page(*shapes: Polyline | Area | Words) -> Read:
    return Read(Picture(title="Test", width=100.0, height=50.0, shapes=shapes))


def test_a_chart_is_one_page_of_its_size_with_letters_that_can_be_searched() -> None:
    read = Read(picture_of(LINES))
    size = read.document.pagePointSize(0)
    assert (size.width(), size.height()) == (900, 600)
    told = read.document.getAllText(0).text()
    assert LINES.title in told
    assert "error (km/h)" in told
    assert read.document.metaData(QPdfDocument.MetaDataField.Title) == LINES.title
    assert pdf(picture_of(LINES)) == pdf(picture_of(LINES))


def test_lines_and_areas_are_where_they_belong() -> None:
    square = ((20.0, 20.0), (40.0, 20.0), (40.0, 40.0), (20.0, 40.0))
    read = page(
        Polyline(points=((10.0, 10.0), (90.0, 10.0)), colour="#ff0000", width=4.0, dash=(20.0, 20.0)),
        Area(points=square, fill="#00ff00", colour="#0000ff", width=2.0),
    )
    assert [read.colour(x, 10) for x in (20, 40, 60, 80)] == ["#ff0000", "#ffffff"] * 2
    assert (read.colour(30, 30), read.colour(20, 30), read.colour(75, 35)) == (
        "#00ff00",
        "#0000ff",
        "#ffffff",
    )


@pytest.mark.parametrize(("align", "places"), [("start", (50, 75)), ("middle", (37, 63)), ("end", (25, 50))])
def test_words_begin_or_end_at_their_point(align: str, places: tuple[int, int]) -> None:
    words = Words(text="HATH", at=(50.0, 25.0), size=10.0, colour="#000000", align=align)  # type: ignore[arg-type]
    ink = page(words).ink(0, 0, 100, 50)
    across, heights = [x for x, _ in ink], [y for _, y in ink]
    assert (min(across), max(across)) == pytest.approx(places, abs=3)
    assert (min(heights) + max(heights)) / 2 == pytest.approx(25, abs=1)


def test_words_upwards_are_turned_and_signs_stay_text() -> None:
    words = Words(text="(HA)\\", at=(50.0, 25.0), size=10.0, colour="#000000", align="middle", upwards=True)
    read = page(words)
    ink = read.ink(0, 0, 100, 50)
    across, heights = [x for x, _ in ink], [y for _, y in ink]
    assert max(heights) - min(heights) > 1.5 * (max(across) - min(across))
    assert (min(heights) + max(heights)) / 2 == pytest.approx(25, abs=1)
    assert "(HA)\\" in read.document.getAllText(0).text()
