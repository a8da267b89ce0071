"""Files are opened to be read here alone: regular ones, not pipes or devices, without waiting.

To open a pipe waits for a writer, perhaps for ever, and a device has no end. The open file is
asked what it is, since its path may lead elsewhere by now.
"""

from __future__ import annotations

import errno
import os
import stat
from functools import partial
from io import BufferedReader
from pathlib import Path

_NO_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)


class NotRegular(OSError):
    """A pipe, a device or a socket stands where a file was to be read."""

    def __init__(self, path: str) -> None:
        super().__init__(errno.EINVAL, "it is a pipe or a device, not a file", path)


def open_regular(path: Path, *, pipes: bool = False) -> BufferedReader:
    """The file, to be read from its beginning.

    pipes: one is read too, until its writer ends; where nobody writes, it is empty. Raises OSError, and
    NotRegular for anything else than a file.
    """
    return open(path, "rb", opener=partial(_open, pipes=pipes))


def read_regular(path: Path, *, most: int = -1, pipes: bool = False) -> bytes:
    """What it holds, no more than `most` bytes. Raises as `open_regular` does."""
    with open_regular(path, pipes=pipes) as file:
        return file.read(most)


def _open(path: str, flags: int, *, pipes: bool) -> int:
    try:
        handle = os.open(path, flags | _NO_WAIT)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket, or a device that is not there
            raise NotRegular(path) from None
        raise
    kind = os.fstat(handle).st_mode
    # Python itself refuses a folder
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind) or (pipes and stat.S_ISFIFO(kind))):
        os.close(handle)
        raise NotRegular(path)
    if os.name != "nt":
        os.set_blocking(handle, True)
    return handle
