"""The units that a column of speeds may be in, and how cells write them behind a number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

UNIT_FACTORS: dict[str, Fraction] = {
    "km/h": Fraction(1),
    "m/s": Fraction(36, 10),
    "mph": Fraction(1_609_344, 1_000_000),
    "kn": Fraction(1852, 1000),
}
"""Unit -> what one of it is in km/h."""
_OTHER = re.compile(r"(\d{1,9}(?:\.\d{1,30})?) km/h", re.ASCII)
_WRITINGS = {
    "km/h": r"km ?/ ?h(?:r|our)?|km\.h-1|kmh|kmph|kph",
    "m/s": r"m ?/ ?s(?:ec)?|m\.s-1|mps",
    "mph": r"mph|mi/h",
    "kn": r"kn|kts?|knots?",
}
_BEHIND = r"(?i)\s*(?:{writings})\s*$"


def unit_factor(unit: str) -> Fraction | None:
    """What one of a unit is in km/h; any other than the known ones is written `0.036 km/h`. None: no unit."""
    if unit in UNIT_FACTORS:
        return UNIT_FACTORS[unit]
    other = _OTHER.fullmatch(unit)
    return Fraction(other[1]) or None if other else None


def unit_of_factor(kmh: float) -> str:
    """The unit of which one is so many km/h."""
    return f"{Decimal(repr(kmh)):f} km/h"


def factor_in(unit: str) -> float | None:
    """The inverse; None for a unit with a name."""
    return None if unit in UNIT_FACTORS or not _OTHER.fullmatch(unit) else float(unit.removesuffix(" km/h"))


def behind_number(unit: str) -> str:
    """A regular expression of what cells have behind a number in this unit; empty where nothing is known."""
    return _BEHIND.format(writings=_WRITINGS[unit]) if unit in _WRITINGS else ""


def unit_in_cells(cells: Sequence[str]) -> str:
    """The unit that all of these cells name behind their numbers; empty where they name none or several."""
    fitting = [
        unit
        for unit in UNIT_FACTORS
        if cells
        and all(re.search(r"\d" + behind_number(unit).removeprefix("(?i)"), cell, re.I) for cell in cells)
    ]
    return fitting[0] if len(fitting) == 1 else ""
