"""The rectangle that a sheet of a workbook spans, read from its stored form piece by piece.

Each function takes the open part of an archive that holds sheets. Nothing is made room for: a part is looked
at in pieces.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import IO, NamedTuple

PIECE = 1 << 20
"""Bytes in memory together."""
_LONGEST_TAG = 1 << 20
_XLSX_CELL = re.compile(
    rb"""<(?:\w+:)?c\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*?\br\s*=\s*["']([A-Z]{1,3})([0-9]{1,7})["']"""
)
_XLSX_COUNT = re.compile(rb"""\b(?:c|uniqueC)ount\s*=\s*["']\s*([0-9]+)""")
_ODS_TAG = re.compile(
    rb"<(/?)table:(table|table-row|table-cell|covered-table-cell)((?:[\s/](?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)?)>"
)
_ODS_REPEATED = re.compile(rb"""\stable:number-(?:rows|columns)-repeated\s*=\s*["']\s*([0-9]+)""")
_XLSB_ROW = 0
_XLSB_CELLS = frozenset(range(1, 12))
"""Blank, numbers, errors, truths, texts, shared texts and the results of formulas."""
_XLSB_HEAD = 10
"""Bytes of the longest kind and length, and of the place of a row or cell that follows them."""


class Span(NamedTuple):
    """How much a sheet takes in memory."""

    rectangle: int
    """Cells from the first one to the last row and column that hold anything."""
    written: int
    """Cells that stand in the file."""


def xlsx_span(sheet: IO[bytes]) -> Span:
    """Of a part of .xlsx and .xlsm that holds a sheet; nothing of another one."""
    rows = columns = written = 0
    for cell in _matches(sheet, _XLSX_CELL):
        columns, rows = max(columns, _column(cell[1])), max(rows, int(cell[2]))
        written += 1
    return Span(rows * columns, written)


def most_texts(part: IO[bytes]) -> int:
    """How many texts, at most, a part of .xlsx says that it holds."""
    return max((int(found[1]) for found in _matches(part, _XLSX_COUNT)), default=0)


def ods_span(content: IO[bytes]) -> Span:
    """Of the part `content.xml` of .ods, whose rows and cells tell how often they are repeated.

    The largest table counts. Empty cells at the end of a row and empty rows at the end of a table do not:
    programs fill a sheet up with them.
    """
    largest = rows = columns = written = 0
    rows_so_far = cells_so_far = filled = repeated = 0
    for tag in _matches(content, _ODS_TAG):
        closing, name, attributes = bool(tag[1]), tag[2], tag[3]
        alone = attributes.endswith(b"/")
        if name == b"table" and not closing:
            rows = columns = rows_so_far = 0
        elif name == b"table-row" and not closing:
            cells_so_far = filled = 0
            repeated = _repeated(attributes)
        elif name in (b"table-cell", b"covered-table-cell") and not closing:
            cells_so_far += _repeated(attributes)
            if not alone or b"office:" in attributes:
                filled = cells_so_far
                written += 1
        if name == b"table-row" and (closing or alone):
            rows_so_far += repeated
            if filled:
                rows, columns = rows_so_far, max(columns, filled)
            largest = max(largest, rows * columns)
    return Span(largest, written)


def xlsb_span(sheet: IO[bytes]) -> Span:
    """Of a part `xl/worksheets/*.bin` of .xlsb: records of a kind, a length and so many bytes.

    Kind and length are stored seven bits a byte, with the eighth where another byte follows.
    """
    row = rows = columns = written = 0
    buffer, at = b"", 0
    with contextlib.suppress(IndexError):  # the part ends, or is cut off
        while True:
            if at + _XLSB_HEAD > len(buffer):
                buffer, at = _refilled(sheet, buffer, at), 0
            kind, at = buffer[at], at + 1
            if kind & 0x80:
                kind, at = kind & 0x7F | (buffer[at] & 0x7F) << 7, at + 1
            length = 0
            for shift in (0, 7, 14, 21):
                digit, at = buffer[at], at + 1
                length |= (digit & 0x7F) << shift
                if digit < 0x80:
                    break
            if kind == _XLSB_ROW:
                row = int.from_bytes(buffer[at : at + 4], "little") + 1
            elif kind in _XLSB_CELLS:
                rows, columns = (
                    max(rows, row),
                    max(columns, int.from_bytes(buffer[at : at + 4], "little") + 1),
                )
                written += 1
            at += length
    return Span(rows * columns, written)


def _refilled(part: IO[bytes], buffer: bytes, at: int) -> bytes:
    """What is in the buffer from a place on, which may lie beyond it, with another piece behind it."""
    beyond = at - len(buffer)
    while beyond > 0 and (passed := part.read(min(beyond, PIECE))):
        beyond -= len(passed)
    return buffer[at:] + part.read(PIECE + _XLSB_HEAD)


def _matches(part: IO[bytes], tag: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    buffer = b""
    while piece := part.read(PIECE):
        text = buffer + piece
        end = 0
        for found in tag.finditer(text):
            end = found.end()
            yield found
        # a tag may be cut at the end
        buffer = text[max(text.rfind(b"<"), len(text) - _LONGEST_TAG, end) :]


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _repeated(attributes: bytes) -> int:
    found = _ODS_REPEATED.search(attributes)
    return int(found[1]) if found else 1
