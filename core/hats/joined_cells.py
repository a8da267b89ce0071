"""The hexagons of several resolutions that hold one position; corners that are moved inwards (method 3.2)."""

from __future__ import annotations

from collections.abc import Iterable

import h3
import numpy as np
from h3.api import basic_int
from numpy.typing import NDArray

from core.hats.cells import cell_text

_BETWEEN = " "
_INWARDS = 0.01
"""How far a corner is moved towards the middle: corners of coarse cells are corners of finer ones too, and
where a position on an edge belongs is a matter of rounding."""


def joined_text(cells: Iterable[int]) -> str:
    """The cells of one position, coarsest first. Texts sort as the cells do."""
    return _BETWEEN.join(map(cell_text, cells))


def cells_of_text(text: str) -> tuple[int, ...]:
    """The inverse."""
    return tuple(h3.str_to_int(one) for one in text.split(_BETWEEN))


def cells_of_texts(texts: Iterable[str], levels: int) -> NDArray[np.uint64]:
    """The same of many, shape (texts, levels)."""
    found = [cells_of_text(text) for text in texts]
    return np.array(found, np.uint64).reshape(len(found), levels)


def spanned_cells(cell: int, resolution: int) -> frozenset[int]:
    """The cells of a coarser resolution that a cell lies in, wholly or partly.

    An edge of a coarser cell runs from corner to corner of finer ones, so that each part of a cell that is
    cut has a corner.
    """
    north, east = basic_int.cell_to_latlng(cell)
    # a corner beyond the 180th meridian is brought to the side of the middle
    corners = ((lat, lon - 360 * round((lon - east) / 360)) for lat, lon in basic_int.cell_to_boundary(cell))
    return frozenset(
        basic_int.latlng_to_cell(lat + (north - lat) * _INWARDS, lon + (east - lon) * _INWARDS, resolution)
        for lat, lon in corners
    )
