"""A small map of each timeslot as SVG, for report.html: its size and shape (method 14.9).

Hexagons of one class are one path, so that a city of thousands of them stays small.
"""

from __future__ import annotations

import dataclasses
import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.bundle.csv_columns import PERIOD
from core.bundle.public_tables import LINES, PublicTable
from core.bundle.release_result import NO_INFORMATION, SUPPRESSED
from core.charts.colour_ramps import HEAP_COLOUR
from core.charts.map_projection import CityProjection
from core.portal.map_data import slots_of
from core.portal.readable_tables import first_text, with_shown_rows
from core.portal.shown_layers import KeyLine, ShownLayer, key_lines, shown_layers
from core.portal.shown_numbers import as_shown, shown_unit
from core.quantity import Quantity
from core.texts import Name

_SIDE = 600
"""Steps of the longer side of a timeslot's map: hexagons of a large city are still some steps wide."""
_AROUND = 4
_LONGEST = 1.6
"""How much longer than wide a timeslot's map may be, or wider than long, before it is padded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotPicture:
    """One timeslot: paths by what they show."""

    labels: str
    """What tells it apart from pictures of the same hours; empty where nothing does."""
    period: str
    """Its name; empty where it has none."""
    start: str
    end: str
    values: tuple[tuple[str, str], ...]
    """Colour and path of each class that is there."""
    suppressed: str
    """Path; empty where nothing is suppressed."""
    unknown: str
    """Path of what nothing is known of; empty where there is none."""
    outside: str
    """Path of hexagons that are not of this slot; empty where there is none, or where coarser ones show."""
    finer: tuple[SlotPicture, ...] = ()
    """Of finer hexagons, which are drawn over these, coarsest first."""

    @property
    def layers(self) -> tuple[SlotPicture, ...]:
        """In the order in which they are drawn."""
        return (self, *self.finer)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotPictures:
    """All timeslots of a table's first number."""

    name: str
    """Name of the column."""
    unit: str
    label: str
    """Which of several rows of a hexagon is shown, `limit_kmh 40.000`; empty where there is one."""
    width: int
    height: int
    lines: bool
    """Whether its paths are of routes, which are drawn as lines."""
    classes: tuple[KeyLine, ...]
    slots: tuple[SlotPicture, ...]


