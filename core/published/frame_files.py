"""A frame as CSV, an Excel sheet or GeoParquet: formats, too many rows, no hexagons to draw."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pyarrow as pa
import shapely

from core.bundle.row_outlines import as_shape, row_outline
from core.errors import InputError
from core.portal.geoparquet import geoparquet
from core.progress import Progress, silent
from core.system.files import make_folder, write_atomic
from core.texts import text_of

ENDINGS = (".csv", ".xlsx", ".parquet")
_CELL, _CELLS = "h3_cell", "h3_cells"
_MAKING, _WRITING = "Making the table…", "Writing the file…"
_MOST_ROWS_OF_A_SHEET = 1_048_575


def write_frame(frame: pd.DataFrame, path: Path, progress: Progress = silent) -> None:
    """Write a frame in the format that the ending of `path` names; whole or not at all.

    Raises InputError for another ending, more rows than a sheet holds, or rows without a place.
    """
    progress(0.0, _MAKING)
    content = frame_bytes(frame, path)
    progress(0.9, _WRITING)
    make_folder(path.parent)
    write_atomic(path, content)


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


def _geoparquet(frame: pd.DataFrame, path: Path) -> bytes:
    """With the outlines of the rows."""
    outlines = _outlines(frame, path)
    return geoparquet(pa.Table.from_pandas(frame, preserve_index=False), outlines)


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
            known[cells] = as_shape([part for cell in cells for part in row_outline((cell,))])
    return [known[cells] for cells in listed]
