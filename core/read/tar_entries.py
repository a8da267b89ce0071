"""The files of a tar archive, in the order in which they stand, with no more in memory than a name.

The library would hold a list of all, and as much of a name or of an attribute as its header asks for.
"""

from __future__ import annotations

import io
import re
import struct
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

TAR_BLOCK = 512
_LONGEST_NAME = 1 << 16
_PIECE = 1 << 17
_ATTRIBUTES = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
_ABOUT_OTHERS = (*_ATTRIBUTES, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_HEADER = struct.Struct("100s24x12s12x8sc188x155s12x")
"""Name, size, checksum, type, and what stands before the name."""
_RECORD = re.compile(rb"(\d{1,5}) ([^=\n]{1,200})=")
_PATH, _SIZE, _SPARSE = b"path", b"size", b"GNU.sparse."
"""Attributes that say something of a file; no other is retained, however many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TarEntry:
    """One file; its contents are there until the next is asked for."""

    name: str
    contents: io.BufferedReader
    size: int
    known: bool
    """False for one with holes, whose bytes do not stand as they are."""


class _Contents(io.RawIOBase):
    """So many bytes of a stream."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        self._stream, self.left = stream, size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        piece = self._stream.read(min(len(buffer), self.left))
        if self.left and buffer and not piece:
            raise EOFError
        buffer[: len(piece)] = piece
        self.left -= len(piece)
        return len(piece)


_NO_BYTES: io.BufferedReader = io.BufferedReader(io.BytesIO())
"""Of a file without any: of a million, each would take longer to make than to pass over."""


def buffered(stream: Any) -> io.BufferedReader:
    """Of many small files each would ask a stream that unpacks a few times. Closes it when it is gone."""
    return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream, _PIECE)


def tar_entries(stream: io.BufferedReader) -> Iterator[TarEntry]:
    """Every ordinary file; folders, links and devices are passed over.

    Archives that were joined are read one after another. Raises EOFError for one that is damaged or ends
    before its end is marked.
    """
    ended = False
    said: dict[bytes, bytes] = {}
    while block := _exactly(stream, TAR_BLOCK, or_none=True):
        if not block.strip(b"\0"):
            ended = True
            continue
        ended = False
        kind, name, size = _header(block)
        size = _number(said[_SIZE]) if _SIZE in said else size
        if size < 0 or (kind in _ABOUT_OTHERS and size > _LONGEST_NAME):
            raise EOFError
        padding = -size % TAR_BLOCK
        if kind in _ABOUT_OTHERS:
            text = _exactly(stream, size)
            if kind == tarfile.GNUTYPE_LONGNAME:
                said[_PATH] = text.rstrip(b"\0")
            elif kind in _ATTRIBUTES:
                said |= _records(text)
        else:
            if kind in tarfile.REGULAR_TYPES:
                name = said[_PATH].decode(errors="replace") if _PATH in said else name
                known = kind != tarfile.GNUTYPE_SPARSE and _SPARSE not in said
                contents = _Contents(stream, size)
                if not name.endswith("/"):
                    reader: io.BufferedReader = io.BufferedReader(contents) if size else _NO_BYTES
                    yield TarEntry(name=name, contents=reader, size=size, known=known)
                while contents.left:
                    contents.readinto(bytearray(min(contents.left, _PIECE)))
            else:
                padding = 0
            said = {}
        if padding:
            _exactly(stream, padding)
    if not ended:
        raise EOFError


def _exactly(stream: io.BufferedReader, size: int, *, or_none: bool = False) -> bytes:
    piece = stream.read(size)
    if len(piece) < size and (piece or not or_none):
        raise EOFError
    return piece


def _header(block: bytes) -> tuple[bytes, str, int]:
    """Type, name and size. Raises EOFError for what is none.

    A fifth of the library's time, which would read owners and dates too: with many members that counts.
    """
    name, packed_size, packed_sum, kind, prefix = _HEADER.unpack(block)
    of_bytes, sent = sum(block) + 8 * ord(" ") - sum(packed_sum), _octal(packed_sum)
    if of_bytes != sent and of_bytes - 256 * sum(byte > 127 for byte in block) != sent:
        raise EOFError  # some programs add bytes above 127 as negative numbers
    whole = name.partition(b"\0")[0]
    if kind != tarfile.GNUTYPE_SPARSE and (folder := prefix.partition(b"\0")[0]):
        whole = folder + b"/" + whole
    return kind, whole.decode(errors="surrogateescape"), _octal(packed_size)


def _octal(field: bytes) -> int:
    """Digits, or behind a mark the bytes of a large number; -1 where it is negative or nothing of these."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    try:
        return int(field.partition(b"\0")[0].strip() or b"0", 8)
    except ValueError:
        return -1


def _records(text: bytes) -> dict[bytes, bytes]:
    """Lines of a length, a key and a value: those that are understood."""
    found, at = {}, 0
    while start := _RECORD.match(text, at):
        end = at + int(start[1])
        if not start.end() < end <= len(text):
            raise EOFError
        key = _SPARSE if start[2].startswith(_SPARSE) else start[2]
        if key in (_PATH, _SIZE, _SPARSE):
            found[key] = text[start.end() : end - 1]
        at = end
    return found


def _number(text: bytes) -> int:
    if not re.fullmatch(rb"\d{1,18}", text):
        raise EOFError
    return int(text)
