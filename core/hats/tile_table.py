"""H3 cells of many positions through tables of small tiles, exactly and many times faster (DESIGN 2).

A cell with six boundary vertices lies on one face of H3's icosahedron, whose projection turns great
circles into lines: it is convex. A tile whose four corners lie in one such cell therefore lies wholly
in it, and its positions need no indexing of their own. Tiles that lie in several cells are cut once
more; what is then left, and whatever lies near a pole, is indexed directly.

The edges of tiles lie half a unit of 1e-7 degrees beside the positions. A parallel is no great circle,
but the two part by less than 0.02 of a unit along the side of a tile: no position lies between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from h3.api import basic_int
from numpy.typing import NDArray

from core.blocks import each
from core.hats.direct import Cells, Degrees, index_directly
from core.ingest.positions import DEGREE
from core.progress import Progress, part, silent

_STEPS = {5: 10_000, 6: 5_000, 7: 3_000, 8: 1_500, 9: 1_000, 10: 1_000}
"""Side of a tile in 1e-7 degrees: fewer corners against fewer mixed tiles, measured on bus data."""
_PARTS = 5
"""Rows, and columns, that a mixed tile is cut into."""
_REACH = 2048
"""Rows and columns of tiles around the median, 20 km or more; what lies beyond is indexed one by one."""
_WORTH = 4
"""Positions from which on a tile repays the indexing of its corners."""
_POLAR = 80 * DEGREE
_HEXAGON = 6
_HALF_UNIT = 0.5
_SAMPLE = 100_000
"""Positions that the median is taken of."""

Ints = NDArray[np.int64]
Tiles = NDArray[np.int32]


class Grid(Protocol):
    """Tiles of one size, numbered from 0."""

    @property
    def step(self) -> int:
        """Side of a tile in 1e-7 degrees."""
        ...

    @property
    def size(self) -> int:
        """Number of tiles."""
        ...

    def tiles(self, latitude: Degrees, longitude: Degrees) -> Tiles:
        """The tile of each position, -1 where none holds it; shape (n,)."""
        ...

    def lines(self, tiles: Ints) -> tuple[Ints, Ints]:
        """Row and column of each tile, counted in steps from 0 degrees."""
        ...


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle of tiles, numbered row by row."""

    step: int
    first_row: int
    first_column: int
    rows: int
    columns: int

    @property
    def size(self) -> int:
        return self.rows * self.columns

    def tiles(self, latitude: Degrees, longitude: Degrees) -> Tiles:
        row, column = latitude // self.step, longitude // self.step
        row -= self.first_row
        column -= self.first_column
        outside = (row < 0) | (row >= self.rows) | (column < 0) | (column >= self.columns)
        row *= self.columns
        row += column
        row[outside] = -1
        return row

    def lines(self, tiles: Ints) -> tuple[Ints, Ints]:
        return self.first_row + tiles // self.columns, self.first_column + tiles % self.columns


