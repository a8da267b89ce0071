"""Polygons of a GeoJSON boundary, as written: positions out of range, rings not closed, lines, its size."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from core.errors import InputError
from core.read.unreadable_files import unreadable_as_input_error
from core.system.nested_texts import json_value
from core.system.regular_files import read_regular
from core.texts import text_of

MOST_BYTES = 16 * 2**20
"""Of a GeoJSON boundary: a country's with every bend of its coast fits; a file of records soon does not."""

Ring = tuple[tuple[float, float], ...]
"""Closed: (longitude, latitude) in degrees, the last position equal to the first."""

_FEWEST_POSITIONS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PolygonRings:
    """One polygon: the outer ring and the rings of its holes."""

    where: str
    """File and place in it, for messages."""
    shell: Ring
    holes: tuple[Ring, ...]
    columns: Mapping[str, float] = field(default_factory=dict)
    """Positive numbers among the properties of the feature that it belongs to."""


def read_polygons(path: Path) -> tuple[PolygonRings, ...]:
    """Every polygon of the file, in its order, heights dropped.

    Points and lines beside them (a label, say) and features without a geometry are passed over.
    Raises InputError for a file that cannot be read, is no GeoJSON, names another reference system
    than WGS84, holds an open ring or a position out of range, or holds no polygon.
    """
    polygons = tuple(_polygons(_document(path), str(path)))
    if not polygons:
        raise InputError(
            "The file contains no polygon.",
            where=str(path),
            mend="save the boundary as an area (Polygon or MultiPolygon), not as points or lines",
        )
    return polygons


def _document(path: Path) -> object:
    with unreadable_as_input_error(path):
        if path.stat().st_size > MOST_BYTES:
            raise InputError(
                "The file is larger than {value} MiB.",
                value=MOST_BYTES // 2**20,
                where=str(path),
                mend="simplify the boundary: bends much smaller than a hexagon change nothing",
            )
        content = read_regular(path)
    if not content.strip():
        raise InputError("The file is empty.", where=str(path), mend="save the boundary again as GeoJSON")
    try:
        return json_value(content.decode("utf-8-sig"), parse_constant=_no_json)
    except ValueError as error:
        line = (
            text_of(", line {lineno}", lineno=error.lineno) if isinstance(error, json.JSONDecodeError) else ""
        )
        raise InputError(
            "The file is not JSON.", where=str(path) + line, mend="save the boundary again as GeoJSON"
        ) from None


def _no_json(_: str) -> NoReturn:
    """Python's reader takes NaN and Infinity; JSON has neither."""
    raise ValueError


def _polygons(
    value: object, where: str, columns: Mapping[str, float] = MappingProxyType({})
) -> Iterator[PolygonRings]:
    """Polygons of a GeoJSON object, from the inside of collections too; columns: of their feature."""
    if not isinstance(value, dict):
        raise _no_geojson(where)
    _require_wgs84(value.get("crs"), where)
    match value.get("type"):
        case "FeatureCollection":
            for number, feature in enumerate(_list(value.get("features"), where), start=1):
                yield from _polygons(
                    feature, text_of("{where}, feature {number}", where=where, number=number)
                )
        case "Feature":
            if value.get("geometry") is not None:
                yield from _polygons(value["geometry"], where, _columns(value.get("properties")))
        case "GeometryCollection":
            for number, geometry in enumerate(_list(value.get("geometries"), where), start=1):
                yield from _polygons(
                    geometry, text_of("{where}, geometry {number}", where=where, number=number), columns
                )
        case "MultiPolygon":
            for number, rings in enumerate(_list(value.get("coordinates"), where), start=1):
                yield from _polygon(
                    rings, text_of("{where}, polygon {number}", where=where, number=number), columns
                )
        case "Polygon":
            yield from _polygon(value.get("coordinates"), where, columns)
        case "Point" | "MultiPoint" | "LineString" | "MultiLineString":
            return
        case _:
            raise _no_geojson(where)


def _columns(properties: object) -> dict[str, float]:
    """The positive numbers among a feature's properties."""
    members = properties if isinstance(properties, dict) else {}
    return {
        str(name): float(value)
        for name, value in members.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf
    }


def _polygon(rings: object, where: str, columns: Mapping[str, float]) -> Iterator[PolygonRings]:
    """One polygon; none where the coordinates are empty, which stands for no place at all."""
    shell, *holes = [
        _ring(ring, text_of("{where}, ring {number}", where=where, number=number))
        for number, ring in enumerate(_list(rings, where), start=1)
    ] or [()]
    if shell:
        yield PolygonRings(where=where, shell=shell, holes=tuple(holes), columns=columns)


def _ring(value: object, where: str) -> Ring:
    ring = tuple(
        _position(position, text_of("{where}, position {number}", where=where, number=number))
        for number, position in enumerate(_list(value, where), start=1)
    )
    if len(ring) < _FEWEST_POSITIONS or ring[0] != ring[-1]:
        raise InputError(
            "A ring of the boundary is not closed, or has fewer than three corners.",
            where=where,
            mend="end each ring with its first position",
        )
    return ring


def _position(value: object, where: str) -> tuple[float, float]:
    numbers: Any = value
    if (
        not isinstance(value, list)
        or len(value) < 2
        or not all(isinstance(item, int | float) and not isinstance(item, bool) for item in value)
    ):
        raise _no_geojson(where)
    longitude, latitude, *_ = numbers
    if abs(longitude) <= 180 and abs(latitude) <= 90:
        return float(longitude), float(latitude)
    swapped = abs(longitude) <= 90 and abs(latitude) <= 180
    raise InputError(
        "A position of the boundary lies outside the range of longitude and latitude.",
        where=where,
        mend="longitude comes first in GeoJSON; here it seems to be the latitude"
        if swapped
        else "save the boundary in degrees (WGS84, EPSG:4326): longitude -180 to 180, latitude -90 to 90",
    )


_DEGREES = (":CRS84", ":CRS83", ":4326", ":4258", ":4269")
"""WGS 84, and ETRS89 and NAD83, from which PROJ turns degrees into those of WGS 84 as they are."""


def _require_wgs84(crs: object, where: str) -> None:
    """The member `crs` of the GeoJSON before RFC 7946; absent or null means WGS84."""
    if crs is None:
        return
    properties = crs.get("properties") if isinstance(crs, dict) else None
    name = str(properties.get("name")) if isinstance(properties, dict) else ""
    if not name.upper().endswith(_DEGREES):
        raise InputError(
            "The boundary uses another reference system than WGS84.",
            where=f"{where}, crs",
            mend="save it in EPSG:4326 (WGS84, degrees)",
        )


def _list(value: object, where: str) -> list[Any]:
    if isinstance(value, list):
        return value
    raise _no_geojson(where)


def _no_geojson(where: str) -> InputError:
    return InputError(
        "This is not GeoJSON.", where=where, mend="save the boundary as GeoJSON (RFC 7946) in degrees"
    )
