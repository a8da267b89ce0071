"""What stands inside an archive, set aside to be opened again: in memory, or in a private file."""

from __future__ import annotations

import io
import shutil
import tempfile
import threading
from pathlib import Path
from typing import IO, Any, cast

from core.errors import InputError

MOST_IN_MEMORY = 32 << 20
_PIECE = 1 << 20


class SetAside:
    """All bytes of a stream, which can be opened any number of times until this is closed."""

    def __init__(self, stream: IO[bytes], path: Path) -> None:
        """path: for messages. Raises InputError where it unpacks to more than the disk should give."""
        self._bytes = _up_to(stream, MOST_IN_MEMORY)
        self._file: IO[bytes] | None = None
        self.size = len(self._bytes)
        self._lock = threading.Lock()
        if self.size == MOST_IN_MEMORY:
            self._file = cast(IO[bytes], tempfile.TemporaryFile())  # noqa: SIM115 - closed with this
            try:
                self._spool(self._file, stream, path)
            except BaseException:
                self._file.close()
                raise

    def _spool(self, file: IO[bytes], stream: IO[bytes], path: Path) -> None:
        room = shutil.disk_usage(tempfile.gettempdir()).free // 2
        piece, self._bytes, self.size = self._bytes, b"", 0
        while piece:
            self.size += len(piece)
            if self.size > room:
                raise InputError(
                    "The archive holds a file that unpacks to more than half of the free disk.",
                    where=str(path),
                    mend="unpack it and name the files in it",
                )
            file.write(piece)
            piece = stream.read(_PIECE)
        file.flush()

    def reader(self) -> io.BufferedReader:
        """From the beginning, and with a position apart from all others."""
        raw: Any = (
            io.BytesIO(self._bytes) if self._file is None else _Shared(self._file, self.size, self._lock)
        )
        return io.BufferedReader(raw)

    def close(self) -> None:
        """It is gone."""
        if self._file is not None:
            self._file.close()


class _Shared(io.RawIOBase):
    """One of several readers of a file."""

    def __init__(self, file: IO[bytes], size: int, lock: threading.Lock) -> None:
        self._file, self._size, self._lock, self._at = file, size, lock, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self._at = max((0, self._at, self._size)[whence] + offset, 0)
        return self._at

    def readinto(self, buffer: Any, /) -> int:
        with self._lock:
            self._file.seek(self._at)
            piece = self._file.read(len(buffer))
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)


def _up_to(stream: IO[bytes], most: int) -> bytes:
    pieces, left = [], most
    while left and (piece := stream.read(min(left, _PIECE))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
