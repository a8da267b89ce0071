"""How many cells a workbook's sheets span, read from its XML before anything makes room for them.

A sheet with nothing but its first and last cells takes a few hundred bytes and spans seventeen billion cells:
a library that holds it as a rectangle asks the system for all of them at once.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from pathlib import Path
from typing import IO

from core.errors import InputError
from core.read.archives import open_zip

MOST_SPANNED = 24 << 20
"""Of a sheet: all rows that a sheet can have, of 24 columns."""
MOST_UNPACKED = 1 << 30
"""Bytes of all parts: a sheet of so many cells takes less."""
_CELL = re.compile(rb"""<(?:\w+:)?c\s[^<>]*?\br\s*=\s*["']([A-Z]{1,3})([0-9]{1,7})["']""")
_PIECE = 1 << 20
_LONGEST_TAG = 1 << 12


def require_extent(
    content: bytes, path: Path, *, most_cells: int = MOST_SPANNED, most_unpacked: int = MOST_UNPACKED
) -> None:
    """Raise InputError for a zipped workbook whose parts or sheets are too large to be held.

    What is no zip archive, or damaged, passes: the reader of workbooks says what is wrong with it. Sheets are
    looked at in .xlsx and .xlsm alone; .xls has no room for more than 65,536 rows of 256 columns.
    """
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return
    try:
        with open_zip(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            if sum(part.file_size for part in parts) > most_unpacked:
                raise _too_large("its parts unpack to", f"{most_unpacked >> 20} MiB", path)
            for part in parts:
                if part.filename.startswith("xl/worksheets/"):
                    with archive.open(part) as sheet:
                        if _span(sheet) > most_cells:
                            raise _too_large("a sheet spans", f"{most_cells:,} cells", path)
    except (zipfile.BadZipFile, RuntimeError, EOFError, UnicodeDecodeError, zlib.error):
        return


def _span(sheet: IO[bytes]) -> int:
    """The cells of the rectangle from the first cell of a sheet to the last row and column that it names."""
    rows = columns = 0
    held = b""
    while piece := sheet.read(_PIECE):
        text = held + piece
        for cell in _CELL.finditer(text):
            columns, rows = max(columns, _column(cell[1])), max(rows, int(cell[2]))
        # a tag may be cut at the end
        held = text[max(text.rfind(b"<"), len(text) - _LONGEST_TAG) :]
    return rows * columns


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _too_large(what: str, limit: str, path: Path) -> InputError:
    return InputError(
        f"The workbook is too large: {what} more than {limit}.",
        where=str(path),
        mend="export the sheet as CSV, or delete what stands far from its records",
    )
