"""Where a contribution table has records, as far as a table tells: by hexagon."""

from __future__ import annotations

import h3
import numpy as np
from numpy.typing import NDArray

from core.contributions.table import Contributions
from core.hats.cells import cell_text
from core.records.usual_box import MAP_SHARE

_EDGES = 4


def usual_box_of_table(table: Contributions, share: float = MAP_SHARE) -> tuple[float, float, float, float]:
    """South, west, north and east in degrees, around the hexagons of at least that share of the records.

    Where in its hexagon a record lies is not known: each counts at the corners that lie furthest out.
    Confidential, and for the screen alone. Raises ValueError for a table without rows.
    """
    if not table.hats:
        raise ValueError("there is no record")
    cells, place = np.unique(table.cell, return_inverse=True)
    records = np.bincount(place, weights=table.records).astype(np.float64)
    corners = [np.array(h3.cell_to_boundary(cell_text(cell))) for cell in cells]
    low = np.array([found.min(axis=0) for found in corners])
    high = np.array([found.max(axis=0) for found in corners])
    beyond = (1.0 - share) / _EDGES * records.sum()
    south, west = (_edge(low[:, axis], records, beyond) for axis in (0, 1))
    north, east = (-_edge(-high[:, axis], records, beyond) for axis in (0, 1))
    return south, west, north, east


def _edge(degrees: NDArray[np.float64], records: NDArray[np.float64], beyond: float) -> float:
    """The smallest degree that leaves at most `beyond` records below it."""
    order = np.argsort(degrees)
    passed = np.cumsum(records[order])
    return float(degrees[order][np.searchsorted(passed, beyond, side="right")])
