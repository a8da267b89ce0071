"""Whether the numbers of positions are degrees, parts of a degree, or metres of some system (method 2.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from core.assist.number_date_notation import Evidence
from core.clean.placed_positions import DEGREES, DEGREES_AND_MINUTES, POSITION_UNITS, placed
from core.clean.positions import ParsedPositions, on_earth
from core.records.zone_places import nearest_places
from core.texts import joined, text_of

_NAMED = (("e7", "1e-7"), ("e6", "1e-6"), ("microdegrees", "1e-6"), ("microdeg", "1e-6"))
_NEAR_KM = 200.0
_MOST_DEGREES_AND_MINUTES = 18_060.0
METRES = "the numbers are not degrees and may be metres: name their system as crs"
_NORTH_FIRST = re.compile(r"(?:geopoint2d|lat(?:itude)?(?:lon|lng|long|longitude))$")
_IN_PARENTHESES = re.compile(r"\s*\([-+\d.]+, [-+\d.]+\)\s*")


def position_unit(names: Sequence[str], here: ParsedPositions) -> Evidence:
    """By the names of the columns, else by what lies on earth, else by which reading lies near a place.

    names: plain ones; here: what their cells hold as numbers. Without a choice, more than one fits.
    """
    for ending, unit in _NAMED:
        if all(name.endswith(ending) for name in names):
            return Evidence(choice=unit, reason="by its name")
    readable = ~(np.isnan(here.latitude) | np.isnan(here.longitude))
    here = ParsedPositions(
        latitude=here.latitude[readable], longitude=here.longitude[readable], present=here.present[readable]
    )
    if not readable.any() or on_earth(here.latitude, here.longitude).any():
        return Evidence(choice=DEGREES, reason="")
    if _may_be_metres(here):
        return Evidence(choice=None, reason=METRES)
    fitting = {unit: km for unit in POSITION_UNITS if (km := _km_from_a_place(here, unit)) is not None}
    near = [unit for unit, km in fitting.items() if km < _NEAR_KM]
    chosen = near if len(near) == 1 else list(fitting)
    if len(chosen) == 1:
        return Evidence(
            choice=chosen[0],
            reason=text_of("the numbers are not degrees; as {unit} they lie on earth", unit=chosen[0]),
        )
    return Evidence(
        choice=None,
        reason=text_of("the numbers are not degrees, and may be {units}", units=joined(" or ", fitting))
        if fitting
        else METRES,
    )


def _may_be_metres(here: ParsedPositions) -> bool:
    """As the zones of a national grid have them; parts of a degree are whole numbers."""
    east, north = np.abs(here.longitude), np.abs(here.latitude)
    whole = not (here.longitude % 1).any() and not (here.latitude % 1).any()
    in_zone = bool(((east >= 1e5) & (east < 1e6) & (north < 1e7)).all())
    return in_zone or (not whole and float(east.max()) > _MOST_DEGREES_AND_MINUTES)


def _km_from_a_place(here: ParsedPositions, unit: str) -> float | None:
    """How far the middle is from the nearest place that is known; None where not all lie on earth so."""
    most = np.abs(here.longitude).max()
    if unit == DEGREES_AND_MINUTES and most > _MOST_DEGREES_AND_MINUTES:
        return None
    read = placed(here, unit, "")
    if not on_earth(read.latitude, read.longitude).all():
        return None
    ((_, km),) = nearest_places(float(np.median(read.latitude)), float(np.median(read.longitude)))
    return km


def position_order(name: str, cells: Sequence[str]) -> str:
    """name: a plain one. `lat,lon` where it says so, or the cells are as portals of open data write them."""
    filled = [cell for cell in cells if cell.strip()]
    written = bool(filled) and all(map(_IN_PARENTHESES.fullmatch, filled))
    return "lat,lon" if written or _NORTH_FIRST.search(name) else "lon,lat"
