"""Input files opened plain, compressed or in an archive; too large to be read as a whole."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from core.read.archives import contents_at_hand, member_of, open_member, opened_container
from core.read.unpacking import decompressed
from core.read.unreadable_files import folder_refused, unreadable_as_input_error

PACKED = (".gz", ".bz2", ".xz", ".zst")
"""What names of compressed files end in, behind the ending that tells the format."""
MOST_WHOLE = 1 << 28
"""Bytes, unpacked, of an input file that cannot be read in pieces."""


class NoRecord(InputError):
    """A file that could be read holds no record at all: it has no bytes, or none of its rows is one.

    A caller that reads several files may pass it over; where presence is private, nobody may refuse it.
    """


class OpenedFile(io.BufferedIOBase):
    """A readable stream of a file's contents that knows how far into the file on disk it is.

    The path may lead into an archive: `archive.zip/member.csv`.
    """

    def __init__(self, path: Path) -> None:
        self._stack = contextlib.ExitStack()
        with contextlib.ExitStack() as opening:
            found = None if contents_at_hand(path) else member_of(path)
            container = opened_container(found.archive if found else path)
            self._raw = inner = opening.enter_context(container)
            self._begun = self._stamp()
            self._start, self._size = 0, self._raw.seek(0, os.SEEK_END)
            self._raw.seek(0)
            if found:
                inner = opening.enter_context(open_member(self._raw, found))
                self._start, self._size = found.start, found.packed
            self._stream = decompressed(inner, opening)
            self.zipped = self._stream is not self._raw or self._begun is None
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
        return self._stamp() != self._begun

    def _stamp(self) -> tuple[int, int] | None:
        """Size and time of the last change; None of what was set aside, which nobody else can write to."""
        try:
            now = os.fstat(self._raw.fileno())
        except io.UnsupportedOperation:
            return None
        return now.st_size, now.st_mtime_ns

    def close(self) -> None:
        if not self.closed:
            self._stack.close()
        super().close()


@contextlib.contextmanager
def opened(path: Path) -> Iterator[OpenedFile]:
    """Open a plain or compressed file, or a member of an archive.

    Raises InputError when it is missing, cannot be read, is truncated, or changes meanwhile.
    """
    with unreadable_as_input_error(path):
        if os.path.isdir(path):  # noqa: PTH112 - see `archives.on_disk`
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
        "The file contains more than {value} MiB{value2}: its format must be read as a whole.",
        value=most >> 20,
        value2=" unpacked" if stream.zipped else "",
        where=str(path),
        mend="split it, or export the records as CSV, JSON or plain Parquet",
    )


def _changed(path: Path) -> InputError:
    return InputError(
        "The file was changed while it was being read.",
        where=str(path),
        mend="wait until nothing writes to it, or read a copy",
    )


def base_name(name: str) -> str:
    """A file's name without `.gz` and the like, in lower case: what tells its format."""
    name = name.lower()
    return name.rpartition(".")[0] if name.endswith(PACKED) else name


def empty_file(path: Path, mend: str = "choose a file with records") -> NoRecord:
    """What to say of a file without bytes, or with nothing but blanks."""
    return NoRecord("The file is empty.", where=str(path), mend=mend)


def no_file_named() -> InputError:
    """What to say where a list of files is empty."""
    return InputError("No file is named.", where="data.files", mend="name at least one file")
