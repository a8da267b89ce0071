"""What of a layer one map tile draws: parts cut together, how fine, how many positions, the rim around.

A tile of web maps is a square of `UNITS` units. What is smaller than a few pixels, and all lines where they
are more than a screen can tell apart, become one picture of a bit a pixel: the page's work is bounded by its
pixels, not by the layer.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.arrays import Floats, Ints
from core.geodata.features import Features
from core.geodata.shapes import (
    AREA,
    HALF_WORLD_M,
    LINE,
    POINT,
    MapBox,
    Parts,
    clipped,
    corners,
    middles,
    to_lon_lat,
)

UNITS = 1024
"""Units of a map tile's side that parts are drawn in: four a pixel, for screens with small ones."""
POINTS, OPEN_LINE, OUTER_RING, HOLE, BITS = range(5)
"""Kinds of records. Bits are the tile's pixels, row by row, 16 in a number, the lowest one in the west."""
PIXELS = 256
"""Pixels of a map tile's side."""
_PIXEL = UNITS // PIXELS
_AROUND = 16 * _PIXEL
"""Beside the tile, so that wide lines and points next to it reach in."""
_DENSE = 6000
"""Positions of a layer's lines on a tile from which on no screen tells them apart."""
_SMALL = 3
"""Pixels of an area's side up to which a map tile draws a block for it."""
_BLOCK = 2000
"""Parts of a layer cut to tiles together, without giving Python's lock back in between."""
_LONGEST = 8000
"""Positions in one record of a map tile; its length is a whole number of 16 bits."""
_MOST_NAMES = 60
_NAMES_LOOKED_AT = 600
_LETTER, _NAME_HEIGHT = 6.5, 16.0
"""Pixels of a name on the map, roughly."""


def tile_box(zoom: int, column: int, row: int, around: float = 0.0) -> MapBox:
    """The square of a tile in metres of web maps, and so many units around it."""
    side = 2 * HALF_WORLD_M / (1 << zoom)
    west, north = column * side - HALF_WORLD_M, HALF_WORLD_M - row * side
    more = around * side / UNITS
    return west - more, north - side - more, west + side + more, north + more


def draw_tile(parts: Parts, zoom: int, column: int, row: int) -> bytes:
    """Records of what lies on the tile, areas first: little-endian whole numbers of 16 bits, with a sign.

    A record is its kind, its number of positions, and these as x, y in units from the north-west corner.
    """
    found = parts.within(tile_box(zoom, column, row, _AROUND))
    if not found.size:
        return b""
    west, _, _, north = tile_box(zoom, column, row)
    unit = 2 * HALF_WORLD_M / (1 << zoom) / UNITS

    def on_tile(metres: Floats) -> Ints:
        across, down = (metres[:, 0] - west) / unit, (north - metres[:, 1]) / unit
        return np.column_stack([np.rint(across), np.rint(down)]).astype(np.int64)

    kinds, pixels = parts.kind[found], parts.size[found] / (unit * _PIXEL)
    is_block = ((kinds == LINE) & (pixels < 1)) | ((kinds == AREA) & (pixels < _SMALL))
    blocks, points = found[is_block], found[kinds == POINT]
    bits = _Bits()
    bits.add_blocks(on_tile(parts.bounds[blocks][:, [0, 3]]), on_tile(parts.bounds[blocks][:, [2, 1]]))
    large = found[~is_block & (kinds != POINT)]
    records = _of_large(parts, large, on_tile, tile_box(zoom, column, row, _AROUND), unit, bits)
    places = on_tile(parts.bounds[points, :2])
    if len(places) > _DENSE:
        bits.add_blocks(places, places)
        places = places[:0]
    records += [bits.record(), _joined(POINTS, places)]
    return b"".join(record.astype("<u2").tobytes() for record in records)


def _of_large(
    parts: Parts, large: Ints, on_tile: Callable[[Floats], Ints], box: MapBox, unit: float, bits: _Bits
) -> list[Ints]:
    """Records of lines and areas that are larger than a few pixels; of too many lines, bits."""
    cut = [
        _cut(parts, large[start : start + _BLOCK], on_tile, box, unit * _PIXEL / 3)
        for start in range(0, large.size, _BLOCK)
    ]
    if not sum(len(places) for places, _, _ in cut):
        return []
    before = np.cumsum([0, *(len(kinds) for _, _, kinds in cut)])
    places = np.concatenate([places for places, _, _ in cut])
    run = np.concatenate([run + runs for (_, run, _), runs in zip(cut, before, strict=False)])
    kind = np.concatenate([kinds for _, _, kinds in cut])
    areas = kind != OPEN_LINE
    records = [_runs(places, run, kind, np.flatnonzero(areas), fewest=3)]
    if (~areas[run]).sum() > _DENSE:
        joined = (run[1:] == run[:-1]) & ~areas[run[1:]]
        bits.add_lines(places[:-1][joined], places[1:][joined])
    else:
        records.append(_runs(places, run, kind, np.flatnonzero(~areas), fewest=2))
    return records


