"""What an archive contains, unpacked to memory or a private file, up to half of the free disk."""

from __future__ import annotations

import contextlib
import io
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, Any, cast

from core.errors import InputError

MOST_IN_MEMORY = 32 << 20
_PIECE = 1 << 20


class SetAside:
    """The bytes of a stream, which can be opened any number of times until this is closed.

    What does not fit into memory is written down no further than it has been read.
    """

    def __init__(
        self,
        stream: IO[bytes],
        path: Path,
        *,
        size: int | None = None,
        opened: contextlib.ExitStack | None = None,
    ) -> None:
        """path: for messages; size: where it is sure; opened: what the stream needs, closed with this."""
        self._stream, self._path, self._whole = stream, path, size
        self._closing = opened or contextlib.ExitStack()
        self._bytes = _up_to(stream, MOST_IN_MEMORY)
        self._file: IO[bytes] | None = None
        self._size = len(self._bytes)
        self._lock = threading.Lock()
        if self._size == MOST_IN_MEMORY:
            self._file = cast(IO[bytes], tempfile.TemporaryFile())  # noqa: SIM115 - closed with this
            self._closing.enter_context(self._file)
            self._room = shutil.disk_usage(tempfile.gettempdir()).free // 2
            self._file.write(self._bytes)
            self._bytes = b""

    def read_at(self, at: int, most: int) -> bytes:
        """Of a stream on disk. Raises InputError where it unpacks to more than the disk should give."""
        assert self._file is not None
        with self._lock:
            self._write_down(at + most)
            self._file.seek(at)
            return self._file.read(most)

    def size(self) -> int:
        """The stream is read to its end where that is not sure. Raises InputError as `read_at`."""
        if self._whole is None:
            if self._file is not None:
                with self._lock:
                    self._write_down(sys.maxsize)
            self._whole = self._size
        return self._whole

    def _write_down(self, least: int) -> None:
        assert self._file is not None
        self._file.seek(0, io.SEEK_END)
        while self._size < least and (piece := self._stream.read(_PIECE)):
            self._size += len(piece)
            if self._size > self._room:
                raise InputError(
                    "The archive contains a file that unpacks to more than half of the free disk space.",
                    where=str(self._path),
                    mend="unpack it and name the files in it",
                )
            self._file.write(piece)

    def reader(self) -> io.BufferedReader:
        """From the beginning, and with a position apart from all others."""
        raw: Any = io.BytesIO(self._bytes) if self._file is None else _Shared(self)
        return io.BufferedReader(raw)

    def close(self) -> None:
        """It is gone."""
        self._closing.close()


class _Shared(io.RawIOBase):
    """One of several readers of a file."""

    def __init__(self, contents: SetAside) -> None:
        self._contents, self._at = contents, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        before = self._contents.size() if whence == io.SEEK_END else self._at if whence else 0
        self._at = max(before + offset, 0)
        return self._at

    def readinto(self, buffer: Any, /) -> int:
        piece = self._contents.read_at(self._at, len(buffer))
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)


def _up_to(stream: IO[bytes], most: int) -> bytes:
    pieces, left = [], most
    while left and (piece := stream.read(min(left, _PIECE))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
