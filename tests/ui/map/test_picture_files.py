"""ui.map.picture_files: three formats of the same picture, whole or absent, letters of every script."""

from __future__ import annotations

import dataclasses
import re
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage

from core.charts.hexagon_map import HexagonMap, map_picture
from core.errors import InputError
from tests.core.charts.test_hexagon_map import HOSTILE, MAP
from ui.map.picture_files import letters_width, pdf_of, png_of, write_picture

HINDI = dataclasses.replace(MAP, title="सूरत की बसों की औसत गति", notes=("प्रति वाहन epsilon 2",))


def ink(image: QImage) -> int:
    """Pixels of the upper tenth that are dark: the title."""
    spots = ((x, y) for x in range(0, image.width(), 2) for y in range(0, image.height() // 10, 2))
    return sum(image.pixelColor(*spot).lightness() < 100 for spot in spots)


@pytest.mark.parametrize("shown", [MAP, HINDI], ids=["english", "hindi"])
def test_all_three_are_written(qapp: object, tmp_path: Path, shown: HexagonMap) -> None:
    assert qapp is not None
    png, svg, pdf = (write_picture(shown, tmp_path / f"map.{kind}") for kind in ("png", "svg", "pdf"))
    picture = map_picture(shown, letters_width)
    image = QImage(str(png))
    assert (image.width(), image.height()) == (round(2 * picture.width), round(2 * picture.height))
    assert image.pixelColor(2, 2).name() == "#ffffff"
    assert ink(image) > 100
    root = ElementTree.parse(svg).getroot()
    assert shown.title in [node.text for node in root]
    content = pdf.read_bytes()
    assert content.startswith(b"%PDF-")
    assert b"/FontFile" in content, "letters with their typeface"
    assert b"/Subtype /Image" not in content, "and no pixels"
    assert {path.name for path in tmp_path.iterdir()} == {"map.png", "map.svg", "map.pdf"}


def test_markup_stays_text_in_every_format(qapp: object) -> None:
    assert qapp is not None
    picture = map_picture(dataclasses.replace(MAP, title=HOSTILE), letters_width)
    assert ink(QImage.fromData(png_of(picture))) > 100
    streams = re.findall(rb"stream\r?\n(.*?)endstream", pdf_of(picture), re.S)
    drawn = b"".join(zlib.decompress(one) for one in streams if one[:1] == b"x")
    assert b"alert" not in drawn  # glyphs, not script


def test_letters_are_measured_as_they_are_drawn(qapp: object) -> None:
    assert qapp is not None
    assert letters_width("WWWW", 12) > 1.5 * letters_width("iiii", 12)
    assert letters_width("abc", 24) == pytest.approx(2 * letters_width("abc", 12), rel=0.05)


def test_another_ending_is_refused_and_nothing_is_left(qapp: object, tmp_path: Path) -> None:
    assert qapp is not None
    with pytest.raises(InputError, match=r"\.png, \.svg or \.pdf"):
        write_picture(MAP, tmp_path / "map.jpg")
    with pytest.raises(InputError):
        write_picture(MAP, tmp_path / "nowhere" / "map.png")
    assert not list(tmp_path.iterdir())