def _cut(
    parts: Parts, large: Ints, on_tile: Callable[[Floats], Ints], box: MapBox, tolerance: float
) -> tuple[Ints, Ints, Ints]:
    """Positions of some parts on the tile, shape (n, 2), the run of each, and the kind of each run."""
    shapes, of = clipped(parts.shapes[large], box, tolerance)
    metres, run, owner = corners(shapes)
    places = np.clip(on_tile(metres), -2 * _AROUND, UNITS + 2 * _AROUND)
    first = np.ones(len(owner), bool)
    first[1:] = owner[1:] != owner[:-1]
    moved = np.ones(len(places), bool)
    moved[1:] = (run[1:] != run[:-1]) | (places[1:] != places[:-1]).any(axis=1)
    areas = parts.kind[large][of][owner] == AREA
    kind = np.where(areas, np.where(first, OUTER_RING, HOLE), OPEN_LINE)
    return places[moved], run[moved], kind


class _Bits:
    """The pixels of a tile that something is drawn on."""

    def __init__(self) -> None:
        self._on = np.zeros((PIXELS, PIXELS), bool)

    def add_blocks(self, north_west: Ints, south_east: Ints) -> None:
        """Every pixel of small rectangles; corners in units, shape (n, 2)."""
        low, high = north_west // _PIXEL, south_east // _PIXEL
        for across in range(_SMALL + 1):
            for down in range(_SMALL + 1):
                self._set(
                    np.minimum(low[:, 0] + across, high[:, 0]), np.minimum(low[:, 1] + down, high[:, 1])
                )

    def add_lines(self, one: Ints, other: Ints) -> None:
        """Every pixel of straight lines; ends in units, shape (n, 2)."""
        start, way = one / _PIXEL, (other - one) / _PIXEL
        counts = np.ceil(np.abs(way).max(axis=1, initial=0.0)).astype(np.int64) + 1
        line = np.repeat(np.arange(len(counts)), counts)
        number = np.arange(line.size) - np.repeat(np.cumsum(counts) - counts, counts)
        share = (number / np.maximum(counts - 1, 1)[line])[:, None]
        pixels = np.floor(start[line] + way[line] * share).astype(np.int64)
        self._set(pixels[:, 0], pixels[:, 1])

    def _set(self, x: Ints, y: Ints) -> None:
        inside = (x >= 0) & (y >= 0) & (x < PIXELS) & (y < PIXELS)
        self._on[y[inside], x[inside]] = True

    def record(self) -> Ints:
        """One record; none where no pixel is on."""
        if not self._on.any():
            return np.empty(0, np.int64)
        numbers = np.packbits(self._on, bitorder="little").view("<u2")
        return np.concatenate([[BITS, numbers.size // 2], numbers]).astype(np.int64)


def _joined(kind: int, places: Ints) -> Ints:
    """Records of positions that belong to no run."""
    pieces = [places[start : start + _LONGEST] for start in range(0, len(places), _LONGEST)]
    return np.concatenate(
        [np.empty(0, np.int64), *(np.r_[kind, len(piece), piece.reshape(-1)] for piece in pieces)]
    )


def _runs(places: Ints, run: Ints, kind: Ints, wanted: Ints, *, fewest: int) -> Ints:
    """Records of some runs, all together; those with fewer positions are nothing."""
    lengths = np.bincount(run, minlength=len(kind))
    chosen = np.zeros(len(kind), bool)
    chosen[wanted] = True
    chosen &= lengths >= fewest
    long = np.flatnonzero(chosen & (lengths > _LONGEST))
    chosen[long] = False
    starts = np.cumsum(lengths) - lengths
    thinned = []
    for number in long:  # of few: a coast
        piece = places[starts[number] : starts[number] + lengths[number]]
        piece = piece[:: -(-len(piece) // _LONGEST)]
        thinned.append(np.r_[kind[number], len(piece), piece.reshape(-1)])
    numbers = np.flatnonzero(chosen)
    sizes = 2 + 2 * lengths[numbers]
    heads = np.cumsum(sizes) - sizes
    record = np.empty(int(sizes.sum()), np.int64)
    record[heads], record[heads + 1] = kind[numbers], lengths[numbers]
    body = np.ones(record.size, bool)
    body[heads] = body[heads + 1] = False
    record[body] = places[chosen[run]].reshape(-1)
    return np.concatenate([record, *thinned])


def names_in(features: Features, box: MapBox, zoom: float) -> list[tuple[float, float, str]]:
    """Longitude, latitude and text of names that fit into the box beside each other, the largest first.

    Each name once; box: in metres of web maps; zoom: tells how large a letter is on the ground.
    """
    parts = features.parts
    found = parts.within(box)
    found = found[np.argsort(-parts.size[found], kind="stable")]
    once: dict[str, int] = {}
    for part in found:
        name = features.names[parts.owner[part]]
        if name and name not in once:
            once[name] = int(part)
            if len(once) >= _NAMES_LOOKED_AT:
                break
    if not once:
        return []
    chosen = np.array(list(once.values()))
    places = middles(parts.shapes[chosen], np.where(parts.kind[chosen] == LINE, LINE, AREA))
    pixel = 2 * HALF_WORLD_M / (256 * 2**zoom)
    west, south, east, north = box
    taken: list[tuple[float, float, float]] = []
    labels: list[tuple[float, float, str]] = []
    degrees = to_lon_lat(places)
    for name, (x, y), (longitude, latitude) in zip(once, places, degrees, strict=True):
        across, down, half = (x - west) / pixel, (north - y) / pixel, len(name) * _LETTER / 2 + 4
        if not (west <= x <= east and south <= y <= north):
            continue
        if any(
            abs(across - other) < half + width and abs(down - height) < _NAME_HEIGHT
            for other, height, width in taken
        ):
            continue
        taken.append((across, down, half))
        labels.append((float(longitude), float(latitude), name))
        if len(labels) >= _MOST_NAMES:
            break
    return labels
