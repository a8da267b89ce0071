"""Compound files, as .xls stands in: sectors, their sizes and the table of them.

Whatever a file claims of itself (lengths, numbers of sectors, which one follows) is compared with its bytes,
and nothing is made room for before.

Source: [MS-CFB] 2.2 (header), 2.3 to 2.5 (tables of sectors), 2.6 (directory).
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence

COMPOUND_FILE = bytes.fromhex("d0cf11e0a1b11ae1")
_END, _TABLE, _FREE = 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
_NO_SECTOR = 0xFFFFFFFA
"""From here on a number in the table of a compound file is none of a sector."""
_SMALL_SECTOR, _SMALL_STREAM = 64, 4096
_SHIFTS = (9, 12)
_IN_HEADER = 109
"""Sectors of the table of sectors that a compound file's header itself names."""
_ENTRY = 128
_WRITTEN = 4096
"""Bytes of a sector of the compound file that is written here."""


def first_stream(content: bytes, names: Sequence[str]) -> tuple[str, bytes] | None:
    """The first of these streams that the file has, with its name; None where it has none.

    Raises ValueError or struct.error for a damaged file.
    """
    (shift,) = struct.unpack_from("<H", content, 30)
    if shift not in _SHIFTS:
        raise ValueError("sectors of a size that is none")
    size = 1 << shift
    sectors = memoryview(content)[size:]
    directory_at, small_table_at = struct.unpack_from("<I8xI", content, 48)
    table = _table(content, sectors, size)
    directory = _chain(sectors, size, table, directory_at)
    entries = [directory[at : at + _ENTRY] for at in range(0, len(directory) - _ENTRY + 1, _ENTRY)]
    by_name = {_name(entry): entry for entry in reversed(entries)}
    for name in names:
        if name in by_name:
            start, length = struct.unpack_from("<IQ", by_name[name], 116)
            length &= 0xFFFFFFFF if size == 1 << _SHIFTS[0] else -1
            if length >= _SMALL_STREAM:
                return name, _chain(sectors, size, table, start)[:length]
            small_table = array("I", _chain(sectors, size, table, small_table_at))
            (small_at,) = struct.unpack_from("<I", entries[0], 116)
            small = memoryview(_chain(sectors, size, table, small_at))
            return name, _chain(small, _SMALL_SECTOR, small_table, start)[:length]
    return None


def compound_file(name: str, stream: bytes) -> bytes:
    """A file that holds this stream, filled up with zeros, and nothing else."""
    stream = stream.ljust(_SMALL_STREAM, b"\0")
    filled = -(-len(stream) // _WRITTEN)
    tables = -(-(filled + 1) // (_WRITTEN // 4 - 1))
    following = [_TABLE] * tables + [_END, *range(tables + 2, tables + 1 + filled), _END]
    following += [_FREE] * (tables * _WRITTEN // 4 - len(following))
    header = struct.pack(
        "<8s16x5H6x9I109I",
        COMPOUND_FILE,
        *(0x3E, 4, 0xFFFE, 12, 6),
        *(1, tables, tables, 0, _SMALL_STREAM, _END, 0, _END, 0),
        *range(tables),
        *[_FREE] * (_IN_HEADER - tables),
    )
    directory = _entry("Root-Entry", 5, child=1, start=tables + 1, size=0)
    directory += _entry(name, 2, child=_FREE, start=tables + 1, size=len(stream))
    return b"".join(
        (
            header.ljust(_WRITTEN, b"\0"),
            struct.pack(f"<{len(following)}I", *following),
            directory.ljust(_WRITTEN, b"\0"),
            stream.ljust(filled * _WRITTEN, b"\0"),
        )
    )


def _table(content: bytes, sectors: memoryview, size: int) -> array[int]:
    """Which sector follows on each."""
    parts = list(struct.unpack_from(f"<{_IN_HEADER}I", content, 76))
    most = len(content) // size + _IN_HEADER
    (more,) = struct.unpack_from("<I", content, 68)
    while more < _NO_SECTOR:
        *named, more = struct.unpack_from(f"<{size // 4}I", sectors, more * size)
        parts += named
        if len(parts) > most:
            raise ValueError("more sectors than bytes")
    return array("I", b"".join(_sector(sectors, size, part) for part in parts if part < _NO_SECTOR))


def _chain(sectors: memoryview, size: int, table: array[int], start: int) -> bytes:
    found: list[memoryview] = []
    while start < _NO_SECTOR:
        if start >= len(table) or len(found) > len(table):
            raise ValueError("sectors without an end")
        found.append(_sector(sectors, size, start))
        start = table[start]
    return b"".join(found)


def _sector(sectors: memoryview, size: int, number: int) -> memoryview:
    found = sectors[number * size : (number + 1) * size]
    if not found:
        raise ValueError("a sector behind the end")
    return found


def _name(entry: bytes) -> str:
    return entry[:64].decode("utf-16-le", "replace").partition("\0")[0]


def _entry(name: str, kind: int, *, child: int, start: int, size: int) -> bytes:
    encoded = (name + "\0").encode("utf-16-le")
    return struct.pack("<64sHBB3I36xIQ", encoded, len(encoded), kind, 1, _FREE, _FREE, child, start, size)
