"""A picture as SVG: one self-contained file that needs no font beside it."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from core.charts.shapes import PAPER, Area, Picture, Point, Polyline, Shape, Words

_FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
BASELINE = 0.35
"""How far below its middle a text of an SVG stands, in its size."""


def svg(picture: Picture) -> bytes:
    """UTF-8, one shape a line."""
    size = f'width="{picture.width:g}" height="{picture.height:g}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {picture.width:g} {picture.height:g}" '
        f'role="img" font-family={quoteattr(_FONT)}>',
        f"<title>{escape(picture.title)}</title>",
        f'<rect {size} fill="{PAPER}"/>',
        *map(_shape, picture.shapes),
        "</svg>",
    ]
    return ("\n".join(lines) + "\n").encode()


def _shape(shape: Shape) -> str:
    if isinstance(shape, Polyline):
        dash = "" if shape.dash is None else ' stroke-dasharray="{:g} {:g}"'.format(*shape.dash)
        return (
            f'<polyline points="{_points(shape.points)}" fill="none" stroke="{shape.colour}" '
            f'stroke-width="{shape.width:g}" stroke-linejoin="round"{dash}/>'
        )
    if isinstance(shape, Area):
        return (
            f'<polygon points="{_points(shape.points)}" fill="{shape.fill}" stroke="{shape.colour}" '
            f'stroke-width="{shape.width:g}"/>'
        )
    return _words(shape)


def _words(words: Words) -> str:
    x, y = words.at
    turned = f' transform="rotate(-90 {x:g} {y:g})"' if words.upwards else ""
    return (
        f'<text x="{x:.2f}" y="{y + BASELINE * words.size:.2f}" font-size="{words.size:g}" '
        f'fill="{words.colour}" text-anchor="{words.align}"{turned}>{escape(words.text)}</text>'
    )


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
