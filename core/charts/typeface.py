"""The typeface of pictures: Pillow brings it, so that every machine sets words alike."""

from __future__ import annotations

from functools import cache
from typing import Final

from PIL import ImageFont

TYPEFACE_UNITS: Final = 1000
"""Units of the typeface's widths of letters: thousandths of its size."""


@cache
def typeface(size: float) -> ImageFont.FreeTypeFont:
    """Pillow unpacks its typeface anew for each size it is asked for."""
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow is built with FreeType"
    return font


def text_width(text: str, size: float) -> float:
    """Of one line, in points: without the rounding of small letters to pixels."""
    return float(typeface(TYPEFACE_UNITS).getlength(text)) * size / TYPEFACE_UNITS
