"""Workbooks too large for memory, by the cells and letters that their sheets span.

A sheet with nothing but its first and last cells takes a few hundred bytes and spans seventeen billion cells:
a library that holds it as a rectangle asks the system for all of them together.
"""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from python_calamine import PasswordError

from core.errors import InputError
from core.read.archives import open_zip
from core.read.input_files import MOST_WHOLE
from core.read.workbooks.compound_file import COMPOUND_FILE, compound_file, first_stream
from core.read.workbooks.sheet_span import (
    Span,
    most_texts,
    ods_span,
    xlsb_lengths,
    xlsb_span,
    xlsx_lengths,
    xlsx_span,
    xlsx_text,
)
from core.read.workbooks.xls_span import xls_span
from core.texts import text_of

MOST_SPANNED = 24 << 20
"""Cells of a sheet: all rows that it can have, of 24 columns; and of all sheets that are mostly empty."""
MOST_UNWRITTEN = 6 << 20
"""Cells of a sheet of which the file holds less than one in four: each takes a hundred bytes."""
_WRITTEN_SHARE = 4
MOST_UNPACKED = 1 << 30
"""Bytes of all parts of a workbook: a sheet of so many cells takes less."""
MOST_SHARED_TEXT = 1 << 29
"""Letters of cells of a workbook that have their texts in common: in memory each cell has its own."""
_LEAST_CELL = 8
"""Bytes of a workbook's part that a cell whose text is shared takes at least."""
_TEXTS = "xl/sharedstrings.xml"
"""The part with the texts of all cells, in small letters; each takes memory on its own."""
_BINARY_TEXTS = "xl/sharedstrings.bin"
_SOUND: set[bytes] = set()
"""Digests of those that were looked at: a load, its previews and each choice in the window read one again."""
_ENCRYPTED = 1
"""The flag of a part of a workbook under a password."""
_UNDER_PASSWORD = "EncryptedPackage"
_STREAMS = ("Workbook", "Book", _UNDER_PASSWORD)
"""Of an .xls, of an older one, and of a zipped workbook under a password."""


def sound_workbook(content: bytes, path: Path) -> bytes:
    """A workbook as its reader may be given it: an .xls in a file that holds nothing but its records.

    Raises InputError as `require_extent` does, and PasswordError.
    """
    if not content.startswith(COMPOUND_FILE):
        digest = hashlib.blake2b(content).digest()
        if digest not in _SOUND:
            require_extent(content, path)
            _SOUND.add(digest)
        return content
    try:
        found = first_stream(content, _STREAMS)
        if found is None:
            return b""
        if found[0] == _UNDER_PASSWORD:
            raise PasswordError
        spanned = xls_span(found[1])
    except (ValueError, struct.error):
        raise _damaged(path) from None
    _Limits(path, MOST_SPANNED).add(spanned)
    return compound_file(*found)


def require_extent(
    content: bytes, path: Path, *, most_cells: int = MOST_SPANNED, most_unpacked: int = MOST_UNPACKED
) -> None:
    """Raise InputError for a zipped workbook whose parts or sheets are too large for memory.

    And for one that is damaged: the reader of workbooks does not look at sums, and would hold what nobody
    wrote. PasswordError where a part is under a password. What is no zip archive passes.
    """
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return
    limits = _Limits(path, most_cells)
    try:
        with open_zip(io.BytesIO(content)) as archive:
            parts = {_plain(part.filename): part for part in archive.infolist()}
            if any(part.flag_bits & _ENCRYPTED for part in archive.infolist()):
                raise PasswordError
            if sum(part.file_size for part in archive.infolist()) > most_unpacked:
                raise _too_large("its parts unpack to", f"{most_unpacked >> 20} MiB", path)
            lengths: list[int] = []
            if _TEXTS in parts:
                lengths += _text_lengths(archive, parts[_TEXTS], path)
            binary = "xl/workbook.bin" in parts
            if binary and _BINARY_TEXTS in parts:
                with archive.open(parts[_BINARY_TEXTS]) as texts:
                    lengths = xlsb_lengths(texts)
            for part in archive.infolist():
                for span in _spans(archive, part, lengths, binary=binary):
                    limits.add(span)
    except (zipfile.BadZipFile, EOFError, UnicodeDecodeError, NotImplementedError, zlib.error):
        # a part that is packed in an unknown way too: the reader of workbooks may not need it
        raise _damaged(path) from None


class _Limits:
    """What the sheets of a workbook may take together."""

    def __init__(self, path: Path, most_cells: int) -> None:
        self.path, self.most_cells = path, most_cells
        self.unwritten = self.text = 0

    def add(self, found: Span) -> None:
        """Another sheet. Raises InputError for one that is too large, or too large beside the others."""
        most = self.most_cells
        if found.rectangle > _WRITTEN_SHARE * found.written:
            most = min(most, MOST_UNWRITTEN)
            self.unwritten += found.rectangle
        if found.rectangle > most:
            raise _too_large("a sheet spans", text_of("{most} cells", most=f"{most:,}"), self.path)
        if self.unwritten > self.most_cells:
            most = self.most_cells
            raise _too_large("its sheets span", text_of("{most} cells", most=f"{most:,}"), self.path)
        self.text += found.text
        if self.text > MOST_SHARED_TEXT:
            raise _too_large("the texts of its cells take", f"{MOST_SHARED_TEXT >> 20} MiB", self.path)


def _text_lengths(archive: zipfile.ZipFile, part: zipfile.ZipInfo, path: Path) -> list[int]:
    """Letters of the texts of all cells.

    Raises for texts that fill memory, and for more than there is room for: the reader makes room first.
    """
    if part.file_size > MOST_WHOLE:
        raise _too_large("its texts take", f"{MOST_WHOLE >> 20} MiB", path)
    with archive.open(part) as texts:
        if most_texts(texts) > part.file_size:
            raise zipfile.BadZipFile
    with archive.open(part) as texts:
        return xlsx_lengths(texts)


def _spans(
    archive: zipfile.ZipFile, part: zipfile.ZipInfo, lengths: Sequence[int], *, binary: bool
) -> Iterator[Span]:
    """What a part spans; a sheet may stand in any: the workbook says in which."""
    if _plain(part.filename) in (_TEXTS, _BINARY_TEXTS):
        return
    if binary:
        with archive.open(part) as sheet:
            yield xlsb_span(sheet, lengths)
    with archive.open(part) as sheet:
        yield ods_span(sheet) if part.filename == "content.xml" else xlsx_span(sheet)
    if max(lengths, default=0) * part.file_size // _LEAST_CELL > MOST_SHARED_TEXT:
        with archive.open(part) as sheet:
            yield Span(0, 0, xlsx_text(sheet, lengths))


def _plain(name: str) -> str:
    return name.lower().replace("\\", "/")


def _damaged(path: Path) -> InputError:
    return InputError(
        "The workbook is damaged.", where=str(path), mend="copy the file again, or export the sheet as CSV"
    )


def _too_large(what: str, limit: str, path: Path) -> InputError:
    return InputError(
        "The workbook is too large: {what} more than {limit}.",
        what=what,
        limit=limit,
        where=str(path),
        mend="export the sheet as CSV, or delete cells far away from its records",
    )
