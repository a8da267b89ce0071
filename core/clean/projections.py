"""From another reference system to degrees (WGS84); layers that name none or an unknown one."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np

from core.arrays import Floats
from core.errors import InputError
from core.release_texts import one_line

Projection = Callable[[Floats], Floats]
"""Positions of shape (n, 2), east before north, in another system; what cannot be is infinite."""
ToDegrees = Projection
"""To longitude and latitude."""

_DEGREES = re.compile(r"(.*:)?(CRS84|4326)", re.IGNORECASE)
_LONGEST_NAME = 120
_NO_GRID = re.compile(r"nadgrids=@null(?=[\s\"']|$)|PROJ4_GRIDS\",\"@null\"", re.IGNORECASE)
"""As Web Mercator is often written: the one grid that is no file."""
_NAMES_A_FILE = re.compile(r"^\s*\{|file|grids|(init|model|catalog)\s*=", re.IGNORECASE)
"""Texts by which PROJ opens what they name: a pipe that never ends, or another machine's disk.

A text in JSON may do so too, by parameters that have no name.
"""


@cache
def _library() -> Any:
    """PROJ, when it is needed: commands that place nothing start without it."""
    # grids of the finest transformations would be fetched: nothing here asks for anything outside
    importlib.import_module("pyproj.network").set_network_enabled(active=False)
    return importlib.import_module("pyproj")


def to_degrees(system: str, where: str) -> ToDegrees | None:
    """The way from a reference system, by its code, URN or WKT; None where it is in degrees already.

    A transformation by a grid that is not installed gives way to the best one that needs none; one that is no
    more than a guess is none. Raises InputError that names the system where there is no way, and where its
    text is empty or names a file.
    """
    if _DEGREES.fullmatch(system):
        return None
    if not system:
        raise InputError(
            "The layer names no reference system, so its place is unknown.",
            where=where,
            mend="set the system in QGIS (Layer, Set Layer CRS), then save the layer again",
        )
    if _NAMES_A_FILE.search(_NO_GRID.sub("", system)):
        raise _unknown(system, where)
    pyproj = _library()
    try:
        source = pyproj.CRS.from_user_input(system)
        transformer = pyproj.Transformer.from_crs(source, "EPSG:4326", always_xy=True, allow_ballpark=False)
    except (pyproj.exceptions.CRSError, pyproj.exceptions.ProjError):
        raise _unknown(system, where) from None

    return _way(transformer, "FORWARD")


@lru_cache(maxsize=8)
def local_metres(longitude: float, latitude: float) -> tuple[Projection, Projection]:
    """From degrees (WGS84) to metres around a position, and back.

    Transverse Mercator: it keeps angles, and lengths to one in 8,000 up to 100 km east or west.
    """
    pyproj = _library()
    around = pyproj.CRS.from_dict(
        {"proj": "tmerc", "lat_0": float(latitude), "lon_0": float(longitude), "ellps": "WGS84"}
    )
    transformer = pyproj.Transformer.from_crs("EPSG:4326", around, always_xy=True)
    return _way(transformer, "FORWARD"), _way(transformer, "INVERSE")


def _way(transformer: Any, direction: str) -> Projection:
    def project(positions: Floats) -> Floats:
        return np.column_stack(transformer.transform(positions[:, 0], positions[:, 1], direction=direction))

    return project


def _unknown(system: str, where: str) -> InputError:
    named = one_line(system, _LONGEST_NAME)
    return InputError(
        "The layer is in the reference system {named}, which cannot be turned into degrees here.",
        named=named,
        where=where,
        mend="save the layer in EPSG:4326 (WGS84, degrees); QGIS does that in Export, Save Features As",
    )
