"""Where a contribution table has records, as far as a table tells: by hexagon."""

from __future__ import annotations

import math

import h3
import numpy as np
from numpy.typing import NDArray

from core.contributions.finest_cells import in_finest_cells
from core.contributions.table import Contributions
from core.hats.cells import cell_text
from core.records.usual_box import MAP_SHARE, far_from_middle


def usual_box_of_table(table: Contributions, share: float = MAP_SHARE) -> tuple[float, float, float, float]:
    """South, west, north and east in degrees, around the hexagons of at least that share of the records.

    Where in its hexagon a record lies is not known: each counts at the corners that lie furthest out.
    Confidential, and for the screen alone. Raises ValueError for a table without rows.
    """
    if not table.hats:
        raise ValueError("there is no record")
    table = in_finest_cells(table, lambda _: np.zeros(0, np.int64))
    cells, place = np.unique(table.cell, return_inverse=True)
    records = np.bincount(place, weights=table.records).astype(np.float64)
    centres = np.array([h3.cell_to_latlng(cell_text(cell)) for cell in cells])
    middle = _middle(centres[:, 0], records), _middle(centres[:, 1], records)
    away = far_from_middle(centres[:, 0], centres[:, 1], middle, math.radians(middle[0]))
    outwards = np.argsort(away, kind="stable")
    summed = np.cumsum(records[outwards])
    retained = outwards[: np.searchsorted(summed, share * summed[-1]) + 1]
    corners = np.concatenate([h3.cell_to_boundary(cell_text(cell)) for cell in cells[retained]])
    (south, west), (north, east) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return south, west, north, east


def _middle(degrees: NDArray[np.float64], records: NDArray[np.float64]) -> float:
    """Half of the records lie on either side."""
    order = np.argsort(degrees)
    passed = np.cumsum(records[order])
    return float(degrees[order][np.searchsorted(passed, passed[-1] / 2)])
