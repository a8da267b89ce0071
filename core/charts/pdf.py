"""A picture as PDF: one page of lines, areas and letters, with its typeface inside.

A paper takes it as it is: nothing of it is pixels.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

from core.charts.shapes import PAPER, Area, Picture, Point, Polyline, Words
from core.charts.svg import BASELINE
from core.charts.typeface import TYPEFACE_UNITS, text_width, typeface

_LETTERS = "cp1252"
"""PDF's WinAnsiEncoding: one byte a letter; others become question marks."""
_FIRST, _LAST = 32, 255
_NOT_SYMBOLIC = 32
_STEM = 80
_SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""Of a line's width that lies before its point."""


def pdf(picture: Picture) -> bytes:
    """The same bytes for the same picture: there is no date in it."""
    font = typeface(TYPEFACE_UNITS)
    above, below = font.getmetrics()
    widths = " ".join(f"{text_width(_letter(code), TYPEFACE_UNITS):.0f}" for code in range(_FIRST, _LAST + 1))
    name = "/" + "-".join(font.getname())
    box = f"[0 0 {picture.width:g} {picture.height:g}]"
    return _file(
        [
            _object("/Type /Catalog /Pages 2 0 R"),
            _object("/Type /Pages /Kids [3 0 R] /Count 1"),
            _object(
                f"/Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R "
                "/Resources << /Font << /F 5 0 R >> >>"
            ),
            _stream("\n".join(_drawn(picture)).encode("ascii")),
            _object(
                f"/Type /Font /Subtype /TrueType /BaseFont {name} /Encoding /WinAnsiEncoding "
                f"/FirstChar {_FIRST} /LastChar {_LAST} /Widths [{widths}] /FontDescriptor 6 0 R"
            ),
            _object(
                f"/Type /FontDescriptor /FontName {name} /Flags {_NOT_SYMBOLIC} /ItalicAngle 0 "
                f"/FontBBox [0 {-below} {TYPEFACE_UNITS} {above}] /Ascent {above} /Descent {-below} "
                f"/CapHeight {above} /StemV {_STEM} /FontFile2 7 0 R"
            ),
            _stream(font.font_bytes, keeps_length=True),
            _object(f"/Title ({_quoted(picture.title)})"),
        ]
    )


def _letter(code: int) -> str:
    return bytes([code]).decode(_LETTERS, "replace")


def _drawn(picture: Picture) -> Iterator[str]:
    """The page's commands; y grows downwards, as in the picture."""
    yield f"1 0 0 -1 0 {picture.height:g} cm 1 j"
    yield f"{_colour(PAPER)} rg 0 0 {picture.width:g} {picture.height:g} re f"
    for shape in picture.shapes:
        if isinstance(shape, Words):
            yield _words(shape)
        elif isinstance(shape, Polyline):
            dash = "" if shape.dash is None else "{:g} {:g}".format(*shape.dash)
            yield f"{_colour(shape.colour)} RG {shape.width:g} w [{dash}] 0 d {_path(shape.points)} S"
        else:
            yield _area(shape)


def _area(area: Area) -> str:
    colours = f"{_colour(area.fill)} rg {_colour(area.colour)} RG"
    return f"{colours} {area.width:g} w [] 0 d {_path(area.points)} b"


def _words(words: Words) -> str:
    x, y = words.at
    before = _SHARES[words.align] * text_width(words.text, words.size)
    lower = BASELINE * words.size
    turn, place = "1 0 0 -1", (x - before, y + lower)
    if words.upwards:
        turn, place = "0 -1 -1 0", (x + lower, y + before)
    return (
        f"{_colour(words.colour)} rg BT /F {words.size:g} Tf {turn} {place[0]:.2f} {place[1]:.2f} Tm "
        f"<{words.text.encode(_LETTERS, 'replace').hex()}> Tj ET"
    )


def _path(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.2f} {y:.2f} {'l' if number else 'm'}" for number, (x, y) in enumerate(points))


def _colour(text: str) -> str:
    return " ".join(f"{int(text[place : place + 2], 16) / 255:.3g}" for place in (1, 3, 5))


def _quoted(text: str) -> str:
    letters = text.encode("ascii", "replace").decode()
    return "".join("\\" + letter if letter in "()\\" else letter for letter in letters)


def _object(entries: str) -> bytes:
    return f"<< {entries} >>".encode("ascii")


def _stream(content: bytes, *, keeps_length: bool = False) -> bytes:
    packed = zlib.compress(content)
    length = f" /Length1 {len(content)}" if keeps_length else ""
    head = _object(f"/Length {len(packed)} /Filter /FlateDecode{length}")
    return head + b"\nstream\n" + packed + b"\nendstream"


def _file(objects: Sequence[bytes]) -> bytes:
    """Objects 1, 2 and so on, and where each begins; the first is the root, the last names the picture."""
    content = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    begins = []
    for number, body in enumerate(objects, start=1):
        begins.append(len(content))
        content += f"{number} 0 obj\n".encode("ascii") + body + b"\nendobj\n"
    table = "".join(f"{begin:010d} 00000 n \n" for begin in begins)
    size = len(objects) + 1
    trailer = (
        f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n"
        f"<< /Size {size} /Root 1 0 R /Info {len(objects)} 0 R >>\nstartxref\n{len(content)}\n%%EOF\n"
    )
    return content + trailer.encode("ascii")
