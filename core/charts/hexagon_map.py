"""A map of hexagons for print: widths of legend, lines and scale bar; title and notes.

Plain data in, shapes out: the painter decides on file format and typeface, and measures letters by it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from core.charts.map_projection import CityProjection, Corners
from core.charts.shapes import PAPER, Area, Picture, Point, Polyline, Shape, Words

HATCHED: Final = "suppressed"
DOTTED: Final = "unknown"
OUTLINED: Final = "outside"
MapFill = int | Literal["suppressed", "unknown", "outside"]
"""The number of a class, or how a hexagon without one is drawn."""
TextWidth = Callable[[str, float], float]
"""How long a line of text of a size is, in the picture's points."""

MAP_WIDTH: Final = 900.0
_MARGIN = 30.0
_LEGEND = 210.0
"""Width of the legend, right of the map."""
_GAP = 20.0
_MAP_HEIGHT = 500.0
_TITLE, _TEXT, _SMALL = 20.0, 13.0, 11.5
_LEADING = 1.4
"""From one line of a printed map's texts to the next, as a part of the letters' size."""
_LETTER = 0.56
"""Width of an average letter on a printed map, as a part of its size."""
_INK, _MUTED, _EDGE, _FRAME = "#1c1c1c", "#555555", "#59626d", "#c9ccd1"
_HATCH, _HATCH_GROUND, _EMPTY_EDGE = "#8a867c", "#f3f1ec", "#b5b2aa"
_HATCH_EVERY = 5.0
_SWATCH = 7.0
_LINE = 1.4
"""Width of the lines above the hexagons of a printed map."""
_ROUTE = 3.0
"""Width of a place on a printed map that is a line itself."""
_BAR_SHARE = 0.28
"""Of the printed map's width that its scale bar takes at most."""
_BAR_DIGITS = (1, 2, 5)
_METRES_A_DEGREE = 111_195.0
"""Metres of a degree of latitude, for a scale bar: on a sphere of the Earth's mean radius (6,371.0 km)."""
_KILOMETRE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourClass:
    """One class of the legend."""

    label: str
    colour: str
    """As `#rrggbb`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapHexagon:
    """One cell of the map."""

    ring: Corners
    fill: MapFill
    open: bool = False
    """A line, such as a route, in place of an area."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HexagonMap:
    """What a picture of a map tells; every text is taken as it is, never as markup."""

    title: str
    subtitle: str
    """Of when and where, below the title."""
    legend: str
    """What the colours stand for."""
    unit: str
    classes: tuple[ColourClass, ...]
    """From low to high."""
    hexagons: tuple[MapHexagon, ...]
    names: dict[MapFill, str]
    """What the legend calls hexagons without a class."""
    lines: tuple[Corners, ...] = ()
    """Closed lines above the hexagons."""
    line_name: str = ""
    """What the legend calls them; empty: it is silent about them."""
    notes: tuple[str, ...] = ()
    """What a reader must know: epsilon, licence, publisher; a paragraph each."""


def rough_measure(text: str, size: float) -> float:
    """Where no typeface is at hand."""
    return _LETTER * size * len(text)


