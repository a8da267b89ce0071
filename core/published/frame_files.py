"""A frame as CSV, an Excel sheet or Parquet, with the outlines of its places: formats, too many rows."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import shapely
import shapely.geometry

from core.bundle.row_outlines import as_shape, row_outline
from core.errors import InputError
from core.portal.geoparquet import geoparquet, parquet
from core.progress import Progress, silent
from core.system.files import make_folder, write_atomic
from core.texts import text_of

ENDINGS = (".csv", ".xlsx", ".parquet")
_CELL, _CELLS, _PLACE = "h3_cell", "h3_cells", "place_id"
GeometryByPlace = Mapping[str, Mapping[str, Any]]
"""Place -> its GeoJSON geometry."""
_MAKING, _WRITING = "Making the table…", "Writing the file…"
_MOST_ROWS_OF_A_SHEET = 1_048_575


def write_frame(
    frame: pd.DataFrame, path: Path, progress: Progress = silent, *, outlines: GeometryByPlace | None = None
) -> None:
    """Write a frame in the format that the ending of `path` names; whole or not at all.

    outlines: of places that are no hexagons. Raises InputError for another ending, or more rows than a sheet
    holds.
    """
    progress(0.0, _MAKING)
    content = frame_bytes(frame, path, outlines)
    progress(0.9, _WRITING)
    make_folder(path.parent)
    write_atomic(path, content)


def frame_bytes(frame: pd.DataFrame, path: Path, outlines: GeometryByPlace | None = None) -> bytes:
    """What `write_frame` writes."""
    ending = path.suffix.lower()
    if ending == ".csv":
        return csv_text(frame).encode()
    if ending == ".xlsx":
        return _workbook(frame, path)
    if ending == ".parquet":
        return _parquet(frame, outlines)
    raise InputError(
        "There is no table format {value}.",
        value=ending or "without an ending",
        where=str(path),
        mend=text_of("name a file that ends with one of: {endings}", endings=", ".join(ENDINGS)),
    )


def csv_text(frame: pd.DataFrame) -> str:
    """As the files of a bundle: commas, LF, nothing where nothing is known."""
    text: str = frame.to_csv(index=False, lineterminator="\n")
    return text


def _workbook(frame: pd.DataFrame, path: Path) -> bytes:
    if len(frame) > _MOST_ROWS_OF_A_SHEET:
        raise InputError(
            "{frame} rows do not fit on one sheet.",
            frame=f"{len(frame):,}",
            where=str(path),
            mend="write .csv or .parquet",
        )
    content = io.BytesIO()
    # texts stay texts: what begins with "=" is no formula, and no address becomes a link
    options = {"options": {"strings_to_formulas": False, "strings_to_urls": False, "in_memory": True}}
    with pd.ExcelWriter(content, engine="xlsxwriter", engine_kwargs=options) as writer:
        frame.to_excel(writer, sheet_name="table", index=False, freeze_panes=(1, 0))
    return content.getvalue()


def _parquet(frame: pd.DataFrame, outlines: GeometryByPlace | None) -> bytes:
    """GeoParquet where rows have outlines: hexagons, regions, areas and lines."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    if _CELL in frame:
        return geoparquet(table, _by_cells([(cell,) for cell in frame[_CELL]]))
    if _CELLS in frame:
        return geoparquet(table, _by_cells([tuple(cells.split()) for cells in frame[_CELLS]]))
    if _PLACE in frame and outlines:
        shapes = {place: shapely.geometry.shape(outline) for place, outline in outlines.items()}
        return geoparquet(table, [shapes.get(place) for place in frame[_PLACE]])
    return parquet(table)


def _by_cells(listed: list[tuple[str, ...]]) -> list[shapely.Geometry]:
    known: dict[tuple[str, ...], shapely.Geometry] = {}
    for cells in listed:
        if cells not in known:
            known[cells] = as_shape([part for cell in cells for part in row_outline((cell,))])
    return [known[cells] for cells in listed]
