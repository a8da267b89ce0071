"""A frame as a file for other tools: CSV, an Excel workbook, or GeoParquet with the outlines of its cells."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import shapely

from core.errors import InputError
from core.files import write_atomic
from core.release.data_files import cell_ring

ENDINGS = (".csv", ".xlsx", ".parquet")
_CELL, _CELLS, _GEOMETRY = "h3_cell", "h3_cells", "geometry"
_MOST_ROWS_OF_A_SHEET = 1_048_575


def write_frame(frame: pd.DataFrame, path: Path) -> None:
    """Write a frame in the format that the ending of `path` names; whole or not at all.

    Raises InputError for another ending, more rows than a sheet holds, or rows without a place.
    """
    write_atomic(path, frame_bytes(frame, path))


def frame_bytes(frame: pd.DataFrame, path: Path) -> bytes:
    """What `write_frame` writes."""
    ending = path.suffix.lower()
    if ending == ".csv":
        return csv_text(frame).encode()
    if ending == ".xlsx":
        return _workbook(frame, path)
    if ending == ".parquet":
        return _geoparquet(frame, path)
    raise InputError(
        f"There is no table format {ending or 'without an ending'}.",
        where=str(path),
        mend=f"name a file that ends with one of: {', '.join(ENDINGS)}",
    )


def csv_text(frame: pd.DataFrame) -> str:
    """As the files of a bundle: commas, LF, nothing where nothing is known."""
    text: str = frame.to_csv(index=False, lineterminator="\n")
    return text


def _workbook(frame: pd.DataFrame, path: Path) -> bytes:
    if len(frame) > _MOST_ROWS_OF_A_SHEET:
        raise InputError(
            f"{len(frame):,} rows are more than a sheet holds.",
            where=str(path),
            mend="write .csv or .parquet",
        )
    content = io.BytesIO()
    # texts stay texts: what begins with "=" is no formula, and no address becomes a link
    options = {"options": {"strings_to_formulas": False, "strings_to_urls": False, "in_memory": True}}
    with pd.ExcelWriter(content, engine="xlsxwriter", engine_kwargs=options) as writer:
        frame.to_excel(writer, sheet_name="table", index=False, freeze_panes=(1, 0))
    return content.getvalue()


def _geoparquet(frame: pd.DataFrame, path: Path) -> bytes:
    """GeoParquet 1.1: outlines as WKB, in degrees of WGS 84, longitude first."""
    outlines = _outlines(frame, path)
    table = pa.Table.from_pandas(frame, preserve_index=False)
    table = table.append_column(_GEOMETRY, pa.array(shapely.to_wkb(outlines), pa.binary()))
    column: dict[str, object] = {
        "encoding": "WKB",
        "geometry_types": sorted({str(outline.geom_type) for outline in outlines}),
        "edges": "planar",
        "orientation": "counterclockwise",
    }
    if outlines:
        column["bbox"] = [float(side) for side in shapely.total_bounds(outlines)]
    told = {"version": "1.1.0", "primary_column": _GEOMETRY, "columns": {_GEOMETRY: column}}
    metadata = {**(table.schema.metadata or {}), b"geo": json.dumps(told).encode()}
    content = io.BytesIO()
    pq.write_table(table.replace_schema_metadata(metadata), content, compression="zstd")
    return content.getvalue()


def _outlines(frame: pd.DataFrame, path: Path) -> list[shapely.Geometry]:
    if _CELL in frame:
        listed = [(cell,) for cell in frame[_CELL]]
    elif _CELLS in frame:
        listed = [tuple(cells.split()) for cells in frame[_CELLS]]
    else:
        raise InputError(
            "These rows have no hexagons to draw.", where=str(path), mend="write .csv or .xlsx instead"
        )
    known: dict[tuple[str, ...], shapely.Geometry] = {}
    for cells in listed:
        if cells not in known:
            known[cells] = _outline(cells)
    return [known[cells] for cells in listed]


def _outline(cells: tuple[str, ...]) -> shapely.Geometry:
    polygons = [shapely.Polygon(cell_ring(cell)) for cell in cells]
    return polygons[0] if len(polygons) == 1 else shapely.normalize(shapely.MultiPolygon(polygons))
