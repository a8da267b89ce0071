"""Input files: opened plain, compressed or inside a zip archive, with errors a person can act on."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa

from core.errors import InputError
from core.read.archives import member_of, open_member
from core.read.unreadable_files import folder_refused, unreadable_as_input_error
from core.system.regular_files import open_regular


def _unpack_zstd(packed: Any) -> io.BufferedReader:
    return io.BufferedReader(pa.CompressedInputStream(pa.PythonFile(packed, "r"), "zstd"))


_UNPACKERS: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": lambda packed: gzip.GzipFile(fileobj=packed),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\0": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": _unpack_zstd,
}
"""By the first bytes of what they unpack."""
PACKED = (".gz", ".bz2", ".xz", ".zst")
"""What names of compressed files end in, behind the ending that tells the format."""
MOST_WHOLE = 1 << 28
"""Bytes of a file that cannot be read in pieces, unpacked."""


class NoRecord(InputError):
    """A file that could be read holds no record at all: it has no bytes, or none of its rows is one.

    A caller that reads several files may pass it over; where presence is private, nobody may refuse it.
    """


class OpenedFile(io.BufferedIOBase):
    """A readable stream of a file's contents that knows how far into the file on disk it is.

    The path may lead into a zip archive: `archive.zip/member.csv`.
    """

    def __init__(self, path: Path) -> None:
        self._stack = contextlib.ExitStack()
        with contextlib.ExitStack() as opening:
            found = member_of(path)
            on_disk = found.archive if found else path
            self._raw = opening.enter_context(open_regular(on_disk))
            self._begun = os.fstat(self._raw.fileno())
            self._start, self._size = 0, self._begun.st_size
            inner: IO[bytes] = self._raw
            if found:
                inner = opening.enter_context(open_member(self._raw, found))
                self._start, self._size = found.start, found.packed
            self.zipped = found is not None
            first = cast(io.BufferedReader, inner).peek(6)
            for mark, unpacked in _UNPACKERS.items():
                if first.startswith(mark):
                    self.zipped = True
                    inner = cast(IO[bytes], opening.enter_context(unpacked(inner)))
                    break
            self._stream = inner
            self._stack = opening.pop_all()

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        return self._stream.read(-1 if size is None else size)

    @property
    def fraction(self) -> float:
        """Share of the file on disk that has been read, 0..1."""
        return min(max(self._raw.tell() - self._start, 0) / max(self._size, 1), 1.0)

    @property
    def plain_position(self) -> int | None:
        """How many bytes of the file itself have been read; None where its contents are packed."""
        return None if self.zipped else self._raw.tell()

    @property
    def changed(self) -> bool:
        """Whether the file on disk has been written to since it was opened."""
        now = os.fstat(self._raw.fileno())
        return (now.st_size, now.st_mtime_ns) != (self._begun.st_size, self._begun.st_mtime_ns)

    def close(self) -> None:
        if not self.closed:
            self._stack.close()
        super().close()


@contextlib.contextmanager
def opened(path: Path) -> Iterator[OpenedFile]:
    """Open a plain or compressed file, or a member of a zip archive.

    Raises InputError when it is missing, cannot be read, is truncated, or changes meanwhile.
    """
    with unreadable_as_input_error(path):
        if path.is_dir():
            raise folder_refused(path)
        with OpenedFile(path) as stream:
            try:
                yield stream
            except InputError:
                # what is wrong with it is then no use to know
                if stream.changed:
                    raise _changed(path) from None
                raise
            if stream.changed:
                raise _changed(path)


def read_whole(stream: OpenedFile, path: Path, most: int = MOST_WHOLE) -> bytes:
    """What is left of a file of a format that cannot be read in pieces.

    Raises InputError where that is more than `most` bytes, unpacked: a small packed file can hold any number.
    """
    content = stream.read(most + 1)
    if len(content) <= most:
        return content
    raise InputError(
        "The file holds more than {value} MiB{value2}: its format has to be read whole.",
        value=most >> 20,
        value2=" unpacked" if stream.zipped else "",
        where=str(path),
        mend="split it, or export the records as CSV, JSON or plain Parquet",
    )


def _changed(path: Path) -> InputError:
    return InputError(
        "The file was changed while it was being read.",
        where=str(path),
        mend="wait until it is written, or copy it and read the copy",
    )


def base_name(path: Path) -> str:
    """The file name without `.gz` and the like, in lower case: what tells its format."""
    name = path.name.lower()
    return next((name.removesuffix(ending) for ending in PACKED if name.endswith(ending)), name)


def empty_file(path: Path, mend: str = "choose a file with records") -> NoRecord:
    """What to say of a file without bytes, or with nothing but blanks."""
    return NoRecord("The file is empty.", where=str(path), mend=mend)


def no_file_named() -> InputError:
    """What to say where a list of files is empty."""
    return InputError("No file is named.", where="data.files", mend="name at least one file")
