"""The geometry of a layer: read, mended, in metres of web maps; nested collections, the date line.

Web Mercator (EPSG:3857) keeps angles: within a city, distances divided by 1 / cos(latitude) are true.
"""

from __future__ import annotations

import contextlib
import math
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.progress import Progress, silent
from core.texts import text_of

Shapes = NDArray[Any]
"""Geometries of shapely, None where there is none."""
MapBox = tuple[float, float, float, float]
"""West, south, east, north; in metres of web maps."""
POINT, LINE, AREA = 0, 1, 2
"""Kinds of parts."""

EARTH_RADIUS_M = 6_378_137.0
HALF_WORLD_M = math.pi * EARTH_RADIUS_M
"""From the middle of a web map to its edges."""
_MOST_LATITUDE = 85.06
_MOST_LONGITUDE = 540.0
"""Degrees in the geometry of a layer: some around the date line count on beyond 180."""
_REASON = re.compile(r"(.*)\[(\S+) (\S+)\]")
_KINDS = {0: POINT, 1: LINE, 2: LINE, 3: AREA}
"""Of shapely's types of single geometries, linear rings among them."""

_DEEPEST = 100
"""Collections of geometry in one another; files that people make have two."""
_PLACE, _CORNERS, _RINGS = 1, (2, 8), 3
"""Of well-known binary: types with corners alone. All others hold geometries."""
_SINGLE = tuple(bytes([1, base, 0]) for base in (1, 2, 3))
"""How most binaries begin, with one point, line or area."""
_HIGH, _MEASURED, _NUMBERED = 0x80000000, 0x40000000, 0x20000000
"""Flags of a type: heights, measures and the number of a reference system follow."""

UNREADABLE = shapely.Point(math.inf, math.inf)
"""Stands for a geometry that is there, and that nobody can read; it lies nowhere."""


def from_wkb(blobs: Sequence[bytes | None]) -> Shapes:
    """Geometries of well-known binaries; None where there is none."""
    return _read(shapely.from_wkb, [b"" if blob and _is_nested(blob) else blob for blob in blobs])


def _is_nested(blob: bytes) -> bool:
    """Whether collections lie in one another so deep that reading them would fill the stack.

    What cannot be read ends the look: the library refuses it there, no deeper than here.
    """
    if blob[:3] in _SINGLE:
        return False
    order, at, left = "<", 0, [1]
    with contextlib.suppress(struct.error, IndexError):
        while left and len(left) <= _DEEPEST:
            if not left[-1]:
                left.pop()
                continue
            left[-1] -= 1
            order = {0: ">", 1: "<"}.get(blob[at], order)
            (kind,) = struct.unpack_from(f"{order}I", blob, at + 1)
            at += 9 if kind & _NUMBERED else 5
            iso, base = divmod(kind & 0xFFFF, 1000)
            high, measured = bool(kind & _HIGH) or iso in (1, 3), bool(kind & _MEASURED) or iso in (2, 3)
            width = 8 * (2 + high + measured)
            if base == _PLACE:
                at += width
                continue
            (count,) = struct.unpack_from(f"{order}I", blob, at)
            at += 4
            if base in _CORNERS:
                at += width * count
            elif base == _RINGS:
                for _ in range(count):
                    at += 4 + width * struct.unpack_from(f"{order}I", blob, at)[0]
            else:
                left.append(count)
    return len(left) > _DEEPEST


def from_geojson(texts: Sequence[str | None]) -> Shapes:
    """Geometries of GeoJSON objects, one each; None where there is none."""
    return _read(shapely.from_geojson, texts)


def _read(read: Callable[..., Any], given: Sequence[bytes | str | None]) -> Shapes:
    column = np.array([*given, None], object)[:-1]
    with np.errstate(all="ignore"):
        found = np.asarray(read(column, on_invalid="ignore"), object)
    torn = shapely.is_missing(found) & np.array([one is not None for one in given], bool)
    return np.where(torn, UNREADABLE, found)


def to_metres(degrees: Floats) -> Floats:
    """Longitude and latitude, shape (n, 2), in metres of web maps."""
    north = np.clip(degrees[:, 1], -_MOST_LATITUDE, _MOST_LATITUDE)
    return np.column_stack(
        [
            EARTH_RADIUS_M * np.radians(degrees[:, 0]),
            EARTH_RADIUS_M * np.arctanh(np.sin(np.radians(north))),
        ]
    )


