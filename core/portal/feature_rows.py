"""`map/<table>.geojson`: a table as GeoJSON, a feature a row with all its columns (RFC 7946, method 14.9)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.bundle.public_tables import PublicTable, properties
from core.bundle.row_outlines import DEGREE_DECIMALS, GeoPolygon, geometry_type, row_outline


def row_outlines(public: PublicTable) -> list[list[GeoPolygon]]:
    """The outline of each row; rows of the same cells share one."""
    known: dict[tuple[str, ...], list[GeoPolygon]] = {}
    listed = [public.hexagons(row) for row in public.rows]
    for cells in listed:
        if cells not in known:
            known[cells] = row_outline(cells)
    return [known[cells] for cells in listed]


def feature_rows(public: PublicTable, outlines: Sequence[Sequence[GeoPolygon]]) -> bytes:
    """A FeatureCollection, one feature a line; outlines: of its rows."""
    drawn: dict[int, str] = {}
    lines = []
    for row, polygons in zip(public.rows, outlines, strict=True):
        if id(polygons) not in drawn:
            drawn[id(polygons)] = _geometry(polygons)
        described = json.dumps(properties(public.table, row), separators=(",", ":"), ensure_ascii=False)
        lines.append(f'{{"type":"Feature","properties":{described},"geometry":{drawn[id(polygons)]}}}')
    features = ",\n".join(lines)
    return f'{{"type":"FeatureCollection","features":[\n{features}\n]}}\n'.encode()


def _geometry(polygons: Sequence[GeoPolygon]) -> str:
    texts = ["[" + ",".join(map(_ring, polygon)) + "]" for polygon in polygons]
    coordinates = texts[0] if len(texts) == 1 else "[" + ",".join(texts) + "]"
    return f'{{"type":"{geometry_type(polygons)}","coordinates":{coordinates}}}'


def _ring(ring: Sequence[tuple[float, float]]) -> str:
    corners = (f"[{lon:.{DEGREE_DECIMALS}f},{lat:.{DEGREE_DECIMALS}f}]" for lon, lat in ring)
    return "[" + ",".join(corners) + "]"
