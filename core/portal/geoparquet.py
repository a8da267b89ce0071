"""GeoParquet 1.1: rows with their outlines as WKB, in degrees of WGS 84, longitude first (method 14.9)."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import shapely

from core.bundle.csv_columns import BOX, GEOMETRY, Column
from core.bundle.public_tables import PublicTable, property_value
from core.bundle.row_outlines import RowOutline, as_shape

SIDES = ("xmin", "ymin", "xmax", "ymax")
GEO_KEY = "geo"
"""Of the file's metadata, where GeoParquet describes its geometries."""
_WRITTEN: dict[str, Any] = {"compression": "zstd", "data_page_version": "1.0"}
"""What `parquet_rows` reads, whatever a newer library writes by itself; statistics are of boxes alone."""
_TYPES = {"string": pa.string(), "date": pa.string(), "integer": pa.int64(), "number": pa.float64()}


def column_type(column: Column) -> pa.DataType:
    """What a column is in Arrow's terms: dates stay text, as they are in CSV."""
    return _TYPES[column.type]


def arrow_table(public: PublicTable) -> pa.Table:
    """The rows of a table by column, without outlines."""
    return pa.table(
        {
            column.name: pa.array(
                [property_value(column, row[column.name]) for row in public.rows], column_type(column)
            )
            for column in public.table.columns
        }
    )


def geoparquet_rows(
    public: PublicTable, outlines: Sequence[RowOutline | None], *, boxed: bool = True
) -> bytes:
    """`map/<table>.parquet`; outlines: of its rows; boxed: with the box of each, as in the second form."""
    return geoparquet(arrow_table(public), shapes_of(outlines), boxed=boxed)


def shapes_of(outlines: Sequence[RowOutline | None]) -> list[shapely.Geometry | None]:
    """Each as a geometry, made once for rows that share it."""
    known: dict[int, shapely.Geometry | None] = {}
    for outline in outlines:
        if id(outline) not in known:
            known[id(outline)] = None if outline is None else as_shape(outline)
    return [known[id(outline)] for outline in outlines]


def outline_boxes(
    outlines: Sequence[shapely.Geometry | None],
) -> list[tuple[float, float, float, float] | None]:
    """West, south, east and north of each, degrees."""
    sides = shapely.bounds(list(outlines)).tolist()
    return [None if one is None else tuple(box) for one, box in zip(outlines, sides, strict=True)]


def geoparquet(table: pa.Table, outlines: Sequence[shapely.Geometry | None], *, boxed: bool = True) -> bytes:
    """The file of a table with an outline for each row, or none."""
    table = table.append_column(GEOMETRY, pa.array(shapely.to_wkb(list(outlines)), pa.binary()))
    if boxed:
        sides = pa.struct([pa.field(side, pa.float64(), nullable=False) for side in SIDES])
        boxes = [
            None if box is None else dict(zip(SIDES, box, strict=True)) for box in outline_boxes(outlines)
        ]
        table = table.append_column(BOX, pa.array(boxes, sides))
    metadata = {
        **(table.schema.metadata or {}),
        GEO_KEY.encode(): json.dumps(geo_metadata(outlines, boxed=boxed)).encode(),
    }
    boxes_of = [f"{BOX}.{side}" for side in SIDES] if boxed else False
    return parquet(table.replace_schema_metadata(metadata), statistics=boxes_of)


def parquet(table: pa.Table, *, statistics: list[str] | bool = False) -> bytes:
    """The file of a table; statistics: of these columns alone."""
    content = io.BytesIO()
    pq.write_table(table, content, write_statistics=statistics, **_WRITTEN)
    return content.getvalue()


def geo_metadata(shapes: Sequence[shapely.Geometry | None], *, boxed: bool = True) -> dict[str, object]:
    """What the key `geo` says; without a `crs` it is WGS 84, longitude first."""
    outlines = [shape for shape in shapes if shape is not None]
    column: dict[str, object] = {
        "encoding": "WKB",
        "geometry_types": sorted({str(outline.geom_type) for outline in outlines}),
        "edges": "planar",
        "orientation": "counterclockwise",
    }
    if outlines:
        column["bbox"] = [float(side) for side in shapely.total_bounds(list(outlines))]
    if boxed:
        column["covering"] = {"bbox": {side: [BOX, side] for side in SIDES}}
    return {"version": "1.1.0", "primary_column": GEOMETRY, "columns": {GEOMETRY: column}}
