"""Compressed streams, known by their first bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from contextlib import ExitStack
from typing import IO, Any, cast

import pyarrow as pa


def _unpack_zstd(packed: Any) -> io.BufferedReader:
    return io.BufferedReader(pa.CompressedInputStream(pa.PythonFile(packed, "r"), "zstd"))


_UNPACKERS: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": lambda packed: gzip.GzipFile(fileobj=packed),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\0": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": _unpack_zstd,
}
"""By the first bytes of what they unpack."""


def decompressed(packed: IO[bytes], opening: ExitStack) -> IO[bytes]:
    """The stream itself, or what it unpacks to; closed with the stack."""
    first = cast(io.BufferedReader, packed).peek(6)
    for mark, unpack in _UNPACKERS.items():
        if first.startswith(mark):
            return cast(IO[bytes], opening.enter_context(unpack(packed)))
    return packed
