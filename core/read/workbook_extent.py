"""How many cells a workbook's sheets span, known before anything makes room for them.

A sheet with nothing but its first and last cells takes a few hundred bytes and spans seventeen billion cells:
a library that holds it as a rectangle asks the system for all of them together.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO

from core.errors import InputError
from core.read.archives import open_zip
from core.read.input_files import MOST_WHOLE
from core.read.sheet_span import Span, most_texts, ods_span, xlsb_span, xlsx_span
from core.texts import text_of

MOST_SPANNED = 24 << 20
"""Of a sheet: all rows that a sheet can have, of 24 columns."""
MOST_UNWRITTEN = 6 << 20
"""Of a sheet of which the file holds less than one cell in four: each takes a hundred bytes."""
_WRITTEN_SHARE = 4
MOST_UNPACKED = 1 << 30
"""Bytes of all parts: a sheet of so many cells takes less."""
_TEXTS = "xl/sharedstrings.xml"
"""The part with the texts of all cells, in small letters; each takes memory on its own."""


def require_extent(
    content: bytes, path: Path, *, most_cells: int = MOST_SPANNED, most_unpacked: int = MOST_UNPACKED
) -> None:
    """Raise InputError for a zipped workbook whose parts or sheets are too large for memory.

    And for one that is damaged: the reader of workbooks does not look at sums, and would hold what nobody
    wrote.
    What is no zip archive passes; .xls has no room for more than 65,536 rows of 256 columns.
    """
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return
    try:
        with open_zip(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            if sum(part.file_size for part in parts) > most_unpacked:
                raise _too_large("its parts unpack to", f"{most_unpacked >> 20} MiB", path)
            for part in parts:
                if part.filename.lower() == _TEXTS:
                    _require_texts(archive, part, path)
                    continue
                with archive.open(part) as sheet:
                    found = _span_of(part.filename.lower())(sheet)
                most = most_cells
                if found.rectangle > _WRITTEN_SHARE * found.written:
                    most = min(most_cells, MOST_UNWRITTEN)
                if found.rectangle > most:
                    raise _too_large("a sheet spans", text_of("{most} cells", most=f"{most:,}"), path)
    except (zipfile.BadZipFile, EOFError, UnicodeDecodeError, zlib.error):
        raise InputError(
            "The workbook is damaged.", where=str(path), mend="copy the file anew, or export the sheet as CSV"
        ) from None
    except RuntimeError:  # under a password: the reader of workbooks says so
        return


def _require_texts(archive: zipfile.ZipFile, part: zipfile.ZipInfo, path: Path) -> None:
    """Raise for texts that fill memory, and for more than there is room for: the reader makes room first."""
    if part.file_size > MOST_WHOLE:
        raise _too_large("its texts take", f"{MOST_WHOLE >> 20} MiB", path)
    with archive.open(part) as texts:
        if most_texts(texts) > part.file_size:
            raise zipfile.BadZipFile


def _span_of(part: str) -> Callable[[IO[bytes]], Span]:
    """How the span of a part is read; a sheet may stand in any: the workbook says in which."""
    if part == "content.xml":
        return ods_span
    return xlsb_span if part.startswith("xl/worksheets/") and part.endswith(".bin") else xlsx_span


def _too_large(what: str, limit: str, path: Path) -> InputError:
    return InputError(
        "The workbook is too large: {what} more than {limit}.",
        what=what,
        limit=limit,
        where=str(path),
        mend="export the sheet as CSV, or delete what stands far from its records",
    )
