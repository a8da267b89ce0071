"""The files of a tar archive, in the order in which they stand, with no more in memory than a name.

The library would hold a list of all, and as much of a name or of an attribute as its header asks for.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

TAR_BLOCK = 512
_LONGEST_NAME = 1 << 16
_PIECE = 1 << 20
_ATTRIBUTES = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
_ABOUT_OTHERS = (*_ATTRIBUTES, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
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


def tar_entries(stream: IO[bytes]) -> Iterator[TarEntry]:
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
        try:
            info = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except tarfile.HeaderError:
            raise EOFError from None
        size = _number(said[_SIZE]) if _SIZE in said else info.size
        if size < 0 or (info.type in _ABOUT_OTHERS and size > _LONGEST_NAME):
            raise EOFError
        padding = -size % TAR_BLOCK
        if info.type in _ABOUT_OTHERS:
            text = _exactly(stream, size)
            if info.type == tarfile.GNUTYPE_LONGNAME:
                said[_PATH] = text.rstrip(b"\0")
            elif info.type in _ATTRIBUTES:
                said |= _records(text)
        else:
            has_bytes = info.type in (*tarfile.REGULAR_TYPES, tarfile.GNUTYPE_SPARSE)
            contents = _Contents(stream, size if has_bytes else 0)
            padding = padding if has_bytes else 0
            if has_bytes:
                name = said[_PATH].decode(errors="replace") if _PATH in said else info.name
                known = info.type != tarfile.GNUTYPE_SPARSE and _SPARSE not in said
                if not name.endswith("/"):
                    yield TarEntry(name=name, contents=io.BufferedReader(contents), size=size, known=known)
            while contents.left:
                contents.readinto(bytearray(min(contents.left, _PIECE)))
            said = {}
        _exactly(stream, padding)
    if not ended:
        raise EOFError


def _exactly(stream: IO[bytes], size: int, *, or_none: bool = False) -> bytes:
    pieces, left = [], size
    while left and (piece := stream.read(left)):
        pieces.append(piece)
        left -= len(piece)
    if left and (pieces or not or_none):
        raise EOFError
    return b"".join(pieces)


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
