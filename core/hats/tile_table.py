"""H3 cells of many positions by a table of tiles around the median, exactly and fast (architecture 3).

What a cell has on one face of H3's icosahedron is convex (`core.hats.face_planes`). A tile whose four
corners lie in one such part therefore lies wholly in it, in a cell that is bent over an edge too: its
positions need no looking at. All others are looked at one by one.

The edges of tiles lie half a unit of 1e-7 degrees beside the positions. A parallel is no great circle,
but the two part by less than 0.02 of a unit along the side of a tile: no position lies between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Ints
from core.hats.cells_one_by_one import Degrees
from core.hats.face_planes import KEYS_BLOCK, NO_KEY, Keys, plane_keys
from core.progress import Progress, part, silent
from core.records.mapped_pages import let_go
from core.records.records import DEGREE
from core.system.parallel import cut, each

_SPACINGS = {5: 10_000, 6: 5_000, 7: 3_000, 8: 1_500, 9: 1_000, 10: 1_000}
"""Side of a tile in 1e-7 degrees: fewer corners against fewer mixed tiles, measured on bus data."""
_REACH = 2048
"""Rows and columns of the table of tiles around the median, 20 km or more; beyond, one looks one by one."""
_WORTH = 4
"""Positions from which on a tile of the table repays the look at its corners."""
_POLAR = 80 * DEGREE
_HALF_UNIT = 0.5
_SAMPLE = 100_000
"""Positions of which the table of tiles takes the median as its middle."""
_TEXT = "Indexing hexagons"

Tiles = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle of tiles, numbered row by row."""

    step: int
    """Side of a tile in 1e-7 degrees."""
    first_row: int
    first_column: int
    rows: int
    columns: int

    @property
    def size(self) -> int:
        """Number of tiles."""
        return self.rows * self.columns

    def tiles(self, latitude: Degrees, longitude: Degrees) -> Tiles:
        """The tile of each position, -1 where none holds it; shape (n,)."""
        row, column = latitude // self.step, longitude // self.step
        row -= self.first_row
        column -= self.first_column
        outside = (row < 0) | (row >= self.rows) | (column < 0) | (column >= self.columns)
        row *= self.columns
        row += column
        row[outside] = -1
        return row


def rectangle_around(
    latitude: Degrees, longitude: Degrees, resolution: int, blocks: Sequence[slice]
) -> Rectangle:
    """The tiles that are used, as far as they lie near the median: a stray position must not blow it up."""
    step = _SPACINGS[resolution]
    first_row, rows = _span(latitude, step, blocks)
    first_column, columns = _span(longitude, step, blocks)
    return Rectangle(step, first_row, first_column, rows, columns)


def _span(degrees: Degrees, step: int, blocks: Sequence[slice]) -> tuple[int, int]:
    middle = int(np.median(degrees[:: max(degrees.size // _SAMPLE, 1)])) // step
    ends = [_ends(degrees, block) for block in blocks]
    least, most = min(low for low, _ in ends) // step, max(high for _, high in ends) // step
    first, last = max(least, middle - _REACH), min(most, middle + _REACH)
    return first, last - first + 1


def _ends(degrees: Degrees, block: slice) -> tuple[int, int]:
    low, high = int(degrees[block].min()), int(degrees[block].max())
    let_go(block, degrees)
    return low, high


@dataclass(frozen=True, slots=True)
class TileTable:
    """Which part of a cell each tile lies in, for tiles that lie in one."""

    grid: Rectangle
    keys: Keys
    """Shape (K,): keys of the parts that hold a tile, sorted."""
    latitude: NDArray[np.float64]
    longitude: NDArray[np.float64]
    """Shape (K,): a position in each part, 1e-7 degrees."""
    place: Tiles
    """Shape (tiles + 1,): tile -> its part's place in `keys`, -1 where it may lie in several, and last."""

    def codes(self, latitude: Degrees, longitude: Degrees) -> Tiles:
        """Place of each position's part in `keys`, shape (n,); -1 where the table does not tell."""
        # a position outside has tile -1: the last place
        codes: Tiles = self.place[self.grid.tiles(latitude, longitude)]
        return codes


def tile_table(
    grid: Rectangle,
    latitude: Degrees,
    longitude: Degrees,
    resolution: int,
    blocks: Sequence[slice],
    progress: Progress = silent,
) -> TileTable:
    """The table for these positions (1e-7 degrees, shape (n,)), read block by block.

    Raises what `progress` raises.
    """
    counts, one = np.zeros(grid.size + 1, np.int32), np.int32(1)

    def tiles(block: slice) -> Tiles:
        found = grid.tiles(latitude[block], longitude[block])
        let_go(block, latitude, longitude)
        return found

    for found in each(tiles, blocks, part(progress, 0.0, 0.6), _TEXT):
        np.add.at(counts, found, one)
    worth = np.flatnonzero(counts[:-1] >= _WORTH)
    key, north, east = _keys_of_tiles(worth, grid, resolution, part(progress, 0.6, 1.0))
    whole = key != NO_KEY
    keys, first, number = np.unique(key[whole], return_index=True, return_inverse=True)
    place = np.full(counts.size, -1, np.int32)
    place[worth[whole]] = number
    return TileTable(grid, keys, north[whole][first], east[whole][first], place)


def _keys_of_tiles(
    tiles: Ints, grid: Rectangle, resolution: int, progress: Progress
) -> tuple[Keys, NDArray[np.float64], NDArray[np.float64]]:
    """The key that all corners of a tile have, or `NO_KEY`, and a corner; tiles: distinct numbers."""
    width = grid.columns + 1
    own = tiles + tiles // grid.columns
    marked = np.zeros((grid.rows + 1) * width, bool)
    for shift in (0, 1, width, width + 1):
        marked[own + shift] = True
    corners = np.flatnonzero(marked)
    number = np.zeros(marked.size, np.int32)
    number[corners] = np.arange(corners.size)
    latitude = _edge(grid.first_row + corners // width, grid.step)
    longitude = _edge(grid.first_column + corners % width, grid.step)
    keys = keys_of(latitude, longitude, resolution, progress)
    keys[np.abs(latitude) > _POLAR] = NO_KEY
    corner = number[own]
    first = keys[corner]
    same = np.ones(own.size, bool)
    for shift in (1, width, width + 1):
        same &= keys[number[own + shift]] == first
    return np.where(same, first, NO_KEY), latitude[corner], longitude[corner]


def _edge(line: Ints, step: int) -> NDArray[np.float64]:
    """Where each line of the grid lies, 1e-7 degrees."""
    return np.asarray(line * step - _HALF_UNIT, np.float64)


def keys_of(
    latitude: Degrees | NDArray[np.float64],
    longitude: Degrees | NDArray[np.float64],
    resolution: int,
    progress: Progress = silent,
) -> Keys:
    """`plane_keys` block by block. Raises what `progress` raises."""
    keys = np.empty(latitude.size, np.int64)

    def fill(block: slice) -> None:
        keys[block] = plane_keys(latitude[block], longitude[block], resolution)

    for _ in each(fill, cut(0, keys.size, KEYS_BLOCK), progress, _TEXT):
        pass
    return keys
