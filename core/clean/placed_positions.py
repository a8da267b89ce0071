"""Positions in degrees, from parts of a degree, minutes, or metres of a coded system (method 2.2)."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from core.clean.positions import ParsedPositions
from core.clean.projections import to_degrees
from core.errors import InputError
from core.texts import text_of

DEGREES, DEGREES_AND_MINUTES = "degrees", "ddmm"
POSITION_UNITS = (DEGREES, "1e-6", "1e-7", DEGREES_AND_MINUTES)
WGS84 = "EPSG:4326"
_CODE = re.compile(r"EPSG:\d{4,6}")


def require_placing(unit: str, crs: str) -> None:
    """Raise InputError for a unit or a reference system of positions that is none."""
    if unit not in POSITION_UNITS:
        raise InputError(
            "This unit of positions is unknown.",
            where="data.mapping.position_unit",
            mend=text_of("write one of {position_orders}", position_orders=", ".join(POSITION_UNITS)),
        )
    if crs and not _CODE.fullmatch(crs):
        raise InputError(
            "This is not the code of a reference system.",
            where="data.mapping.crs",
            mend='write a code of EPSG, such as crs = "EPSG:25832"',
        )


def placed(here: ParsedPositions, unit: str, crs: str) -> ParsedPositions:
    """The positions in degrees of WGS 84. Raises InputError for a system that there is no way from."""
    if unit == DEGREES and crs in ("", WGS84):
        return here
    latitude, longitude = here.latitude, here.longitude
    if unit != DEGREES:
        latitude, longitude = _in_degrees(latitude, unit), _in_degrees(longitude, unit)
    if crs not in ("", WGS84):
        project = to_degrees(crs, "data.mapping.crs")
        assert project is not None
        nowhere = np.isnan(latitude) | np.isnan(longitude)
        found = project(np.column_stack([longitude, latitude]))
        longitude, latitude = np.where(nowhere, np.nan, found.T)
    return ParsedPositions(latitude=latitude, longitude=longitude, present=here.present)


def _in_degrees(numbers: NDArray[np.float64], unit: str) -> NDArray[np.float64]:
    """NaN for 60 minutes and more."""
    if unit != DEGREES_AND_MINUTES:
        return numbers / 1e6 if unit == "1e-6" else numbers / 1e7
    degrees, minutes = np.divmod(np.abs(numbers), 100.0)
    found: NDArray[np.float64] = np.copysign(degrees + minutes / 60, numbers)
    return np.where(minutes < 60, found, np.nan)
