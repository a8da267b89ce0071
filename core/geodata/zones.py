"""Zones and the one that holds a position: squares to look in, positions looked at together.

    zones = read_zones(source, folder)              # core.geodata.zone_layer
    code = zones.locate(longitude, latitude)        # of each record; zones.ids[code], -1: outside of all

A zone's code is its place among the sorted ids, so that the smaller id is the smaller code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.clean.projections import local_metres
from core.geodata.shapes import Shapes
from core.geodata.zones_source import Overlap, ZonesSource
from core.progress import Progress, silent
from core.system.nested_texts import json_value

Codes = NDArray[np.int32]
NO_ZONE = -1
_MIXED = -2
_BLOCK = 1 << 17
"""Positions whose zone is looked up between two words of progress: some hundredths of a second."""
_MOST_PAIRS = 1 << 21
"""Pairs of a zone with a position, or with a square, that are looked at together."""
_SIDE = 256
"""Squares along each side of a layer of zones, in which a position's zones are looked for."""
_MARGIN = 1e-8
"""Degrees around a square of zones, a tenth of a position's last digit: more than rounding moves one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MiddleLines:
    """Of zones that are streets: where several hold a position the nearest line counts."""

    shapes: Shapes
    """In metres around the middle, shape (zones,)."""
    middle: tuple[float, float]
    """Longitude and latitude."""

    def to_metres(self, degrees: Floats) -> Floats:
        return local_metres(*self.middle)[0](degrees)


@dataclass(frozen=True, kw_only=True)
class Zones:
    """What was read of a layer."""

    source: ZonesSource
    ids: tuple[str, ...] = field(compare=False)
    """Sorted."""
    names: tuple[str, ...] = field(compare=False)
    shapes: Shapes = field(compare=False)
    """Polygons in degrees (WGS84), positions whole 1e-7 degrees, edges straight between them."""
    overlaps: tuple[Overlap, ...] = field(default=(), compare=False)
    """The largest first; none for streets."""
    lines: MiddleLines | None = field(default=None, compare=False)

    @property
    def digest(self) -> str:
        """Of what decides which zone a position is in."""
        return self.source.digest

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def middles(self) -> Floats:
        """Longitude and latitude of the centroid of each, shape (zones, 2)."""
        return np.asarray(shapely.get_coordinates(shapely.centroid(self.shapes)), float)

    def outlines(self) -> tuple[dict[str, Any], ...]:
        """The geometry of each, as GeoJSON has it: outer rings run counter-clockwise."""
        return tuple(map(json_value, shapely.to_geojson(shapely.orient_polygons(self.shapes)).tolist()))

    def locate(self, longitude: Floats, latitude: Floats, progress: Progress = silent) -> Codes:
        """The zone that holds each position, -1 where none does; a function of that position alone.

        On a boundary, and where zones overlap, the smaller id counts; of streets the nearest line, then the
        smaller id. longitude, latitude: degrees, shape (n,). Raises what `progress` raises.
        """
        codes = np.full(longitude.size, NO_ZONE, np.int32)
        for start in range(0, longitude.size, _BLOCK):
            progress(start / longitude.size, "Finding the zones of positions")
            block = slice(start, start + _BLOCK)
            codes[block] = self._located(longitude[block], latitude[block])
        return codes

    def _located(self, longitude: Floats, latitude: Floats) -> Codes:
        squares = self._squares
        square = squares.of(longitude, latitude)
        codes = squares.code[square]
        mixed = np.flatnonzero(codes == _MIXED)
        count = np.diff(squares.first)[square[mixed]]
        codes[mixed] = NO_ZONE
        part = np.cumsum(count) // _MOST_PAIRS
        for some in np.split(np.arange(mixed.size), np.flatnonzero(np.diff(part)) + 1):
            position = np.repeat(mixed[some], count[some])
            zone = squares.zone[_ranges(squares.first[square[mixed[some]]], count[some])]
            inside = shapely.intersects_xy(self.shapes[zone], longitude[position], latitude[position])
            position, zone = position[inside], zone[inside]
            if self.lines:
                position, zone = _nearest(self.lines, position, zone, longitude, latitude)
            at, first = np.unique(position, return_index=True)  # of each position the first, the smallest id
            codes[at] = zone[first]
        return codes

    def __getstate__(self) -> dict[str, Any]:
        """Without what is remembered: polygons that go to another process are no longer prepared."""
        return {name: value for name, value in self.__dict__.items() if name != "_squares"}

    @cached_property
    def _squares(self) -> _Squares:
        return _squares_of(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Squares:
    """Equal rectangles over the layer; most lie in one zone as a whole and need no look at its outline."""

    corner: Floats
    """West and south of all."""
    step: Floats
    """Width and height of one, degrees."""
    side: int
    code: Codes
    """Of each square the zone that holds all of it, -1 where there is none, -2 where it depends.

    The last one stands for all that lies beside them.
    """
    first: Ints
    zone: Ints
    """The zones that touch square i, rising: zone[first[i] : first[i + 1]]."""

    def of(self, longitude: Floats, latitude: Floats) -> Ints:
        """The square of each position."""
        (west, south), (wide, high) = self.corner, self.step
        column, row = np.floor((longitude - west) / wide), np.floor((latitude - south) / high)
        inside = (column >= 0) & (column < self.side) & (row >= 0) & (row < self.side)
        return np.where(inside, row * self.side + column, self.side**2).astype(np.int64)


def _squares_of(zones: Zones) -> _Squares:
    shapes = zones.shapes
    shapely.prepare(shapes)
    bounds = shapely.bounds(shapes)
    # what a polygon remembers is made by its first answer, and threads may only read it
    shapely.intersects_xy(shapes, bounds[:, ::2].mean(axis=1), bounds[:, 1::2].mean(axis=1))
    low = bounds[:, :2].min(axis=0) - _MARGIN
    extent = bounds[:, 2:].max(axis=0) + _MARGIN - low
    share = (bounds[:, 2:] - bounds[:, :2]) / extent
    side = _SIDE
    while side > 1 and np.prod(share * side + 2, axis=1).sum() > _MOST_PAIRS:
        side //= 2
    wide, high = extent / side
    row, column = np.divmod(np.arange(side**2), side)
    left, bottom = low[0] + column * wide, low[1] + row * high
    boxes = shapely.box(left - _MARGIN, bottom - _MARGIN, left + wide + _MARGIN, bottom + high + _MARGIN)
    square, zone = shapely.STRtree(shapes).query(boxes)
    order = np.lexsort((zone, square))
    square, zone = square[order], zone[order]
    touched = shapely.intersects(shapes[zone], boxes[square])
    square, zone = square[touched], zone[touched]
    covers = shapely.covers(shapes[zone], boxes[square])
    first = np.searchsorted(square, np.arange(side**2 + 2))
    code = np.full(side**2 + 1, NO_ZONE, np.int32)
    code[square] = _MIXED
    alone = np.diff(first)[square] == 1
    # where the smallest id holds all of a square no other counts there; of streets the nearest one does
    sure = covers & (alone if zones.lines else first[square] == np.arange(square.size))
    code[square[sure]] = zone[sure]
    return _Squares(corner=low, step=extent / side, side=side, code=code, first=first, zone=zone)


def _ranges(first: Ints, count: Ints) -> Ints:
    """The numbers from each `first` on, as many as its `count`, one range after the other."""
    before = np.cumsum(count) - count
    return np.asarray(np.arange(count.sum()) + np.repeat(first - before, count), np.int64)


def _nearest(
    lines: MiddleLines, position: Ints, zone: Ints, longitude: Floats, latitude: Floats
) -> tuple[Ints, Ints]:
    """The same pairs with the nearest line of each position first; position, zone: rising."""
    several = np.flatnonzero(np.bincount(position, minlength=1)[position] > 1)
    at = position[several]
    metres = lines.to_metres(np.column_stack([longitude[at], latitude[at]]))
    distance = np.zeros(position.size)
    distance[several] = shapely.distance(lines.shapes[zone[several]], shapely.points(metres))
    order = np.lexsort((zone, distance, position))
    return position[order], zone[order]
