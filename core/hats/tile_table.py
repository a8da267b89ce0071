"""H3 cells of many positions through a table of small tiles, exactly and many times faster (DESIGN 2).

A cell with six boundary vertices lies on one face of H3's icosahedron, whose projection turns great
circles into lines: it is convex. A tile whose four corners lie in one such cell therefore lies wholly
in it, and its positions need no indexing of their own. Positions of other tiles, those exactly on the
edge of a tile (a parallel is no great circle), and whatever lies near a pole are indexed directly.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat

import numpy as np
from h3.api import basic_int
from numpy.typing import NDArray

from core.ingest.positions import DEGREE
from core.progress import Progress, part, silent

_STEPS = {5: 10_000, 6: 5_000, 7: 3_000, 8: 1_500, 9: 1_000, 10: 1_000}
"""Side of a tile in 1e-7 degrees: fewer corners against fewer mixed tiles, measured on bus data."""
_REACH = 2048
"""Rows and columns of tiles around the median, 20 km or more; what lies beyond is indexed one by one."""
_WORTH = 8
"""Positions from which on a tile repays the indexing of its corners."""
_POLAR = 80 * DEGREE
_HEXAGON = 6
_BLOCK = 50_000
"""Positions indexed between two looks at progress and cancel, about a twentieth of a second."""

Ints = NDArray[np.int64]
Cells = NDArray[np.uint64]


def cells_of(
    latitude: NDArray[np.int32], longitude: NDArray[np.int32], resolution: int, progress: Progress = silent
) -> Cells:
    """The cell of each position (1e-7 degrees), shape (n,): what direct indexing gives.

    Raises what `progress` raises.
    """
    if not latitude.size:
        return np.zeros(0, np.uint64)
    step = _STEPS[resolution]
    row, above = np.divmod(latitude, step)
    column, beside = np.divmod(longitude, step)
    grid = _grid_around(row, column)
    tile = np.where(grid.holds(row, column), grid.number(row, column), 0)
    table = np.zeros(grid.rows * grid.columns, np.uint64)
    worth = np.flatnonzero(np.bincount(tile, minlength=table.size) >= _WORTH)
    table[worth] = _cells_of_tiles(worth, grid, step, resolution, part(progress, 0.0, 0.5))
    table[0] = 0  # stands for all that lies outside
    cells: Cells = table[tile]
    direct = np.flatnonzero((cells == 0) | (above == 0) | (beside == 0))
    cells[direct] = index_directly(latitude[direct], longitude[direct], resolution, part(progress, 0.5, 1.0))
    return cells


@dataclass(frozen=True, slots=True)
class _Grid:
    """A rectangle of tiles, numbered row by row."""

    first_row: int
    first_column: int
    rows: int
    columns: int

    def holds(self, row: NDArray[np.int32], column: NDArray[np.int32]) -> NDArray[np.bool_]:
        inside: NDArray[np.bool_] = (
            (row >= self.first_row)
            & (row < self.first_row + self.rows)
            & (column >= self.first_column)
            & (column < self.first_column + self.columns)
        )
        return inside

    def number(self, row: NDArray[np.int32], column: NDArray[np.int32]) -> Ints:
        return (row - self.first_row).astype(np.int64) * self.columns + (column - self.first_column)


def _grid_around(row: NDArray[np.int32], column: NDArray[np.int32]) -> _Grid:
    """The tiles that are used, as far as they lie near the median: a stray position must not blow it up."""
    first_row, rows = _span(row)
    first_column, columns = _span(column)
    return _Grid(first_row, first_column, rows, columns)


def _span(line: NDArray[np.int32]) -> tuple[int, int]:
    middle = int(np.median(line))
    first = max(int(line.min()), middle - _REACH)
    last = min(int(line.max()), middle + _REACH)
    return first, last - first + 1


def index_directly(
    latitude: NDArray[np.integer],
    longitude: NDArray[np.integer],
    resolution: int,
    progress: Progress = silent,
) -> Cells:
    """The cell of each position (1e-7 degrees), one by one, shape (n,).

    Division gives back the parsed decimal; a product would differ in the last bit and could
    change the cell.
    """
    cells = np.empty(latitude.size, np.uint64)
    for first in range(0, latitude.size, _BLOCK):
        progress(first / latitude.size, "Indexing hexagons")
        block = slice(first, first + _BLOCK)
        places = (latitude[block] / DEGREE).tolist(), (longitude[block] / DEGREE).tolist()
        cells[block] = np.fromiter(
            map(basic_int.latlng_to_cell, *places, repeat(resolution)), np.uint64, len(places[0])
        )
    return cells


def _cells_of_tiles(tiles: Ints, grid: _Grid, step: int, resolution: int, progress: Progress) -> Cells:
    """The cell that each tile lies in, 0 where it may lie in several; tiles: distinct numbers."""
    # corners are numbered in rows one longer, so that the last tile of a row has its right ones
    width = grid.columns + 1
    own = tiles // grid.columns * width + tiles % grid.columns
    corners = np.unique(own[:, None] + np.array([0, 1, width, width + 1]))
    latitude = (grid.first_row + corners // width) * step
    longitude = (grid.first_column + corners % width) * step
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
