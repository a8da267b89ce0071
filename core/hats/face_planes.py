"""H3's hexagons in the icosahedron's planes: how near an edge positions are looked at one by one.

H3 takes a position to the face whose centre is nearest, projects it on that face's plane from the middle
of the Earth, and takes the nearest point of a triangular lattice there. What a cell has on one face is
therefore the part of a hexagon that lies within the face's triangle, both bounded by great circles: a
convex set, also of a cell that is bent over an edge, and of a pentagon. Such a part is named by a key.

Only the key is computed here; the cell is asked of H3, for one position of each key. So that rounding
decides nothing, a position has no key within `_MARGIN` of a hexagon's side, within `_CLEAR` of a face's
edge, or next to a face's centre, where H3 loses digits: its distance comes from an arc cosine near 1.

Source: https://h3geo.org/docs/core-library/overview, and H3's latLngToCell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import h3
import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.records.records import DEGREE

NO_KEY = -1
KEYS_BLOCK = 1 << 13
"""Positions that are best worked on at a time: their intermediate columns stay in the processor's cache."""
_MARGIN = 1e-5
"""Of the distance between two cells: nearer to an edge, a position is looked at one by one."""
_CLEAR = 1e-9
"""Of the sphere's radius, at the edge of two faces of the icosahedron: 6 mm or more."""
_NOT_CENTRAL = 1.0 - 1e-8
"""Cosine of the angle, 900 m, around the centre of a face of the icosahedron."""
_AT_VERTEX = 2.0
"""Distance of a face's corners from its centre at resolution 0, between two cells."""
_APERTURE = math.sqrt(7.0)
_TURN = math.asin(math.sqrt(3.0 / 28.0))
"""Radians by which the lattices of odd resolutions are turned."""
_BITS = 20
_ZERO = 1 << (_BITS - 1)

Keys = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FacePlane:
    """One face with the lattice of one resolution; vectors from the middle of the sphere."""

    centre: Floats
    """Shape (3,), of length 1."""
    edges: Floats
    """Shape (3, 3): above 0 with a position on this side of each edge."""
    axes: Floats
    """Shape (2, 3): over `centre`, twice the coordinates along two axes of the lattice, 60 degrees apart."""


def plane_keys(
    latitude: NDArray[np.int32] | Floats, longitude: NDArray[np.int32] | Floats, resolution: int
) -> Keys:
    """The key of the cell's part that each position (1e-7 degrees) lies in, shape (n,).

    Positions of one key lie in one cell, and so does whatever lies between them on great circles.
    `NO_KEY` where rounding could matter.
    """
    keys = np.full(latitude.size, NO_KEY, np.int64)
    points = _points(latitude, longitude)
    planes = _planes(resolution)
    centres = np.array([plane.centre for plane in planes])
    left: NDArray[np.int64] | slice = slice(None)
    while points.shape[1]:
        # most often all positions lie on one face: the one that the first of them lies on
        face = int(np.argmax(centres @ points[:, 0]))
        beyond = (planes[face].edges @ points).min(axis=0)
        on_face = beyond > _CLEAR
        if on_face.all():
            keys[left] = _on_plane(planes[face], face, points)
            break
        rows = np.arange(keys.size)[left]
        keys[rows[on_face]] = _on_plane(planes[face], face, points[:, on_face])
        other = beyond < -_CLEAR
        left, points = rows[other], points[:, other]
    return keys


def _points(latitude: NDArray[np.int32] | Floats, longitude: NDArray[np.int32] | Floats) -> Floats:
    """Shape (3, n): the positions on the sphere of radius 1."""
    north, east = (np.multiply(degrees, math.pi / 180 / DEGREE) for degrees in (latitude, longitude))
    points = np.empty((3, north.size))
    level = np.cos(north)
    np.multiply(level, np.cos(east), out=points[0])
    np.multiply(level, np.sin(east), out=points[1])
    np.sin(north, out=points[2])
    return points


def _on_plane(plane: FacePlane, face: int, points: Floats) -> Keys:
    """The keys of positions on a face: shape (n,).

    With u, v, w = v - u twice the coordinates along three axes, the hexagon of the lattice's point (i, j)
    holds |u - (2i + j)|, |v - (i + 2j)| and |w - (j - i)| below 1: whole numbers below u, v, w tell i and j.
    """
    height = plane.centre @ points
    u, v = plane.axes @ points
    u /= height
    v /= height
    w = v - u
    sure = height < _NOT_CENTRAL
    floors = []
    for coordinate in (u, v, w):
        floor = np.floor(coordinate)
        coordinate -= floor
        coordinate -= 0.5
        np.abs(coordinate, out=coordinate)
        sure &= coordinate < 0.5 - 2 * _MARGIN
        floors.append(floor.astype(np.int32))
    below_u, below_v, below_w = floors
    i = (below_u - below_w + 1) // 3
    j = (below_v + below_w + 2) // 3
    keys: Keys = (i + (_ZERO + (face << _BITS))).astype(np.int64)
    keys <<= _BITS
    keys |= j + _ZERO
    keys[~sure] = NO_KEY
    return keys


@cache
def _planes(resolution: int) -> tuple[FacePlane, ...]:
    """The 20 faces; their corners are the pentagons' centres, as H3 tells them."""
    corners = [
        _points(np.array([north * DEGREE]), np.array([east * DEGREE]))[:, 0]
        for north, east in map(h3.cell_to_latlng, h3.get_pentagons(0))
    ]
    # neighbours are 63 degrees apart, the next ones 117
    triples = [
        three for three in combinations(corners, 3) if all(a @ b > 0 for a, b in combinations(three, 2))
    ]
    return tuple(_plane(three, resolution) for three in triples)


def _plane(corners: tuple[Floats, ...], resolution: int) -> FacePlane:
    total = np.sum(corners, axis=0)
    centre: Floats = total / np.linalg.norm(total)
    # an edge's great circle passes through two corners; the third is on the inner side
    edges = np.array([_towards(np.cross(a, b), centre) for a, b in combinations(corners, 2)])
    height = float(corners[0] @ centre)
    ahead = corners[0] - height * centre
    ahead *= _AT_VERTEX / (float(np.linalg.norm(ahead)) / height) / float(np.linalg.norm(ahead))
    ahead *= _APERTURE**resolution
    left = np.cross(centre, ahead)
    axis = _TURN if resolution % 2 else 0.0
    axes = [2.0 * (math.cos(turn) * ahead + math.sin(turn) * left) for turn in (axis, axis + math.pi / 3)]
    return FacePlane(centre, edges, np.array(axes))


def _towards(normal: Floats, inside: Floats) -> Floats:
    length = float(np.linalg.norm(normal))
    return normal / math.copysign(length, float(normal @ inside))
