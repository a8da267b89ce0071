"""A picture as PNG, by Pillow: pixels for each point, drawn finer and then shrunk.

Lines and areas are drawn several times too large and made smaller, which smooths them; words are drawn last,
at their own size.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from itertools import pairwise

from PIL import Image, ImageDraw

from core.charts.shapes import PAPER, Area, Picture, Point, Polyline, Words
from core.charts.typeface import typeface

_SCALE = 2
"""Pixels of a PNG for each point of a picture."""
_FINER = 3
"""Finer pixels that are drawn for each pixel of a PNG, along each side."""
_ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}
"""In Pillow's words: where a text is anchored, its middle at the given height."""


def png(picture: Picture) -> bytes:
    """Two pixels for each point, without transparency."""
    image = _without_words(picture)
    brush = ImageDraw.Draw(image)
    for shape in picture.shapes:
        if isinstance(shape, Words):
            _write(shape, image, brush)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _without_words(picture: Picture) -> Image.Image:
    size = round(picture.width * _SCALE), round(picture.height * _SCALE)
    large = Image.new("RGB", (size[0] * _FINER, size[1] * _FINER), PAPER)
    brush = ImageDraw.Draw(large)
    for shape in picture.shapes:
        if isinstance(shape, Polyline):
            for piece in _pieces(shape):
                brush.line(_large(piece), fill=shape.colour, width=_width(shape.width), joint="curve")
        elif isinstance(shape, Area):
            brush.polygon(
                _large(shape.points), fill=shape.fill, outline=shape.colour, width=_width(shape.width)
            )
    return large.reduce(_FINER)


def _write(words: Words, image: Image.Image, brush: ImageDraw.ImageDraw) -> None:
    font = typeface(words.size * _SCALE)
    at = words.at[0] * _SCALE, words.at[1] * _SCALE
    if not words.upwards:
        brush.text(at, words.text, fill=words.colour, font=font, anchor=_ANCHORS[words.align])
        return
    length, height = math.ceil(font.getlength(words.text)) + 2, math.ceil(2.0 * words.size * _SCALE)
    stencil = Image.new("L", (length, height))
    ImageDraw.Draw(stencil).text((length / 2.0, height / 2.0), words.text, fill=255, font=font, anchor="mm")
    turned = stencil.transpose(Image.Transpose.ROTATE_90)
    corner = round(at[0] - height / 2.0), round(at[1] - length / 2.0)
    image.paste(words.colour, (*corner, corner[0] + height, corner[1] + length), turned)


def _large(points: tuple[Point, ...]) -> list[Point]:
    factor = _SCALE * _FINER
    return [(x * factor, y * factor) for x, y in points]


def _width(points: float) -> int:
    return max(1, round(points * _SCALE * _FINER))


def _pieces(line: Polyline) -> Iterator[tuple[Point, ...]]:
    """The line itself, or its dashes: Pillow draws none."""
    if line.dash is None:
        yield line.points
        return
    stroke, gap = line.dash
    piece: list[Point] = []
    travelled = 0.0
    for start, end in pairwise(line.points):
        length, done = math.dist(start, end), 0.0
        while done < length:
            place = travelled % (stroke + gap)
            step = min((stroke if place < stroke else stroke + gap) - place, length - done)
            step = max(step, 1e-6)
            ends = tuple(_between(start, end, (done + part) / length) for part in (0.0, step))
            if place < stroke:
                piece += ends if not piece else ends[1:]
            elif piece:
                yield tuple(piece)
                piece = []
            done, travelled = done + step, travelled + step
    if piece:
        yield tuple(piece)


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
