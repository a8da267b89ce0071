"""Compressed streams by their first bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from contextlib import ExitStack
from typing import Any

import pyarrow as pa
import pytest

from core.read.unpacking import decompressed

TEXT = b"a,b\n1,2\n" * 1000


@pytest.mark.parametrize(
    "packed",
    [
        TEXT,
        gzip.compress(TEXT, mtime=0),
        bz2.compress(TEXT),
        lzma.compress(TEXT),
        pa.compress(TEXT, "zstd", asbytes=True),
    ],
)
def test_a_stream_is_read_whatever_packed_it(packed: bytes) -> None:
    raw: Any = io.BufferedReader(io.BytesIO(packed))  # type: ignore[arg-type]
    with ExitStack() as opening:
        assert decompressed(raw, opening).read() == TEXT
