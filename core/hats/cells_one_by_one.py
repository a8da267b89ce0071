"""H3 cells of positions, indexed one by one, with looks at progress and cancel in between."""

from __future__ import annotations

from itertools import repeat

import numpy as np
from h3.api import basic_int
from numpy.typing import NDArray

from core.progress import Progress, silent
from core.records.records import DEGREE

_BLOCK = 50_000
"""Positions indexed between two looks at progress and cancel, about a twentieth of a second."""

Degrees = NDArray[np.int32]
Cells = NDArray[np.uint64]


def index_directly(
    latitude: Degrees | NDArray[np.float64],
    longitude: Degrees | NDArray[np.float64],
    resolution: int,
    progress: Progress = silent,
) -> Cells:
    """The cell of each position (1e-7 degrees), shape (n,). Raises what `progress` raises.

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
