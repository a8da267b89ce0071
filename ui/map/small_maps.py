"""Small maps of all timeslots, drawn in a worker: the hexagons are traced once, then only recoloured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from core.charts.map_projection import CityProjection
from core.progress import Progress, part, silent
from ui.kit.theme import Colours
from ui.map.layer_values import OUTSIDE_CODE, SUPPRESSED_CODE, UNKNOWN_CODE, LayerValues
from ui.map.place_rings import drawn_rings, is_route_line
from ui.web_map.map_html import Outlines

_FINER = 2
"""Traced pixels for each pixel of the picture, along each side: their mean smooths the edges."""
_ROUTE = 3
"""Width of the line of a route, in pixels of the picture."""
_HATCH_EVERY, _HATCH_WIDE = 5, 2
"""Traced pixels from one line of the hatch to the next, and of a line."""
_LINED_FROM = 100
"""Pixels of a picture that a hexagon takes on average, from which a line parts it from those beside it."""
_CELLS_PER_PROGRESS = 250
_STEP_BACK = 0.75
"""Of a hexagon that is not marked, its way to the ground's colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallMaps:
    """One picture for each slot, all of one size."""

    slots: tuple[int, ...]
    images: tuple[QImage, ...]


def trace(
    cells: Sequence[str],
    width: int,
    height: int,
    progress: Progress = silent,
    outlines: Outlines = MappingProxyType({}),
) -> NDArray[np.int32]:
    """Which cell lies where: shape (height, width), the place of the cell in `cells`, -1 beside all of them.

    The first cells lie below the others. outlines: of places that are no hexagons. `progress` may raise
    `Cancelled`.
    """
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(0, 0, 0))
    rings = [(number, ring) for number, cell in enumerate(cells) for ring in drawn_rings(cell, outlines)]
    if rings:
        place = CityProjection.of([ring for _, ring in rings], (0.0, 0.0, float(width), float(height)))
        # a picture that goes while it is painted on ends the process, and `progress` may raise in between
        with QPainter(image) as painter:
            painter.setPen(Qt.PenStyle.NoPen)
            for number, ring in rings:
                if number % _CELLS_PER_PROGRESS == 0:
                    progress(number / len(cells))
                painter.setBrush(QColor.fromRgb(number + 1))
                points = QPolygonF([QPointF(*point) for point in place.ring(ring)])
                if cells[number] in outlines and is_route_line(outlines[cells[number]]):
                    painter.setPen(QPen(painter.brush().color(), _ROUTE * _FINER))
                    painter.drawPolyline(points)
                else:
                    painter.drawPolygon(points)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(height, width)
    return (pixels & 0xFFFFFF).astype(np.int32) - 1


def small_maps(
    values: LayerValues,
    slots: range,
    classes: Sequence[str],
    cells: Sequence[str],
    size: tuple[int, int],
    colours: Colours,
    marked: Mapping[int, frozenset[str]],
    progress: Progress = silent,
    outlines: Outlines = MappingProxyType({}),
) -> SmallMaps:
    """Trace the cells, and colour them for every slot.

    classes: colours of the layer's classes, the same for all slots. size: width and height of each picture in
    pixels. marked: slot -> cells that stand out from the others of that slot. outlines: as `trace`.
    `progress` may raise `Cancelled`.
    """
    width, height = (max(side, 1) * _FINER for side in size)
    traced = trace(cells, width, height, part(progress, 0.0, 0.5), outlines)
    place = {cell: number for number, cell in enumerate(cells)}
    hat_place = np.array([place.get(cell, -1) for cell in values.cells], np.int64)
    ground = _rgb(colours.window)
    palette = np.array([_rgb(colour) for colour in classes] or [ground], np.float32)
    rows, columns = np.indices(traced.shape)
    hatch = (rows + columns) % _HATCH_EVERY < _HATCH_WIDE
    lines = _lines(traced, len(cells))
    images = []
    for number, slot in enumerate(slots):
        progress(0.5 + 0.5 * number / len(slots))
        here = (values.slots == slot) & (hat_place >= 0)
        codes = np.full(len(cells) + 1, OUTSIDE_CODE, np.int64)  # the last: beside all cells
        codes[hat_place[here]] = values.codes[here]
        table = np.empty((len(cells) + 1, 3), np.float32)
        table[:] = _rgb(outside_colour(colours))
        table[codes >= 0] = palette[codes[codes >= 0]]
        table[codes == UNKNOWN_CODE] = _rgb(colours.outline)
        table[codes == SUPPRESSED_CODE] = _rgb(colours.surface)
        own = marked.get(slot)
        if own:
            others = np.array([cell not in own for cell in cells] + [False])
            table[others] += (np.array(ground, np.float32) - table[others]) * _STEP_BACK
        table[-1] = ground
        pixels = table[traced]
        pixels[hatch & (codes[traced] == SUPPRESSED_CODE)] = _rgb(colours.muted)
        pixels[lines] = ground
        images.append(_smoothed(pixels))
    return SmallMaps(slots=tuple(slots), images=tuple(images))


def _lines(traced: NDArray[np.int32], cells: int) -> NDArray[np.bool_]:
    """Where hexagons meet; nowhere if they are so small that a line would take their colour."""
    found = np.zeros(traced.shape, np.bool_)
    if np.count_nonzero(traced >= 0) < _LINED_FROM * _FINER**2 * cells:
        return found
    for here, there in ((np.s_[:, 1:], np.s_[:, :-1]), (np.s_[1:], np.s_[:-1])):
        meet = (traced[here] != traced[there]) & (traced[here] >= 0) & (traced[there] >= 0)
        found[here] |= meet
        found[there] |= meet
    return found


def outside_colour(colours: Colours) -> str:
    """Of a hexagon of which a slot tells nothing: in the dark, nearer to the ground than any class is."""
    return colours.raised if colours.dark else colours.line


def _rgb(colour: str) -> tuple[int, int, int]:
    parsed = QColor(colour)
    return parsed.red(), parsed.green(), parsed.blue()


def _smoothed(pixels: NDArray[np.float32]) -> QImage:
    """Each square of traced pixels as one, its mean."""
    height, width = pixels.shape[0] // _FINER, pixels.shape[1] // _FINER
    means = pixels.reshape(height, _FINER, width, _FINER, 3).mean(axis=(1, 3))
    packed = np.empty((height, width, 4), np.uint8)
    packed[..., :3] = means[..., ::-1]
    packed[..., 3] = 255
    return QImage(packed.data, width, height, 4 * width, QImage.Format.Format_RGB32).copy()
