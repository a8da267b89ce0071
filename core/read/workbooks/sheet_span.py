"""The rectangle that a sheet of a workbook spans, read from its stored form piece by piece.

Each function takes the open part of an archive that holds sheets. Nothing is made room for: a part is looked
at in pieces.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import IO, NamedTuple

PIECE = 1 << 20
"""Bytes of a sheet's stored form in memory together."""
_LONGEST_TAG = 1 << 20
_WITHIN = rb"""(?:[^<>"']|"[^"<]*"|'[^'<]*')*?"""
"""What may stand in a tag before what is looked for."""
_XLSX_PLACE = re.compile(
    rb"<(?:\w+:)?(c|row)(?=[\s/>])(?:\s" + _WITHIN + rb"""\br\s*=\s*["']([A-Za-z]*)0*([0-9]+)["'])?"""
)
_XLSX_SHARED = re.compile(
    rb"<(?:\w+:)?c\s(?:"
    + _WITHIN
    + rb"""\b)?t\s*=\s*["']s["']"""
    + _WITHIN
    + rb"(?:/>|>(?:\s*<(?:\w+:)?v>\s*([0-9]{1,9})\s*<)?)"
)
_XLSX_TEXT = re.compile(rb"<(?:\w+:)?si[\s/>]|<!")
_NAMED_AT_MOST, _NUMBERED_AT_MOST = 4, 9
"""Letters of a column and digits of a number; with one more it lies beyond every limit."""
MOST_LETTERS = 1 << 16
"""Letters of a cell of a sheet."""
_XLSX_COUNT = re.compile(rb"""\buniqueCount\s*=\s*["']\s*0*([0-9]+)""")
_ODS_TAG = re.compile(
    rb"<(/?)table:(table|table-row|table-cell|covered-table-cell)((?:[\s/](?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)?)>"
)
_ODS_REPEATED = re.compile(rb"""\stable:number-(?:rows|columns)-repeated\s*=\s*["']\s*0*([0-9]+)""")
_XLSB_ROW, _XLSB_SHARED, _XLSB_TEXT, _XLSB_SHEET = 0, 7, 19, 145
_XLSB_CELLS = frozenset(range(1, 12))
"""Blank, numbers, errors, truths, texts, shared texts and the results of formulas."""
_XLSB_SHOWN = 12
"""Bytes that are looked at of what a record of a binary sheet (.xlsb) holds."""
_XLSB_HEAD = 6 + _XLSB_SHOWN
"""With the longest kind and length."""


class Span(NamedTuple):
    """How much a sheet takes in memory."""

    rectangle: int
    """Cells from the first one to the last row and column that hold anything."""
    written: int
    """Cells that stand in the file."""
    text: int = 0
    """Letters of all cells whose text stands in the file once for several of them: each gets its own."""


def xlsx_span(sheet: IO[bytes]) -> Span:
    """Of a part of .xlsx and .xlsm that holds a sheet; nothing of another one."""
    row = column = rows = columns = written = 0
    for found, _ in _matches(sheet, _XLSX_PLACE):
        kind, letters, number = found.groups()
        if kind == b"row":
            row, column = _number(number) if number else row + 1, 0
            continue
        column = _column(letters) if letters else column + 1
        columns, rows = max(columns, column), max(rows, _number(number) if number else row)
        written += 1
    return Span(rows * columns, written)


def xlsx_text(sheet: IO[bytes], lengths: Sequence[int]) -> int:
    """Letters of all cells of a part of .xlsx whose texts stand elsewhere, of these lengths.

    A cell that does not say in plain digits which text is its own counts as the longest.
    """
    longest = max(lengths, default=0)
    letters = 0
    for found, _ in _matches(sheet, _XLSX_SHARED):
        if found[1]:
            place = int(found[1])
            letters += lengths[place] if place < len(lengths) else 0
        elif not found[0].endswith(b"/>"):
            letters += longest
    return letters


def xlsx_lengths(part: IO[bytes]) -> list[int]:
    """Letters, at most, of each text of .xlsx; of one for all where a comment hides some."""
    places: list[int] = []
    for found, at in _matches(part, _XLSX_TEXT):
        if found[0] == b"<!":
            return [MOST_LETTERS]
        places.append(at)
    return [end - start for start, end in pairwise([*places, part.tell()])]


def most_texts(part: IO[bytes]) -> int:
    """How many texts, at most, a part of .xlsx says that it holds; `count` is of the cells that show them."""
    return max((_number(found[1]) for found, _ in _matches(part, _XLSX_COUNT)), default=0)