def map_picture(shown: HexagonMap, measure: TextWidth = rough_measure) -> Picture:
    """The map with all that it must say; it has one hexagon at least, and is as high as its texts need."""
    y = _MARGIN
    heading: list[Shape] = []
    for text, size, colour in ((shown.title, _TITLE, _INK), (shown.subtitle, _TEXT, _MUTED)):
        y = _paragraph(heading, text, (_MARGIN, y), size, colour, MAP_WIDTH - 2 * _MARGIN, measure)
    y += 8.0
    box = (_MARGIN, y, MAP_WIDTH - 2 * _MARGIN - _LEGEND - _GAP, _MAP_HEIGHT)
    place = CityProjection.of([one.ring for one in shown.hexagons], box)
    legend: list[Shape] = []
    below = _legend(legend, shown, (box[0] + box[2] + _GAP, y), measure)
    y = max(y + _MAP_HEIGHT, below) + 14.0
    notes: list[Shape] = []
    for note in shown.notes:
        y = _paragraph(notes, note, (_MARGIN, y), _SMALL, _MUTED, MAP_WIDTH - 2 * _MARGIN, measure) + 3.0
    shapes = (
        *heading,
        *(shape for one in _behind_first(shown.hexagons) for shape in _hexagon(one, place, shown.classes)),
        *(_closed_line(ring, place) for ring in shown.lines),
        *_frame(box),
        *_scale_bar(place, box),
        *legend,
        *notes,
    )
    return Picture(title=shown.title, width=MAP_WIDTH, height=y + _MARGIN - 12.0, shapes=shapes)


def _behind_first(hexagons: Sequence[MapHexagon]) -> list[MapHexagon]:
    """Those without a number below the others, whose edges are stronger."""
    return sorted(hexagons, key=lambda one: isinstance(one.fill, int))


def _hexagon(one: MapHexagon, place: CityProjection, classes: Sequence[ColourClass]) -> Iterator[Shape]:
    points = place.ring(one.ring)
    if one.open:
        colour = classes[one.fill].colour if isinstance(one.fill, int) else _HATCH
        dash = (4.0, 3.0) if one.fill in (HATCHED, DOTTED) else None
        yield Polyline(points=points, colour=colour, width=_ROUTE if dash is None else _LINE, dash=dash)
    else:
        yield from _filled(points, one.fill, classes)


def _filled(points: tuple[Point, ...], fill: MapFill, classes: Sequence[ColourClass]) -> Iterator[Shape]:
    """A polygon as the map draws it: its class, hatched, open, or an outline alone."""
    if isinstance(fill, int):
        yield Area(points=points, fill=classes[fill].colour, colour=_EDGE, width=0.5)
    elif fill == HATCHED:
        yield Area(points=points, fill=_HATCH_GROUND, colour=_HATCH, width=0.6)
        yield from _hatching(points)
    elif fill == DOTTED:
        yield Area(points=points, fill=_HATCH_GROUND, colour=_HATCH_GROUND, width=0.6)
        yield Polyline(points=(*points, points[0]), colour=_HATCH, width=0.8, dash=(1.5, 2.0))
    else:
        yield Area(points=points, fill=PAPER, colour=_EMPTY_EDGE, width=0.5)


def _hatching(points: tuple[Point, ...]) -> Iterator[Shape]:
    """Lines from lower left to upper right within a convex polygon, on one grid for the whole picture."""
    sums = [x + y for x, y in points]
    for number in range(math.ceil(min(sums) / _HATCH_EVERY), math.floor(max(sums) / _HATCH_EVERY) + 1):
        at = number * _HATCH_EVERY
        ends = []
        for (x, y), (u, v) in zip(points, (*points[1:], points[0]), strict=True):
            before, after = x + y - at, u + v - at
            if (before < 0.0) is not (after < 0.0):
                share = before / (before - after)
                ends.append((x + (u - x) * share, y + (v - y) * share))
        if len(ends) == 2:
            yield Polyline(points=tuple(ends), colour=_HATCH, width=0.6)


def _closed_line(ring: Corners, place: CityProjection) -> Shape:
    points = place.ring(ring)
    return Polyline(points=(*points, points[0]), colour=_INK, width=_LINE)


def _frame(box: tuple[float, float, float, float]) -> Iterator[Shape]:
    left, top, width, height = box
    right, bottom = left + width, top + height
    corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    yield Polyline(points=corners, colour=_FRAME, width=1.0)


