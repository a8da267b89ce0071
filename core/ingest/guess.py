"""Guess which column is which from names and contents; the analyst sees the reason and decides (SPEC 2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from core.errors import InputError
from core.ingest.mapping import ColumnMapping, UnitRange
from core.ingest.positions import parse_numbers, parse_one_column
from core.ingest.readers.base import Preview
from core.ingest.times import MISSING, parse_times
from core.privacy import Confidential

VEHICLE_NAMES = (
    "licenseplate",
    "numberplate",
    "plate",
    "vehicleid",
    "vehiclelabel",
    "vehicle",
    "busid",
    "bus",
    "deviceid",
    "imei",
)
TIME_NAMES = ("observationdatetime", "timestamp", "datetime", "gpstime", "time", "eventtime", "recordedat")
POSITION_NAMES = ("locationcoordinates", "coordinates", "position", "location", "geometry", "point", "wkt")
LATITUDE_NAMES = ("latitude", "lat", "y")
LONGITUDE_NAMES = ("longitude", "lon", "lng", "long", "x")
VALUE_NAMES = ("speed", "speedkmh", "speedkph", "speedmps", "speedmph", "velocity", "gpsspeed")
UNIT_ENDINGS = (("kmh", "km/h"), ("kph", "km/h"), ("mps", "m/s"), ("ms", "m/s"), ("mph", "mph"))

_ENOUGH = 0.9
"""Share of the preview's cells that must be readable as what they are guessed to be."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Guess(Confidential):
    """A mapping with the reason for each part (part -> reason)."""

    mapping: ColumnMapping
    reasons: dict[str, str]


def guess_mapping(preview: Preview, *, where: str) -> Guess:
    """The most likely mapping. Raises InputError that names the part for which no column was found."""
    vehicle = _find(preview, VEHICLE_NAMES, bool)
    time = _find(preview, TIME_NAMES, _are_times)
    position = _find(preview, POSITION_NAMES, _are_positions)
    latitude = "" if position else _find(preview, LATITUDE_NAMES, _are_numbers)
    longitude = "" if position else _find(preview, LONGITUDE_NAMES, _are_numbers)
    value = _find(preview, VALUE_NAMES, _are_numbers)
    unit, unit_reason = _guess_unit(value)
    found = {
        "vehicle": vehicle,
        "time": time,
        "position": position or (f"{latitude}, {longitude}" if latitude and longitude else ""),
        "value": value,
    }
    for part, column in found.items():
        if not column:
            raise InputError(
                f"No column looks like the {part}.",
                where=f"{where}; its columns: " + ", ".join(preview.columns),
                mend=f"name the column of the {part} in a spec file under [data.mapping]",
            )
    reasons = {part: f"named {column}" for part, column in found.items()} | {"unit": unit_reason}
    mapping = ColumnMapping(
        vehicle=vehicle,
        time=time,
        value=value,
        position=position,
        latitude=latitude,
        longitude=longitude,
        units=(UnitRange(unit=unit),),
    )
    return Guess(mapping=mapping, reasons=reasons)


def _find(preview: Preview, names: tuple[str, ...], fits: Callable[[list[str]], bool]) -> str:
    """The first column, in the order of `names`, whose name and contents fit; empty if none does."""
    simple = {column: re.sub(r"[^a-z0-9]", "", column.casefold()) for column in preview.columns}
    for name in names:
        for column, plain in simple.items():
            if plain == name and fits([cell for cell in preview.column(column) if cell]):
                return column
    return ""


def _are_times(cells: list[str]) -> bool:
    return bool(cells) and float((parse_times(pa.array(cells)).instants != MISSING).mean()) >= _ENOUGH


def _are_numbers(cells: list[str]) -> bool:
    numbers, _ = parse_numbers(pa.array(cells, pa.string()))
    return bool(cells) and float((numbers == numbers).mean()) >= _ENOUGH


def _are_positions(cells: list[str]) -> bool:
    latitude = parse_one_column(pa.array(cells, pa.string()), "lon,lat").latitude
    return bool(cells) and float((latitude == latitude).mean()) >= _ENOUGH


def _guess_unit(value: str) -> tuple[str, str]:
    plain = re.sub(r"[^a-z0-9]", "", value.casefold())
    for ending, unit in UNIT_ENDINGS:
        if plain.endswith(ending) and plain != ending:
            return unit, f"the name ends in {ending}"
    return "km/h", "nothing in the file tells the unit; km/h is assumed"