def ods_span(content: IO[bytes]) -> Span:
    """Of the part `content.xml` of .ods, whose rows and cells tell how often they are repeated.

    All tables together: a reader of one holds all of them. Empty cells at the end of a row and empty rows at
    the end of a table do not count: programs fill a sheet up with them.
    """
    rectangles = rows = columns = written = text = 0
    rows_so_far = cells_so_far = filled = repeated = cells = letters = begun = 0
    for tag, at in _matches(content, _ODS_TAG):
        closing, name, attributes = bool(tag[1]), tag[2], tag[3]
        alone = attributes.endswith(b"/")
        if name == b"table":
            if closing or alone:
                rectangles += rows * columns
            rows = columns = rows_so_far = 0
        elif name == b"table-row":
            if not closing:
                cells_so_far = filled = letters = 0
                repeated = _repeated(attributes)
            if closing or alone:
                rows_so_far += repeated
                text += letters * repeated
                if filled:
                    rows, columns = rows_so_far, max(columns, filled)
        elif not closing:
            cells = _repeated(attributes)
            cells_so_far += cells
            begun = at + len(tag[0]) - len(attributes)
            if not alone or b"office:" in attributes:
                filled = cells_so_far
                written += 1
                letters += len(attributes) * cells
        else:
            letters += (at - begun) * cells
    return Span(rectangles + rows * columns, written, text)


def xlsb_span(sheet: IO[bytes], lengths: Sequence[int] = ()) -> Span:
    """Of a part of .xlsb that holds a sheet; nothing of another one.

    lengths: letters of the texts that stand in a part of their own.
    """
    row = rows = columns = written = text = 0
    begun = False
    for kind, head in _xlsb_records(sheet):
        begun = begun or kind == _XLSB_SHEET
        if not begun:
            continue
        if kind == _XLSB_ROW:
            row = int.from_bytes(head[:4], "little") + 1
        elif kind in _XLSB_CELLS:
            rows, columns = max(rows, row), max(columns, int.from_bytes(head[:4], "little") + 1)
            written += 1
            if kind == _XLSB_SHARED and (place := int.from_bytes(head[8:12], "little")) < len(lengths):
                text += lengths[place]
    return Span(rows * columns, written, text)


def xlsb_lengths(part: IO[bytes]) -> list[int]:
    """Letters of each text of .xlsb."""
    return [int.from_bytes(head[1:5], "little") for kind, head in _xlsb_records(part) if kind == _XLSB_TEXT]


def _xlsb_records(part: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Kind and first bytes of each record of a part of .xlsb: a kind, a length and so many bytes.

    Kind and length are stored seven bits a byte, with the eighth where another byte follows.
    """
    buffer, at = b"", 0
    with contextlib.suppress(IndexError):  # the part ends, or is cut off
        while True:
            if at + _XLSB_HEAD > len(buffer):
                buffer, at = _refilled(part, buffer, at), 0
            kind, at = buffer[at], at + 1
            if kind & 0x80:
                kind, at = kind & 0x7F | (buffer[at] & 0x7F) << 7, at + 1
            length = 0
            for shift in (0, 7, 14, 21):
                digit, at = buffer[at], at + 1
                length |= (digit & 0x7F) << shift
                if digit < 0x80:
                    break
            yield kind, buffer[at : at + _XLSB_SHOWN]
            at += length


def _refilled(part: IO[bytes], buffer: bytes, at: int) -> bytes:
    """What is in the buffer from a place on, which may lie beyond it, with another piece behind it."""
    beyond = at - len(buffer)
    while beyond > 0 and (passed := part.read(min(beyond, PIECE))):
        beyond -= len(passed)
    return buffer[at:] + part.read(PIECE + _XLSB_HEAD)


def _matches(part: IO[bytes], tag: re.Pattern[bytes]) -> Iterator[tuple[re.Match[bytes], int]]:
    """What is found, and at which byte of the part."""
    buffer, before = b"", 0
    while piece := part.read(PIECE):
        text = buffer + piece
        end = 0
        for found in tag.finditer(text):
            end = found.end()
            yield found, before + found.start()
        # a tag may be cut at the end
        buffer = text[max(text.rfind(b"<"), len(text) - _LONGEST_TAG, end) :]
        before += len(text) - len(buffer)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters[: _NAMED_AT_MOST + 1].upper():
        number = number * 26 + letter - 64
    return number


def _number(digits: bytes) -> int:
    return int(digits[: _NUMBERED_AT_MOST + 1])


def _repeated(attributes: bytes) -> int:
    found = _ODS_REPEATED.search(attributes)
    return _number(found[1]) if found else 1
