"""The H3 cell of every record at a resolution, as codes: indexed once, then stored (architecture 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.hats.cells import require_resolution
from core.hats.cells_one_by_one import Cells, Degrees, index_directly
from core.hats.face_planes import NO_KEY
from core.hats.tile_table import TileTable, keys_of, rectangle_around, tile_table
from core.privacy import Confidential
from core.progress import Progress, part, silent
from core.records.mapped_pages import let_go
from core.records.records import Records
from core.system.parallel import cut, each

_BLOCK = 1 << 18
"""Positions whose cell codes are looked up together: a block's columns stay in the processor's cache."""
_TEXT = "Indexing hexagons"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CellCodes(Confidential):
    """The cell of each record."""

    cells: Cells
    """Shape (C,): the cells that hold a record, sorted."""
    code: NDArray[np.signedinteger[Any]]
    """Shape (n,): record -> its cell's place in `cells`; int16 where it suffices, else int32."""


def cell_codes(records: Records, resolution: int, progress: Progress = silent) -> CellCodes:
    """The cells of all records, from the column_cache, or indexed and put there.

    Raises InputError for a resolution that is not offered, and what `progress` raises; then nothing is
    stored.
    """
    name = f"cells-{require_resolution(resolution)}"
    stored = records.column_cache.get(name)
    if stored is None:
        found = index_cells(np.asarray(records.latitude), np.asarray(records.longitude), resolution, progress)
        stored = records.column_cache.put(name, {"cells": found.cells, "code": found.code})
    return CellCodes(cells=stored["cells"], code=stored["code"])


def index_cells(
    latitude: Degrees, longitude: Degrees, resolution: int, progress: Progress = silent
) -> CellCodes:
    """The cells of positions (1e-7 degrees, shape (n,)), exactly those of direct indexing.

    Raises what `progress` raises.
    """
    if not latitude.size:
        return CellCodes(cells=np.zeros(0, np.uint64), code=np.zeros(0, np.int16))
    blocks = cut(0, latitude.size, _BLOCK)
    whole = rectangle_around(latitude, longitude, resolution, blocks)
    table = tile_table(whole, latitude, longitude, resolution, blocks, part(progress, 0.0, 0.4))
    tiled = index_directly(table.latitude, table.longitude, resolution)
    code = _codes(table, latitude, longitude, part(progress, 0.4, 0.6))
    left = np.flatnonzero(code < 0)
    rest = _one_by_one(
        _some_of(latitude, left), _some_of(longitude, left), resolution, part(progress, 0.6, 0.9)
    )
    return _in_order(tiled, code, left, rest, part(progress, 0.9, 1.0))


def _some_of(degrees: Degrees, rows: NDArray[np.intp]) -> Degrees:
    """The entries of some rows, which are sorted."""
    found, taken = np.empty(rows.size, degrees.dtype), 0
    for block in cut(0, degrees.size, _BLOCK):
        here = rows[taken : int(np.searchsorted(rows, block.stop))]
        found[taken : taken + here.size] = degrees[here]
        taken += here.size
        let_go(block, degrees)
    return found


def _one_by_one(latitude: Degrees, longitude: Degrees, resolution: int, progress: Progress) -> CellCodes:
    """The cells of positions through their keys, or of H3 itself where they have none; in any order.

    A cell may be listed more than once.
    """
    key = keys_of(latitude, longitude, resolution, part(progress, 0.0, 0.7))
    # of a bare buffer: other ways import pandas where it is installed, for a fifth of a second
    found = pa.Array.from_buffers(pa.int64(), key.size, [None, pa.py_buffer(key)]).dictionary_encode()
    number = np.asarray(found.indices)
    progress(0.8, _TEXT)
    # the last one that is written stays: any position of a key will do
    member = np.empty(len(found.dictionary), np.int64)
    member[number] = np.arange(number.size)
    doubtful = np.flatnonzero(key == NO_KEY)
    asked = np.concatenate((member, doubtful))
    cells = index_directly(latitude[asked], longitude[asked], resolution, part(progress, 0.8, 1.0))
    code = number.astype(np.int32)
    code[doubtful] = member.size + np.arange(doubtful.size)
    return CellCodes(cells=cells, code=code)


def _codes(
    table: TileTable, latitude: Degrees, longitude: Degrees, progress: Progress
) -> NDArray[np.signedinteger[Any]]:
    """What the table says about each position, shape (n,)."""
    code = np.empty(latitude.size, _code_type(table.keys.size))

    def fill(block: slice) -> None:
        code[block] = table.codes(latitude[block], longitude[block])
        let_go(block, latitude, longitude)

    for _ in each(fill, cut(0, latitude.size, _BLOCK), progress, _TEXT):
        pass
    return code


def _in_order(
    tiled: Cells,
    code: NDArray[np.signedinteger[Any]],
    left: NDArray[np.intp],
    rest: CellCodes,
    progress: Progress,
) -> CellCodes:
    """The cells sorted and each once, with the codes to match.

    code: counts in `tiled`, all of it used, and is overwritten where it may be; rest: of positions `left`.
    """
    cells, inverse = np.unique(np.concatenate((tiled, rest.cells)), return_inverse=True)
    place: NDArray[np.signedinteger[Any]] = inverse.astype(_code_type(cells.size))
    final = code if code.dtype == place.dtype else np.empty(code.size, place.dtype)

    def fill(block: slice) -> None:
        final[block] = place[code[block]]

    for _ in each(fill, cut(0, code.size, _BLOCK), progress, _TEXT):
        pass
    final[left] = place[tiled.size + rest.code]
    return CellCodes(cells=cells, code=final)


def _code_type(cells: int) -> type[np.signedinteger[Any]]:
    return np.int16 if cells <= np.iinfo(np.int16).max else np.int32
