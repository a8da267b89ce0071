"""What the sheets of an .xls span, by its stream of records; a size that no sheet has.

Source: [MS-XLS] 2.4 (records), 2.5.293 (texts that several cells share).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from core.read.workbooks.sheet_span import Span

_SHEET, _END, _SIZE, _NUMBERS, _TEXTS, _SHARED, _CONTINUED = 0x85, 0x0A, 0x200, 0xBD, 0xFC, 0xFD, 0x3C
_CELLS = frozenset((0x06, _NUMBERS, _SHARED, 0x203, 0x204, 0x205, 0x27E))
"""Formulas, rows of numbers, shared texts, numbers, texts, truths and errors, short numbers."""
_MOST_CELLS = 1 << 24
"""All rows and columns that a sheet of an .xls can have: the reader makes room for what a sheet claims."""
_SIZES = {10: "<4H", 14: "<2I2H"}
_WIDE, _EXTENDED, _RICH = 1, 4, 8


def xls_span(stream: bytes) -> Span:
    """Of all sheets together: a reader of one holds all of them.

    Raises ValueError or struct.error for what no program writes: sheets within each other, a size beyond that
    of any sheet, records that end behind the stream.
    """
    rectangle = written = text = 0
    lengths: list[int] = []
    starts: list[int] = []
    for kind, at, length in _records(stream, 0):
        if kind == _SHEET:
            starts += struct.unpack_from("<I", stream, at)
        elif kind == _TEXTS:
            lengths = _lengths(stream, at, length)
        elif kind == _END:
            break
    left = len(stream) // 4
    for start in starts:
        rows = columns = 0
        for kind, at, length in _records(stream, start):
            left -= 1
            if left < 0:
                raise ValueError("sheets within each other")
            if kind == _END:
                break
            if kind == _SIZE:
                _require_size(stream, at, length)
            elif kind in _CELLS:
                row, column = struct.unpack_from("<2H", stream, at)
                if kind == _NUMBERS:
                    column = max(column, *struct.unpack_from("<H", stream, at + length - 2))
                elif kind == _SHARED:
                    (place,) = struct.unpack_from("<I", stream, at + 6)
                    text += lengths[place] if place < len(lengths) else 0
                rows, columns = max(rows, row + 1), max(columns, column + 1)
                written += max(length // 6, 1) if kind == _NUMBERS else 1
        rectangle += rows * columns
    return Span(rectangle, written, text)


def _records(stream: bytes, at: int) -> Iterator[tuple[int, int, int]]:
    """Kind, place and length of what each record holds, up to the end of the stream."""
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<2H", stream, at)
        yield kind, at + 4, length
        at += 4 + length


def _require_size(stream: bytes, at: int, length: int) -> None:
    first_row, last_row, first, last = struct.unpack_from(_SIZES.get(length, "<4H"), stream, at)
    if not last_row or not last:
        return
    if last_row < first_row or last < first or (last_row - first_row) * (last - first) > _MOST_CELLS:
        raise ValueError("a size that no sheet has")


def _lengths(stream: bytes, at: int, length: int) -> list[int]:
    """Letters of each text that cells share; those up to a damaged one."""
    (number,) = struct.unpack_from("<I", stream, at + 4)
    found: list[int] = []
    more = _records(stream, at + length)
    end, at = at + length, at + 8
    while len(found) < number:
        if at >= end:
            at, end = _continued(more)
        if at + 3 > end:
            break
        letters, marks = struct.unpack_from("<HB", stream, at)
        found.append(letters)
        at, behind, wide = at + 3, 0, marks & _WIDE
        if marks & _RICH:
            behind += 4 * struct.unpack_from("<H", stream, at)[0]
            at += 2
        if marks & _EXTENDED:
            behind += struct.unpack_from("<I", stream, at)[0]
            at += 4
        while letters > (taken := min(letters, max(end - at, 0) >> wide)):
            letters -= taken
            at, end = _continued(more)
            if at >= end:
                return found
            wide, at = stream[at] & _WIDE, at + 1
        at += letters << wide
        while at + behind > end and end:
            behind -= end - at
            at, end = _continued(more)
        at += behind
    return found


def _continued(more: Iterator[tuple[int, int, int]]) -> tuple[int, int]:
    """Where the next record that goes on begins and ends; (0, 0) where none follows."""
    kind, at, length = next(more, (0, 0, 0))
    return (at, at + length) if kind == _CONTINUED else (0, 0)