@dataclass(frozen=True, slots=True)
class Parts:
    """Some tiles of a rectangle, each cut into smaller ones."""

    whole: Rectangle
    chosen: Ints
    """Shape (T,): the tiles that are cut."""
    number: Tiles
    """Shape (tiles of `whole`,): tile -> its place in `chosen`, -1 where it is not cut."""

    @property
    def step(self) -> int:
        return self.whole.step // _PARTS

    @property
    def size(self) -> int:
        return self.chosen.size * _PARTS**2

    def tiles(self, latitude: Degrees, longitude: Degrees) -> Tiles:
        tile = self.whole.tiles(latitude, longitude)
        number = self.number[tile]
        inner = latitude % self.whole.step // self.step * _PARTS + longitude % self.whole.step // self.step
        return np.where((tile < 0) | (number < 0), -1, number * _PARTS**2 + inner)

    def lines(self, tiles: Ints) -> tuple[Ints, Ints]:
        row, column = self.whole.lines(self.chosen[tiles // _PARTS**2])
        inner = tiles % _PARTS**2
        return row * _PARTS + inner // _PARTS, column * _PARTS + inner % _PARTS


def rectangle_around(
    latitude: Degrees, longitude: Degrees, resolution: int, blocks: Sequence[slice]
) -> Rectangle:
    """The tiles that are used, as far as they lie near the median: a stray position must not blow it up."""
    step = _STEPS[resolution]
    first_row, rows = _span(latitude, step, blocks)
    first_column, columns = _span(longitude, step, blocks)
    return Rectangle(step, first_row, first_column, rows, columns)


def _span(degrees: Degrees, step: int, blocks: Sequence[slice]) -> tuple[int, int]:
    middle = int(np.median(degrees[:: max(degrees.size // _SAMPLE, 1)])) // step
    least = min(int(degrees[block].min()) for block in blocks) // step
    most = max(int(degrees[block].max()) for block in blocks) // step
    first, last = max(least, middle - _REACH), min(most, middle + _REACH)
    return first, last - first + 1


def parts_around(whole: Rectangle, latitude: Degrees, longitude: Degrees) -> Parts:
    """The tiles that hold these positions, cut into smaller ones."""
    tiles = whole.tiles(latitude, longitude)
    counts = np.bincount(tiles[tiles >= 0], minlength=whole.size)
    chosen = np.flatnonzero(counts >= _WORTH)
    number = np.full(whole.size, -1, np.int32)
    number[chosen] = np.arange(chosen.size)
    return Parts(whole, chosen, number)


@dataclass(frozen=True, slots=True)
class TileTable:
    """Which cell each tile lies in, for tiles that lie in one."""

    grid: Grid
    cells: Cells
    """Shape (C,): cells that hold a tile, sorted."""
    place: Tiles
    """Shape (tiles + 1,): tile -> its cell's place in `cells`, -1 where it may lie in several, and last."""

    def codes(self, latitude: Degrees, longitude: Degrees) -> Tiles:
        """Place of each position's cell in `cells`, shape (n,); -1 where the table does not tell."""
        # a position outside has tile -1: the last place
        codes: Tiles = self.place[self.grid.tiles(latitude, longitude)]
        return codes


def tile_table(
    grid: Grid,
    latitude: Degrees,
    longitude: Degrees,
    resolution: int,
    blocks: Sequence[slice],
    progress: Progress = silent,
) -> TileTable:
    """The table for these positions (1e-7 degrees, shape (n,)), read block by block.

    Raises what `progress` raises.
    """
    counts = np.zeros(grid.size + 1, np.int64)

    def tiles(block: slice) -> Tiles:
        return grid.tiles(latitude[block], longitude[block])

    for found in each(tiles, blocks, part(progress, 0.0, 0.3), "Indexing hexagons"):
        np.add.at(counts, found, 1)
    worth = np.flatnonzero(counts[:-1] >= _WORTH)
    cell = _cells_of_tiles(worth, grid, resolution, part(progress, 0.3, 1.0))
    cells = np.unique(cell)
    cells = cells[cells != 0]
    place = np.full(counts.size, -1, np.int32)
    place[worth] = np.where(cell == 0, -1, np.searchsorted(cells, cell))
    return TileTable(grid, cells, place)


def _cells_of_tiles(tiles: Ints, grid: Grid, resolution: int, progress: Progress) -> Cells:
    """The cell that each tile lies in, 0 where it may lie in several; tiles: distinct numbers."""
    row, column = grid.lines(tiles)
    width = 360 * DEGREE // grid.step + 2
    own = row * width + column
    corners = np.unique(own[:, None] + np.array([0, 1, width, width + 1]))
    # a column may be negative: half a width more brings it into its own row
    north = (corners + width // 2) // width
    latitude = north * grid.step - _HALF_UNIT
    longitude = (corners - north * width) * grid.step - _HALF_UNIT
    usable = (np.abs(latitude) <= _POLAR) & (np.abs(longitude) < 180 * DEGREE)
    cell = np.zeros(corners.size, np.uint64)
    cell[usable] = index_directly(latitude[usable], longitude[usable], resolution, progress)
    first = cell[np.searchsorted(corners, own)]
    same = first != 0
    for shift in (1, width, width + 1):
        same &= cell[np.searchsorted(corners, own + shift)] == first
    return np.where(same & _is_convex(first), first, 0)


def _is_convex(cells: Cells) -> NDArray[np.bool_]:
    """Whether each cell is a hexagon on one face of the icosahedron; 0 is none."""
    distinct, which = np.unique(cells, return_inverse=True)
    convex = [bool(cell) and len(basic_int.cell_to_boundary(cell)) == _HEXAGON for cell in distinct.tolist()]
    return np.array(convex, bool)[which]
