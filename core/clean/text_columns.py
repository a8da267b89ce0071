"""Columns of text as the bytes that Arrow keeps: cells are cut, grouped and compared without copies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.privacy import Confidential

_ZERO, _NINE = np.frombuffer(b"09", np.uint8)


def to_text(column: pa.Array) -> pa.Array:
    """Any column as plain text with 32-bit offsets; null stays null."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return column if pa.types.is_string(column.type) else column.cast(pa.string())


def is_valid(column: pa.Array) -> NDArray[np.bool_]:
    """True where a cell is not null; shape (n,)."""
    if not column.null_count:
        return np.ones(len(column), bool)
    found: NDArray[np.bool_] = column.is_valid().to_numpy(zero_copy_only=False)
    return found


def is_filled(text: pa.Array) -> NDArray[np.bool_]:
    """True where a cell holds more than whitespace; shape (n,)."""
    filled = pc.not_equal(pc.utf8_trim_whitespace(text), "")
    found: NDArray[np.bool_] = filled.fill_null(False).to_numpy(zero_copy_only=False)
    return found


def cell_bytes(text: pa.Array) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Where cells begin and end, shape (n + 1,), and the bytes that this counts in."""
    _, offsets, data = text.buffers()
    if not len(text) or data is None:
        return np.zeros(len(text) + 1, np.int32), np.zeros(0, np.uint8)
    edges = np.frombuffer(offsets, np.int32)[text.offset : text.offset + len(text) + 1]
    # a slice may share its buffers with a table a thousand times as long
    return edges - edges[0], np.frombuffer(data, np.uint8)[edges[0] : edges[-1]]


def from_bytes(
    edges: NDArray[np.int32], data: NDArray[np.uint8], valid: NDArray[np.uint8] | None = None
) -> pa.Array:
    """Text from the edges of its cells, their bytes, and a bit for each cell that is not null."""
    return pa.StringArray.from_buffers(
        edges.size - 1,
        pa.py_buffer(edges),
        pa.py_buffer(data),
        None if valid is None else pa.py_buffer(valid),
    )


def swap_bytes(text: pa.Array, swap: dict[str, str]) -> pa.Array:
    """The text with some ASCII characters replaced by others."""
    table = np.arange(256, dtype=np.uint8)
    for old, new in swap.items():
        table[ord(old)] = ord(new)
    edges, data = cell_bytes(text)
    return _with_bytes(text, edges, table.take(data))


def digits_as_nines(text: pa.Array) -> pa.Array:
    """The text with every ASCII digit as 9."""
    edges, data = cell_bytes(text)
    work = data - _ZERO
    np.multiply(work < 10, _NINE, out=work)
    return _with_bytes(text, edges, np.maximum(work, data, out=work))


def _with_bytes(text: pa.Array, edges: NDArray[np.int32], data: NDArray[np.uint8]) -> pa.Array:
    valid = np.packbits(is_valid(text), bitorder="little") if text.null_count else None
    return from_bytes(edges, data, valid)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Grid(Confidential):
    """Cells of one width: their bytes one after the other."""

    data: NDArray[np.uint8]
    rows: int
    width: int

    def byte(self, at: int) -> NDArray[np.uint8]:
        """One character of each cell; shape (rows,)."""
        return self._view(np.uint8, at)

    def pair(self, at: int) -> NDArray[np.uint16]:
        """Two neighbouring characters of each cell as one number; shape (rows,)."""
        return self._view(np.uint16, at)

    def _view(self, kind: type[Any], at: int) -> NDArray[Any]:
        return np.ndarray((self.rows,), kind, buffer=self.data, offset=at, strides=(self.width,))


def one_width(text: pa.Array) -> Grid:
    """The cells of a column without nulls whose cells all have as many bytes."""
    edges, data = cell_bytes(text)
    return Grid(data=data, rows=len(text), width=int(edges[1]))