def slot_pictures(public: PublicTable, quantity: Quantity, span: int) -> SlotPictures:
    """The pictures of a table with at least one row; span: U, thousandths."""
    public = with_shown_rows(public)
    layer = shown_layers(public, quantity, span)[0]
    measure, label, rows = layer.shown, public.statistic.label, list(public.rows)
    shown = ""
    if label is not None:
        ordered = [text for text in label.sorted_texts(rows) if text != label.word]
        middle = first_text(public, quantity, span) or ordered[len(ordered) // 2]
        rows, shown = [row for row in rows if label.text(row) == middle], f"{label.shown_name} {middle}"
    paths, width, height = _paths(public, {cell for row in rows for cell in public.drawn_places(row)})
    return SlotPictures(
        name=measure.name,
        unit=shown_unit(measure),
        label=shown,
        width=width,
        height=height,
        lines=public.shape == LINES,
        classes=_rising(layer),
        slots=tuple(
            _layered(_Drawn(public=public, layer=layer, paths=paths, labels=labels, slot=slot), some)
            for labels, some in _by_labels(public, rows)
            for slot in slots_of(some)
        ),
    )


def _rising(layer: ShownLayer) -> tuple[KeyLine, ...]:
    """The key with what stands at the upper end last."""
    lines, heaps, limits = key_lines(layer), layer.classes.heaps, layer.classes.limits
    first = sum(not limits or heap < limits[-1] for heap in heaps)
    return (*lines[:first], *lines[len(heaps) :], *lines[first : len(heaps)])


def _by_labels(
    public: PublicTable, rows: Sequence[Mapping[str, str]]
) -> list[tuple[str, list[Mapping[str, str]]]]:
    """The rows of each combination of labels, under its name; all under none where there are no groups."""
    found: dict[tuple[str, ...], list[Mapping[str, str]]] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in public.table.groups), []).append(row)
    return [(Name(", ".join(labels)), found[labels]) for labels in sorted(found)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawn:
    """What a picture is of."""

    public: PublicTable
    layer: ShownLayer
    paths: Mapping[str, str]
    labels: str
    slot: tuple[str, str]


def _layered(one: _Drawn, rows: Sequence[Mapping[str, str]]) -> SlotPicture:
    """The picture, with one over it for each finer resolution that the hexagons have."""
    if not one.public.table.mixed:
        return _picture(one, rows)
    levels: dict[str, list[Mapping[str, str]]] = {}
    for row in rows:
        levels.setdefault(row["h3_resolution"], []).append(row)
    every = [
        dataclasses.replace(_picture(one, levels[level]), outside="") for level in sorted(levels, key=int)
    ]
    return dataclasses.replace(every[0], finer=tuple(every[1:]))


def _picture(one: _Drawn, rows: Sequence[Mapping[str, str]]) -> SlotPicture:
    (start, end), layer, paths = one.slot, one.layer, one.paths
    found: dict[str, list[str]] = {}
    drawn: set[str] = set()
    for row in rows:
        if row["slot_start"] <= start and end <= row["slot_end"]:
            cells = one.public.drawn_places(row)
            found.setdefault(_look(row, layer), []).extend(paths[cell] for cell in cells)
            drawn.update(cells)
    joined = {look: "".join(parts) for look, parts in found.items()}
    return SlotPicture(
        labels=one.labels,
        period=Name(next((row.get(PERIOD.name, "") for row in rows if row["slot_start"] == start), "")),
        start=start,
        end=end,
        values=tuple(
            (colour, joined[colour]) for colour in (HEAP_COLOUR, *layer.colours) if colour in joined
        ),
        suppressed=joined.get(SUPPRESSED, ""),
        unknown=joined.get(NO_INFORMATION, ""),
        outside="".join(path for cell, path in paths.items() if cell not in drawn),
    )


def _look(row: Mapping[str, str], layer: ShownLayer) -> str:
    """The colour of a row's number, or its status where there is none to be seen."""
    if row["status"] == SUPPRESSED or not row[layer.shown.name]:
        return SUPPRESSED
    if row["status"] == NO_INFORMATION and layer.raw is None:
        return NO_INFORMATION
    (value,) = as_shown([float(row[layer.shown.name])], layer.shown)
    if value is None or value in layer.classes.heaps:
        return HEAP_COLOUR
    return layer.colours[bisect_right(layer.classes.limits, value)]


def _paths(public: PublicTable, cells: Iterable[str]) -> tuple[dict[str, str], int, int]:
    """Cell -> its outline as a path of whole steps, with width and height of the picture."""
    lines = public.shape == LINES
    rings = {
        cell: [[(lat, lon) for lon, lat in (ring if lines else ring[:-1])] for ring in public.rings(cell)]
        for cell in sorted(cells)
    }
    every = [ring for found in rings.values() for ring in found]
    place = CityProjection.of(every, (0.0, 0.0, _SIDE, _SIDE))
    drawn = {cell: [place.ring(ring) for ring in found] for cell, found in rings.items()}
    corners = [corner for found in drawn.values() for ring in found for corner in ring]
    wide, high = (
        max(most, _SIDE / _LONGEST)
        for most in (_reach(corner[axis] for corner in corners) for axis in (0, 1))
    )
    left, top = (_SIDE - wide) / 2, (_SIDE - high) / 2
    paths = {
        cell: "".join(
            _path([(round(x - left), round(y - top)) for x, y in ring], "" if lines else "z")
            for ring in found
        )
        for cell, found in drawn.items()
    }
    return paths, math.ceil(wide), math.ceil(high)


def _reach(places: Iterable[float]) -> float:
    """Steps that are used of a side, and a few beside them."""
    found = list(places)
    return max(found) - min(found) + 2 * _AROUND


def _path(corners: Sequence[tuple[int, int]], end: str) -> str:
    moves = [(x - u, y - v) for (u, v), (x, y) in pairwise(corners) if (u, v) != (x, y)]
    lines = "".join(f"l{x}{'' if y < 0 else ' '}{y}" for x, y in moves)
    return f"M{corners[0][0]} {corners[0][1]}{lines}{end}"