def to_lon_lat(metres: Floats) -> Floats:
    """The inverse of `to_metres`."""
    return np.column_stack(
        [
            np.degrees(metres[:, 0] / EARTH_RADIUS_M),
            np.degrees(np.arctan(np.sinh(metres[:, 1] / EARTH_RADIUS_M))),
        ]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Single points, lines and polygons in metres of web maps."""

    shapes: Shapes
    """Shape (parts,)."""
    owner: Ints
    """The feature that each belongs to, shape (parts,)."""
    kind: Ints
    """`POINT`, `LINE` or `AREA`, shape (parts,)."""
    size: Floats
    """The longer side of each one's rectangle, metres, shape (parts,)."""
    bounds: Floats
    """West, south, east, north of each, shape (parts, 4)."""
    empty: int
    """Features without a geometry."""
    unusable: int
    """Features whose geometry is of no use: no numbers, off the Earth, not to be mended."""
    mended: int
    """Areas that crossed themselves, made sound."""

    def __len__(self) -> int:
        return len(self.shapes)

    @property
    def box(self) -> MapBox | None:
        """Of all parts together; None where there are none."""
        if not len(self):
            return None
        low, high = self.bounds[:, :2].min(axis=0), self.bounds[:, 2:].max(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def within(self, box: MapBox) -> Ints:
        """The parts whose rectangle touches the box, by their numbers, rising."""
        west, south, east, north = box
        low_x, low_y, high_x, high_y = self.bounds.T
        return np.flatnonzero((low_x <= east) & (high_x >= west) & (low_y <= north) & (high_y >= south))


def parts_of(
    pieces: list[Shapes],
    to_degrees: Callable[[Floats], Floats] | None = None,
    progress: Progress = silent,
) -> Parts:
    """The parts of features, mended and projected.

    pieces: the shape of each feature, None where it has none, a few thousand to a piece. The list is emptied:
    shapes are made, and let go of, without giving Python's lock back, and all together that would be felt.
    Heights and measures are dropped, collections are taken apart, areas that cross themselves are made sound.
    to_degrees: as `projections.to_degrees` gives it. Raises what `progress` raises.
    """
    found: list[tuple[Shapes, Ints]] = []
    start = empty = unusable = mended = 0
    whole = sum(map(len, pieces))
    while pieces:
        progress(start / max(whole, 1), "Drawing the layer")
        batch = shapely.force_2d(pieces.pop(0))
        missing = shapely.is_missing(batch) | shapely.is_empty(batch)
        empty += int(missing.sum())
        retained = np.flatnonzero(~missing)
        with np.errstate(invalid="ignore", over="ignore"):
            metres, usable = _projected(batch[retained], to_degrees)
            metres, usable, made_sound = _mended(metres, usable)
        unusable += int((~usable).sum())
        mended += made_sound
        single, of = _single(metres[usable])
        found.append((single, retained[usable][of] + start))
        start += len(batch)
    return _indexed(found, empty, unusable, mended)


def _projected(
    shapes: Shapes, to_degrees: Callable[[Floats], Floats] | None
) -> tuple[Shapes, NDArray[np.bool_]]:
    """The shapes in metres, and which of them are somewhere on the Earth."""
    places, of = shapely.get_coordinates(shapes, return_index=True)
    degrees = places if to_degrees is None else to_degrees(places)
    sound = (
        np.isfinite(degrees).all(axis=1)
        & (np.abs(degrees[:, 0]) <= _MOST_LONGITUDE)
        & (np.abs(degrees[:, 1]) <= 90)
    )
    usable = np.ones(len(shapes), bool)
    usable[of[~sound]] = False
    degrees = np.where(sound[:, None], degrees, 0.0)
    return shapely.set_coordinates(shapes.copy(), to_metres(degrees)), usable


def _mended(shapes: Shapes, usable: NDArray[np.bool_]) -> tuple[Shapes, NDArray[np.bool_], int]:
    areas = np.isin(shapely.get_type_id(shapes), (3, 6, 7))
    crossed = np.flatnonzero(usable & areas & ~shapely.is_valid(shapes))
    for number in crossed:  # one by one: a shape that cannot be mended takes no other with it
        try:
            shapes[number] = shapely.make_valid(shapes[number])
        except shapely.errors.GEOSException:
            usable[number] = False
    usable = usable & ~shapely.is_empty(shapes)
    return shapes, usable, int(usable[crossed].sum())


def _single(shapes: Shapes) -> tuple[Shapes, Ints]:
    """Points, lines and polygons out of multiples and collections, and whose each is."""
    of = np.arange(len(shapes))
    while np.isin(shapely.get_type_id(shapes), (4, 5, 6, 7)).any():
        shapes, index = shapely.get_parts(shapes, return_index=True)
        of = of[index]
    known = np.isin(shapely.get_type_id(shapes), tuple(_KINDS)) & ~shapely.is_empty(shapes)
    return shapes[known], of[known]


def fault_of(shape: shapely.Geometry) -> str:
    """The first fault that the library finds in a shape in degrees, and its place."""
    reason = str(shapely.is_valid_reason(shape))
    fault = _REASON.fullmatch(reason)
    if fault is None:
        return reason.lower()
    return text_of(
        "{value} at longitude {longitude}, latitude {latitude}",
        value=fault[1].lower(),
        longitude=fault[2],
        latitude=fault[3],
    )


def chosen_parts(parts: Parts, wanted: NDArray[np.bool_]) -> Parts:
    """Some of the parts, found among themselves alone; wanted: shape (parts,)."""
    found = [(parts.shapes[wanted], parts.owner[wanted])]
    return _indexed(found, parts.empty, parts.unusable, parts.mended)


def _indexed(found: list[tuple[Shapes, Ints]], empty: int, unusable: int, mended: int) -> Parts:
    shapes = np.concatenate([np.empty(0, object), *(single for single, _ in found)])
    bounds = shapely.bounds(shapes).reshape(-1, 4)
    types = shapely.get_type_id(shapes)
    return Parts(
        shapes=shapes,
        owner=np.concatenate([np.empty(0, np.int64), *(of for _, of in found)]),
        kind=np.select([types == number for number in _KINDS], list(_KINDS.values()), POINT),
        size=(bounds[:, 2:] - bounds[:, :2]).max(axis=1, initial=0.0),
        bounds=bounds,
        empty=empty,
        unusable=unusable,
        mended=mended,
    )


def clipped(shapes: Shapes, box: MapBox, tolerance: float) -> tuple[Shapes, Ints]:
    """What of single shapes lies in the box, simplified by at most `tolerance` metres, and whose each is.

    Areas may come out with an edge along the box, and thinner than they are: they are for the eye.
    """
    plain = shapely.simplify(shapes, tolerance, preserve_topology=False)
    plain = np.where(shapely.is_empty(plain), shapes, plain)
    bounds = shapely.bounds(plain).reshape(-1, 4)
    west, south, east, north = box
    across = (bounds[:, 0] < west) | (bounds[:, 1] < south) | (bounds[:, 2] > east) | (bounds[:, 3] > north)
    with contextlib.suppress(shapely.errors.GEOSException):  # whole they are drawn too, only more slowly
        plain[across] = shapely.clip_by_rect(plain[across], west, south, east, north)
    return _single(plain)


def corners(shapes: Shapes) -> tuple[Floats, Ints, Ints]:
    """Positions of single shapes, shape (n, 2), the run that each belongs to, and whose each run is.

    A run is a point, a line, or one ring of a polygon, the outer one before its holes.
    """
    areas = shapely.get_type_id(shapes) == 3
    rings, of_area = shapely.get_rings(shapes[areas], return_index=True)
    runs = np.concatenate([shapes[~areas], rings])
    of = np.concatenate([np.flatnonzero(~areas), np.flatnonzero(areas)[of_area]])
    order = np.argsort(of, kind="stable")
    places, run = shapely.get_coordinates(runs[order], return_index=True)
    return places, run, of[order]


def middles(shapes: Shapes, kind: Ints) -> Floats:
    """Where the name of each is written: half the way along a line, well inside an area; shape (n, 2)."""
    found = shapely.point_on_surface(shapes)
    lines = kind == LINE
    found[lines] = shapely.line_interpolate_point(shapes[lines], 0.5, normalized=True)
    return np.asarray(shapely.get_coordinates(found), float)
