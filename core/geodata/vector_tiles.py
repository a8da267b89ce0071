"""What of a layer a map draws on one tile: few whole numbers, however many features lie there.

A tile of web maps is a square of `UNITS` units. What is smaller than a pixel becomes a dot; where more is
drawn than a screen can tell apart, positions are rounded to pixels and what repeats is left out: the page's
work is bounded by its pixels, not by the layer.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

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
"""Of a tile's side: four a pixel, for screens with small ones."""
POINTS, OPEN_LINE, OUTER_RING, HOLE, DOTS, STROKES = range(6)
"""Kinds of records. Strokes are separate: each has two positions."""
_PIXEL = UNITS // 256
_AROUND = 16 * _PIXEL
"""Beside the tile, so that wide lines and points next to it reach in."""
_DENSE = 20_000
"""Positions on a tile from which on no screen tells them apart."""
_LONGEST = 8000
"""Positions of a record; its length is a whole number of 16 bits."""
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
    """Records of what lies on the tile, areas first: little-endian whole numbers of 16 bits.

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

    tiny = (parts.size[found] < unit * _PIXEL) & (parts.kind[found] != POINT)
    centres = (parts.bounds[found, :2] + parts.bounds[found, 2:]) / 2
    points = on_tile(centres[parts.kind[found] == POINT])
    dots = _to_pixels(on_tile(centres[tiny]))
    large = found[~tiny & (parts.kind[found] != POINT)]
    records = _of_large(parts, large, on_tile, tile_box(zoom, column, row, _AROUND), unit)
    if len(points) > _DENSE // 10:
        points = _to_pixels(points)
    records += [_joined(DOTS, dots), _joined(POINTS, points)]
    return b"".join(record.astype("<i2").tobytes() for record in records)


def _of_large(
    parts: Parts, large: Ints, on_tile: Callable[[Floats], Ints], box: MapBox, unit: float
) -> list[Ints]:
    """Records of lines and areas that are larger than a pixel."""
    if not large.size:
        return []
    shapes, of = clipped(parts.shapes[large], box, unit * _PIXEL / 3)
    metres, run, owner = corners(shapes)
    if not len(metres):
        return []
    places = np.clip(on_tile(metres), -2 * _AROUND, UNITS + 2 * _AROUND)
    areas = parts.kind[large][of][owner] == AREA
    first = np.ones(len(owner), bool)
    first[1:] = owner[1:] != owner[:-1]
    dense = len(places) > _DENSE
    if dense:
        places = (places + _PIXEL // 2) // _PIXEL * _PIXEL
    moved = np.ones(len(places), bool)
    moved[1:] = (run[1:] != run[:-1]) | (places[1:] != places[:-1]).any(axis=1)
    places, run = places[moved], run[moved]
    kind = np.where(areas, np.where(first, OUTER_RING, HOLE), OPEN_LINE)
    records = [_runs(places, run, kind, np.flatnonzero(areas), fewest=3)]
    lines = np.flatnonzero(~areas)
    if dense:
        records.append(_joined(STROKES, _strokes(places, run, areas)))
    else:
        records.append(_runs(places, run, kind, lines, fewest=2))
    return records


def _to_pixels(places: Ints) -> Ints:
    """Positions rounded to pixels, each once, those on the tile and close by."""
    pixels = np.clip((places + _PIXEL // 2) // _PIXEL, -_AROUND, 2 * UNITS)
    keys = np.unique((pixels[:, 0] << 20) + pixels[:, 1] + (1 << 19))
    return np.column_stack([keys >> 20, (keys & ((1 << 20) - 1)) - (1 << 19)]) * _PIXEL


def _strokes(places: Ints, run: Ints, areas: NDArray[np.bool_]) -> Ints:
    """Pairs of neighbours on lines, each once whichever way it runs; positions are on pixels."""
    joined = (run[1:] == run[:-1]) & ~areas[run[1:]]
    pixels = places // _PIXEL + (1 << 11)
    keys = (pixels[:, 0] << 12) + pixels[:, 1]
    one, other = keys[:-1][joined], keys[1:][joined]
    pairs = np.unique((np.minimum(one, other) << 24) + np.maximum(one, other))
    ends = np.column_stack([pairs >> 24, pairs & ((1 << 24) - 1)]).reshape(-1)
    return (np.column_stack([ends >> 12, ends & ((1 << 12) - 1)]) - (1 << 11)) * _PIXEL


def _joined(kind: int, places: Ints) -> Ints:
    """Records of positions that belong to no run; pairs stay together, as the longest record is even."""
    pieces = [places[start : start + _LONGEST] for start in range(0, len(places), _LONGEST)]
    return np.concatenate(
        [np.empty(0, np.int64), *(np.r_[kind, len(piece), piece.reshape(-1)] for piece in pieces)]
    )


def _runs(places: Ints, run: Ints, kind: Ints, wanted: Ints, *, fewest: int) -> Ints:
    """Records of some runs, all at once; those with fewer positions are nothing."""
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
    told: list[tuple[float, float, str]] = []
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
        told.append((float(longitude), float(latitude), name))
        if len(told) >= _MOST_NAMES:
            break
    return told
