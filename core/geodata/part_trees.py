"""Parts of a layer around positions, and next to them, by trees of so many parts.

A tree is made, and let go of, without giving Python's lock back: with a city's streets in one tree nothing
else in the program would move meanwhile. So there are many small ones, each of parts that lie close together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely import STRtree

from core.arrays import Floats, Ints
from core.geodata.shapes import AREA, Parts

_BLOCK = 4000
"""Parts of a layer in one tree: a millisecond's work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartTrees:
    """Parts that are found by positions."""

    parts: Parts
    trees: tuple[STRtree, ...]
    numbers: tuple[Ints, ...]
    """Of the parts in each tree."""

    def __len__(self) -> int:
        return len(self.parts)


def trees_of(parts: Parts) -> PartTrees:
    """The trees of all parts."""
    numbers = _neighbours(parts.bounds)
    return PartTrees(
        parts=parts, trees=tuple(STRtree(parts.shapes[block]) for block in numbers), numbers=numbers
    )


def _neighbours(bounds: Floats) -> tuple[Ints, ...]:
    """Blocks of parts: strips from west to east, each cut from south to north."""
    count = len(bounds)
    blocks = -(-count // _BLOCK)
    strip = max(1, round(blocks**0.5)) * _BLOCK
    by_column = np.argsort(bounds[:, 0], kind="stable")
    found = []
    for start in range(0, count, strip):
        column = by_column[start : start + strip]
        column = column[np.argsort(bounds[column, 1], kind="stable")]
        found += [column[at : at + _BLOCK] for at in range(0, len(column), _BLOCK)]
    return tuple(found)


def inside(among: PartTrees, metres: Floats) -> tuple[Ints, Ints]:
    """Pairs (position, part) of positions, shape (n, 2), that lie in an area or on its edge."""
    points = shapely.points(metres)
    positions, parts = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for tree, numbers in zip(among.trees, among.numbers, strict=True):
        position, one = tree.query(points, predicate="intersects")
        positions.append(position)
        parts.append(numbers[one])
    position, part = np.concatenate(positions), np.concatenate(parts)
    areas = among.parts.kind[part] == AREA
    return position[areas], part[areas]


def nearest(among: PartTrees, metres: Floats, within: Floats) -> tuple[Ints, Ints, Floats]:
    """Triples (position, part, metres between) of all parts that are as near as any.

    metres: positions, shape (n, 2); within: how far each looks, shape (n,). All in metres of web maps.
    """
    positions, parts, distances = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0)]
    points = shapely.points(metres)
    for tree, numbers in zip(among.trees, among.numbers, strict=True) if len(metres) else ():
        (position, one), distance = tree.query_nearest(
            points, max_distance=float(within.max()), return_distance=True, all_matches=True
        )
        positions.append(position)
        parts.append(numbers[one])
        distances.append(distance)
    position, part, distance = np.concatenate(positions), np.concatenate(parts), np.concatenate(distances)
    least = np.array(within, float)
    np.minimum.at(least, position, distance)
    chosen = np.flatnonzero(distance <= least[position])
    chosen = chosen[np.lexsort((part[chosen], position[chosen]))]
    return position[chosen], part[chosen], distance[chosen]