def _scale_bar(place: CityProjection, box: tuple[float, float, float, float]) -> Iterator[Shape]:
    """A round length, in the lower left corner, on its own ground."""
    metres_a_point = _METRES_A_DEGREE / place.scale
    metres = round_length(_BAR_SHARE * box[2] * metres_a_point)
    length = metres / metres_a_point
    text = f"{metres // _KILOMETRE:g} km" if metres >= _KILOMETRE else f"{metres:g} m"
    left, bottom = box[0] + 14.0, box[1] + box[3] - 14.0
    right, top = left + length, bottom - 6.0
    ground = ((left - 6, top - 20), (right + 6, top - 20), (right + 6, bottom + 6), (left - 6, bottom + 6))
    yield Area(points=ground, fill=PAPER, colour=PAPER, width=0.5)
    ends = ((left, top), (left, bottom), (right, bottom), (right, top))
    yield Polyline(points=ends, colour=_INK, width=1.4)
    middle = (left + right) / 2.0
    yield Words(text=text, at=(middle, top - 7.0), size=_SMALL, colour=_INK, align="middle")


def round_length(most: float) -> int:
    """The longest of 1, 2 and 5 times a power of ten that is not above `most`, at least 1; metres."""
    power = 10 ** max(0, math.floor(math.log10(max(most, 1.0))))
    return max((digit * power for digit in _BAR_DIGITS if digit * power <= most), default=1)


def _legend(shapes: list[Shape], shown: HexagonMap, at: Point, measure: TextWidth) -> float:
    """What the colours mean, high above low, then what has no class; where it ends."""
    x, y = at
    y = _paragraph(shapes, shown.legend, (x, y), _TEXT, _INK, _LEGEND, measure)
    if shown.unit:
        y = _paragraph(shapes, shown.unit, (x, y), _SMALL, _MUTED, _LEGEND, measure)
    y += 8.0
    entries: list[tuple[MapFill, str]] = []
    entries += ((number, one.label) for number, one in reversed(list(enumerate(shown.classes))))
    present = {one.fill for one in shown.hexagons}
    entries += [(fill, name) for fill, name in shown.names.items() if fill in present]
    room = _LEGEND - 3.0 * _SWATCH - 4.0
    for fill, label in entries:
        swatch = tuple(_corner((x + _SWATCH + 1.0, y + _SWATCH + 1.0), number) for number in range(6))
        shapes.extend(_filled(swatch, fill, shown.classes))
        y = _paragraph(shapes, label, (x + 3.0 * _SWATCH, y), _SMALL, _INK, room, measure) + 4.0
    if shown.lines and shown.line_name:
        middle = y + _SWATCH + 1.0
        ends = ((x, middle), (x + 2.0 * _SWATCH + 2.0, middle))
        shapes.append(Polyline(points=ends, colour=_INK, width=_LINE))
        y = _paragraph(shapes, shown.line_name, (x + 3.0 * _SWATCH, y), _SMALL, _INK, room, measure) + 4.0
    return y


def _corner(middle: Point, number: int) -> Point:
    angle = math.radians(60.0 * number)
    return middle[0] + _SWATCH * math.sin(angle), middle[1] - _SWATCH * math.cos(angle)


def _paragraph(
    shapes: list[Shape], text: str, at: Point, size: float, colour: str, width: float, measure: TextWidth
) -> float:
    """Add the lines of a text, its upper left corner at `at`; where it ends."""
    x, y = at
    for line in wrapped(text, size, width, measure):
        shapes.append(Words(text=line, at=(x, y + _LEADING * size / 2.0), size=size, colour=colour))
        y += _LEADING * size
    return y


def wrapped(text: str, size: float, width: float, measure: TextWidth = rough_measure) -> list[str]:
    """The lines that a text takes; a word that is longer than a line is cut."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if measure(longer, size) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        while measure(line, size) > width and len(line) > 1:
            most = next((n for n in range(len(line) - 1, 1, -1) if measure(line[:n], size) <= width), 1)
            lines.append(line[:most])
            line = line[most:]
    return [*lines, line] if line else lines
