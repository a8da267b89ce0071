"""H3 cells at resolutions 5 to 10: which are offered, several of one release, what is no cell (method 3)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

import h3
import numpy as np
from h3.api import basic_int
from numpy.typing import NDArray

from core.errors import InputError
from core.texts import joined, text_of

RESOLUTIONS = range(5, 11)
DEFAULT_RESOLUTION = 7
MOST_RESOLUTIONS = 3
"""H3 resolutions of one release."""
_CELL = re.compile(r"[0-9a-f]{15}")


def require_resolution(resolution: int) -> int:
    """The resolution, if it is offered. Raises InputError otherwise."""
    if resolution not in RESOLUTIONS:
        raise InputError(
            "The resolution {resolution} is not offered.",
            resolution=resolution,
            where="hats.resolution",
            mend=text_of(
                "write {start} to {value}; the default is {default_resolution}",
                start=RESOLUTIONS.start,
                value=RESOLUTIONS.stop - 1,
                default_resolution=DEFAULT_RESOLUTION,
            ),
        )
    return resolution


def require_mixed(resolutions: Sequence[int]) -> tuple[int, ...]:
    """Several resolutions of one release, coarsest first. Raises InputError for those that cannot be."""
    for resolution in resolutions:
        require_resolution(resolution)
    in_order = all(one < other for one, other in itertools.pairwise(resolutions))
    if not in_order or not 1 < len(resolutions) <= MOST_RESOLUTIONS:
        raise InputError(
            "A release has one resolution, or two or three, from coarse to fine and each once.",
            where="hats.resolution",
            mend="write for instance resolution = [6, 8], or one number",
        )
    return tuple(resolutions)


def finest_of(resolutions: int | tuple[int, ...]) -> int:
    """The resolution, or the finest of several."""
    return resolutions if isinstance(resolutions, int) else resolutions[-1]


def cell_text(cell: int) -> str:
    """A cell as lower-case hex text."""
    return str(h3.int_to_str(int(cell)))


def parse_cell(text: str, *resolutions: int, where: str) -> int:
    """A cell from its text. Raises InputError for no cell, or one of none of these resolutions."""
    name = text.strip().lower()
    if not _CELL.fullmatch(name) or not h3.is_valid_cell(name):
        raise InputError("This is not an H3 cell.", where=where, mend="write cells like 8742d9d69ffffff")
    if h3.get_resolution(name) not in resolutions:
        raise InputError(
            "This cell is of resolution {name}, not {resolution}.",
            name=h3.get_resolution(name),
            resolution=joined(" or ", map(str, resolutions)),
            where=where,
            mend="list cells of the release's resolution",
        )
    return int(h3.str_to_int(name))


def mean_area_km2(resolution: int) -> float:
    """Mean area of a hexagon of that resolution on Earth, square kilometres."""
    return float(h3.average_hexagon_area(resolution, unit="km^2"))


def area_around_km2(box: tuple[float, float, float, float], resolution: int) -> float:
    """Area of the hexagon in the middle of a box, square kilometres: hexagons of a city are nearly alike.

    box: south, west, north and east in degrees.
    """
    south, west, north, east = box
    cell = basic_int.latlng_to_cell((south + north) / 2, (west + east) / 2, resolution)
    return float(areas_km2(np.array([cell], np.uint64))[0])


def areas_km2(cells: NDArray[np.uint64]) -> NDArray[np.float64]:
    """The area of each cell on the sphere, square kilometres, shape (n,)."""
    return np.array([basic_int.cell_area(cell, unit="km^2") for cell in cells.tolist()], np.float64)
