"""Outlines of regions: the union of their hexagons, in `regions.geojson` (method 14, city-release 10)."""

from __future__ import annotations

import json
from collections.abc import Iterable

import h3

from core.bundle.release_result import HatRow

_DIGITS = 7
_HALF_TURN, _TURN = 180, 360

OutlineRing = tuple[tuple[float, float], ...]
OutlinePolygon = tuple[OutlineRing, ...]


def outline(cells: Iterable[str]) -> tuple[OutlinePolygon, ...]:
    """The union of cells of one resolution as polygons of (longitude, latitude), 7 decimals.

    Each is its outer ring, counter-clockwise, then its holes, clockwise; rings are closed and start at their
    westernmost corner; polygons and holes are sorted. A polygon across the date line goes on beyond 180
    degrees.
    """
    shape = h3.cells_to_h3shape(sorted(cells))
    parts = list(shape) if isinstance(shape, h3.LatLngMultiPoly) else [shape]
    return tuple(sorted(_polygon([part.outer, *part.holes]) for part in parts))


def cell_ring(cell: str) -> OutlineRing:
    """The closed outline of a cell as (longitude, latitude), counter-clockwise, 7 decimals.

    A cell across the date line goes on beyond 180 degrees, so that it stays one small polygon.
    """
    corners = [(lon, lat) for lat, lon in h3.cell_to_boundary(cell)]
    if max(lon for lon, _ in corners) - min(lon for lon, _ in corners) > _HALF_TURN:
        corners = [(lon + _TURN if lon < 0 else lon, lat) for lon, lat in corners]
    rounded = [(round(lon, _DIGITS) + 0.0, round(lat, _DIGITS) + 0.0) for lon, lat in corners]
    return (*rounded, rounded[0])


def regions_geojson(rows: Iterable[HatRow]) -> bytes:
    """A FeatureCollection of regions with their hours, sorted, one feature a line."""
    features = ",\n".join(_feature(row) for row in sorted(rows, key=lambda row: row.cell))
    return f'{{"type":"FeatureCollection","features":[\n{features}\n]}}\n'.encode()


def region_properties(region: str, slot_start: str, slot_end: str) -> dict[str, str]:
    """What a feature says beside its outline."""
    return {"region": region, "slot_start": slot_start, "slot_end": slot_end}


def _polygon(rings: list[Iterable[tuple[float, float]]]) -> OutlinePolygon:
    """rings: of (latitude, longitude), open, the outer one first."""
    corners = [[(lon, lat) for lat, lon in ring] for ring in rings]
    every = [lon for ring in corners for lon, _ in ring]
    if max(every) - min(every) > _HALF_TURN:
        corners = [[(lon + _TURN if lon < 0 else lon, lat) for lon, lat in ring] for ring in corners]
    outer, *holes = corners
    return _ring(outer, counter_clockwise=True), *sorted(_ring(one, counter_clockwise=False) for one in holes)


def _ring(corners: list[tuple[float, float]], *, counter_clockwise: bool) -> OutlineRing:
    rounded = [(round(lon, _DIGITS) + 0.0, round(lat, _DIGITS) + 0.0) for lon, lat in corners]
    pairs = zip(rounded, [*rounded[1:], rounded[0]], strict=True)
    # around the first corner: areas of hexagons are small beside the squares of degrees
    west, south = rounded[0]
    area = sum((x - west) * (v - south) - (u - west) * (y - south) for (x, y), (u, v) in pairs)
    if (area > 0) is not counter_clockwise:
        rounded.reverse()
    first = rounded.index(min(rounded))
    return (*rounded[first:], *rounded[:first], rounded[first])


def _feature(row: HatRow) -> str:
    polygons = ",".join(
        "[" + ",".join("[" + ",".join(_point(*corner) for corner in ring) + "]" for ring in polygon) + "]"
        for polygon in outline(row.cells)
    )
    properties = region_properties(row.cell, row.slot_start, row.slot_end)
    return (
        f'{{"type":"Feature","properties":{json.dumps(properties, separators=(",", ":"))},'
        f'"geometry":{{"type":"MultiPolygon","coordinates":[{polygons}]}}}}'
    )


def _point(lon: float, lat: float) -> str:
    return f"[{lon:.{_DIGITS}f},{lat:.{_DIGITS}f}]"
