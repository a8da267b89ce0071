"""Coordinates as people type them: degrees of latitude and longitude, with letters for directions or not."""

from __future__ import annotations

import re

_NUMBER = r"(-?[0-9]{1,3}(?:\.[0-9]{1,12})?)\s*°?\s*"
_POSITION = re.compile(rf"{_NUMBER}([NSEW]?)\s*[,;\s]\s*{_NUMBER}([NSEW]?)", re.IGNORECASE)
_SIGNS = {"N": 1, "E": 1, "S": -1, "W": -1, "": 1}


def typed_position(text: str) -> tuple[float, float] | None:
    """Latitude and longitude in degrees; None for what is no position on the Earth.

    Without letters latitude comes first, as maps on the web have it.
    """
    found = _POSITION.fullmatch(text.strip())
    if found is None:
        return None
    one, first, other, second = (part.upper() for part in found.groups())
    if (first in ("E", "W")) != (second in ("N", "S")) and (first or second):
        return None  # the same axis twice
    if bool(first) != bool(second):
        return None
    latitude, longitude = float(one) * _SIGNS[first], float(other) * _SIGNS[second]
    if first in ("E", "W"):
        latitude, longitude = longitude, latitude
    return (latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None
