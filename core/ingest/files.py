"""Input files: opened whether plain or gzip-compressed, with errors a person can act on."""

from __future__ import annotations

import codecs
import contextlib
import glob
import gzip
import io
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

from core.errors import InputError

_GZIP_MAGIC = b"\x1f\x8b"


class Opened(io.BufferedIOBase):
    """A readable stream that knows how far into the file on disk it is; passes over a UTF-8 mark."""

    def __init__(self, path: Path) -> None:
        self._raw = path.open("rb")
        self._size = max(path.stat().st_size, 1)
        self.zipped = self._raw.read(2) == _GZIP_MAGIC
        self._raw.seek(0)
        self._stream = cast(BinaryIO, gzip.GzipFile(fileobj=self._raw) if self.zipped else self._raw)
        if self._stream.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
            self._stream.seek(0)

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        return self._stream.read(-1 if size is None else size)

    @property
    def fraction(self) -> float:
        """Share of the file on disk that has been read, 0..1."""
        return min(self._raw.tell() / self._size, 1.0)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
            self._raw.close()
        super().close()


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Opened]:
    """Open a plain or gzip-compressed file.

    Raises InputError when it is missing, cannot be read, or is a truncated gzip file.
    """
    with unreadable_as_input_error(path):
        if path.is_dir():
            raise folder_refused(path)
        with Opened(path) as stream:
            yield stream


def folder_refused(path: Path) -> InputError:
    """What to say where a folder stands for a file."""
    return InputError("This is a folder, not a file.", where=str(path), mend="name the files in it")


@contextlib.contextmanager
def unreadable_as_input_error(path: Path) -> Iterator[None]:
    """Turn what reading may raise into an InputError that quotes nothing from the file."""
    try:
        yield
    except FileNotFoundError:
        raise InputError("There is no such file.", where=str(path), mend="check the path") from None
    except PermissionError:
        raise InputError("The file may not be read.", where=str(path), mend="check its permissions") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InputError(
            "The compressed file is truncated or damaged.",
            where=str(path),
            mend="copy or download it again; `gzip -t` shows whether it is whole",
        ) from None
    except IsADirectoryError:
        raise folder_refused(path) from None
    except OSError as error:
        raise InputError(
            f"The file cannot be read: {error.strerror or type(error).__name__}.",
            where=str(path),
            mend="check the path and the disk",
        ) from None


def base_name(path: Path) -> str:
    """The file name without `.gz`, in lower case: what tells its format."""
    return path.name.lower().removesuffix(".gz")


def expand(patterns: Sequence[str], folder: Path) -> tuple[Path, ...]:
    """Files named by paths and globs relative to `folder`, each once, sorted by name.

    Raises InputError for a pattern that matches nothing.
    """
    found: dict[Path, None] = {}
    for pattern in patterns:
        named = os.path.expanduser(pattern)  # noqa: PTH111 - leaves an unknown ~user as it is
        absolute = str(folder / named)
        literal = not glob.has_magic(named) or Path(absolute).exists()
        # the folder is no pattern, whatever its name; an absolute pattern replaces it
        matches = [absolute] if literal else sorted(glob.glob(str(glob.escape(str(folder)) / Path(named))))  # noqa: PTH207
        if not matches:
            raise InputError("No file matches this pattern.", where=absolute, mend="check the path")
        found |= dict.fromkeys(Path(match) for match in matches)
    if not found:
        raise no_file_named()
    return tuple(found)


def no_file_named() -> InputError:
    """What to say where a list of files is empty."""
    return InputError("No file is named.", where="data.files", mend="name at least one file")


def total_size(paths: Iterable[Path]) -> int:
    """Bytes on disk of all files. Raises InputError for one that is missing."""
    size = 0
    for path in paths:
        with unreadable_as_input_error(path):
            size += path.stat().st_size
    return size
