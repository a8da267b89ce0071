"""`map/<table>.geojson`: a table as GeoJSON, a feature a row with all its columns (RFC 7946, method 14.9)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from core.bundle.public_tables import PublicTable, properties
from core.bundle.row_outlines import DEGREE_DECIMALS, RowOutline, coordinates_of, geometry_type, row_outline


def row_outlines(public: PublicTable) -> list[RowOutline | None]:
    """The outline of each row; rows of the same cells share one, and a place may have none."""
    known: dict[tuple[str, ...], RowOutline | None] = {}
    listed = [public.drawn_places(row) for row in public.rows]
    for cells in listed:
        if cells not in known:
            known[cells] = _outline(public, cells)
    return [known[cells] for cells in listed]


def _outline(public: PublicTable, cells: Sequence[str]) -> RowOutline | None:
    if public.table.by_place:
        return public.outlines[cells[0]] if cells else None
    return row_outline(cells)


def feature_rows(public: PublicTable, outlines: Sequence[RowOutline | None]) -> bytes:
    """A FeatureCollection, one feature a line; outlines: of its rows."""
    drawn: dict[int, str] = {}
    lines = []
    for row, outline in zip(public.rows, outlines, strict=True):
        if id(outline) not in drawn:
            drawn[id(outline)] = _geometry(outline)
        described = json.dumps(properties(public.table, row), separators=(",", ":"), ensure_ascii=False)
        lines.append(f'{{"type":"Feature","properties":{described},"geometry":{drawn[id(outline)]}}}')
    features = ",\n".join(lines)
    return f'{{"type":"FeatureCollection","features":[\n{features}\n]}}\n'.encode()


def _geometry(outline: RowOutline | None) -> str:
    if outline is None:
        return "null"
    return f'{{"type":"{geometry_type(outline)}","coordinates":{_nested(coordinates_of(outline))}}}'


def _nested(coordinates: Sequence[Any]) -> str:
    if isinstance(coordinates[0], list | tuple):
        return "[" + ",".join(map(_nested, coordinates)) + "]"
    lon, lat = coordinates
    return f"[{lon:.{DEGREE_DECIMALS}f},{lat:.{DEGREE_DECIMALS}f}]"
