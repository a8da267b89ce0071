"""Where the IANA zones lie: by the name of a city, and by coordinates; nothing is asked of a network.

Two sources: the table of zones that comes with `tzdata` (a place for each zone of each country), and larger
cities of `resources/zones`, since the place of a zone may be far from most of those who live by its clocks.
A place near a border may get the zone of its neighbour: what comes from here is proposed, never taken.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from core.records.zone_names import lines_of_tzdata
from core.system.paths import resources
from core.system.regular_files import read_regular

_EARTH_KM = 6371.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ZonePlace:
    """A place and the zone by whose clocks people live there."""

    name: str
    latitude: float
    longitude: float
    zone: str

    def km_from(self, latitude: float, longitude: float) -> float:
        """Along the surface of a sphere."""
        return float(_km_from(np.array([[self.latitude], [self.longitude]]), latitude, longitude)[0])


@cache
def zone_places() -> tuple[ZonePlace, ...]:
    """Every place that is known, those of `tzdata` first; without that package the cities alone."""
    return (*_table_of_zones(), *_larger_cities())


def nearest_places(
    latitude: float, longitude: float, *, among: Collection[str] | None = None, most: int = 1
) -> tuple[tuple[ZonePlace, float], ...]:
    """The nearest place of each of the `most` nearest zones, with its distance in km, nearest first.

    among: the zones that count; None: all.
    """
    places, km = zone_places(), _km_from(_coordinates(), latitude, longitude)
    nearest: dict[str, tuple[ZonePlace, float]] = {}
    for row in np.argsort(km, kind="stable").tolist():
        if len(nearest) == most:
            break
        place = places[row]
        if among is None or place.zone in among:
            nearest.setdefault(place.zone, (place, float(km[row])))
    return tuple(nearest.values())


@cache
def _coordinates() -> NDArray[np.float64]:
    """Latitudes and longitudes of all places in degrees, shape (2, n)."""
    return np.array([[place.latitude, place.longitude] for place in zone_places()]).T


def _km_from(places: NDArray[np.float64], latitude: float, longitude: float) -> NDArray[np.float64]:
    """Along the surface of a sphere, shape (n,); places: latitude and longitude, degrees, shape (2, n)."""
    here, there = np.radians(places[0]), np.radians(latitude)
    chord = (
        np.sin((there - here) / 2) ** 2
        + np.cos(here) * np.cos(there) * np.sin(np.radians(longitude - places[1]) / 2) ** 2
    )
    return np.asarray(2 * _EARTH_KM * np.arcsin(np.minimum(1.0, np.sqrt(chord))))


def zones_of_city(text: str) -> tuple[str, ...]:
    """The zones of the places called so, and those whose names end so; accents and signs do not count."""
    return _zones_by_city().get(_plain(text), ())


@cache
def _zones_by_city() -> dict[str, tuple[str, ...]]:
    """Plain name of a place -> the zones of all that are called so; the window asks at every change."""
    found: dict[str, dict[str, None]] = {}
    for place in zone_places():
        if plain := _plain(place.name):
            found.setdefault(plain, {})[place.zone] = None
    return {plain: tuple(zones) for plain, zones in found.items()}


def _larger_cities() -> Iterator[ZonePlace]:
    """Below their names: zone, city, latitude and longitude to a tenth of a degree, cut by tabs."""
    lines = read_regular(resources() / "zones" / "cities.tsv").decode().splitlines()
    for zone, name, latitude, longitude in (line.split("\t") for line in lines[1:]):
        yield ZonePlace(name=name, latitude=float(latitude), longitude=float(longitude), zone=zone)


def _table_of_zones() -> tuple[ZonePlace, ...]:
    """The lines country, place as +-DDMM+-DDDMM or with seconds, zone, and a remark, cut by tabs."""
    rows = [line.split("\t") for line in lines_of_tzdata("zone.tab") if not line.startswith("#")]
    return tuple(
        ZonePlace(
            name=row[2].rpartition("/")[2].replace("_", " "),
            latitude=_degrees(found[1], 2),
            longitude=_degrees(found[2], 3),
            zone=row[2],
        )
        for row in rows
        if len(row) > 2 and (found := re.fullmatch(r"([-+]\d+)([-+]\d+)", row[1]))
    )


def _degrees(text: str, digits: int) -> float:
    """+-DDMM or +-DDMMSS, with so many digits of whole degrees."""
    sign, whole, rest = (-1 if text[0] == "-" else 1), text[1 : 1 + digits], text[1 + digits :]
    return sign * (int(whole) + int(rest[:2]) / 60 + int(rest[2:] or 0) / 3600)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", unicodedata.normalize("NFKD", name.casefold()))
