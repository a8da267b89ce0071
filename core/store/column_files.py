"""Columns as flat binary files, opened as mapped memory; plain values only, of one length."""

from __future__ import annotations

import mmap
import os
from collections.abc import Mapping
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from core.system.files import private_opener
from core.system.files_in_use import when_released
from core.system.regular_files import open_regular

_Column = NDArray[Any]
_ROWS = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnShape:
    """What a flat file holds: nothing in it says so."""

    dtype: str
    """As numpy writes it, with the byte order."""
    length: int


class ColumnLists:
    """Appends blocks of equally long columns, in memory."""

    def __init__(self, types: Mapping[str, DTypeLike]) -> None:
        self._blocks: dict[str, list[_Column]] = {name: [] for name in types}
        self._types = types

    def append(self, block: Mapping[str, _Column]) -> None:
        for name, blocks in self._blocks.items():
            blocks.append(block[name].astype(self._types[name], copy=False))

    def recode(self, name: str, codes: _Column) -> None:
        """Replace each entry of a column by what `codes` holds for it, in the type of `codes`."""
        self._blocks[name] = [codes[block] for block in self._blocks[name]]

    def columns(self) -> dict[str, _Column]:
        return {name: np.concatenate(blocks) for name, blocks in self._blocks.items()}

    def close(self) -> None:
        self._blocks.clear()


class ColumnWriter:
    """The same, each column in a file of its name in `folder`, without a bound on their length."""

    def __init__(self, folder: Path, types: Mapping[str, DTypeLike]) -> None:
        self._folder = folder
        self._types = {name: np.dtype(kind).newbyteorder("<") for name, kind in types.items()}
        self._files: dict[str, FileIO] = {}
        self._length = 0
        try:
            for name in types:
                self._files[name] = FileIO(column_path(folder, name), "x+", opener=private_opener)
        except OSError:
            self.close()
            raise

    def append(self, block: Mapping[str, _Column]) -> None:
        size = 0
        for name, file in self._files.items():
            size = block[name].size
            _write(file, block[name].astype(self._types[name], copy=False))
        self._length += size

    def recode(self, name: str, codes: _Column) -> None:
        """Replace each entry of a column by what `codes` holds for it, in the type of `codes`."""
        here, aside = (column_path(self._folder, stem) for stem in (name, f"{name}-before"))
        self._files[name].close()  # Windows renames no open file
        when_released(lambda: here.rename(aside))
        with FileIO(aside) as old, FileIO(here, "x+", opener=private_opener) as new:
            while (block := np.fromfile(old, self._types[name], _ROWS)).size:
                _write(new, codes[block])
        aside.unlink()
        self._files[name] = FileIO(here, "r+")
        self._types[name] = codes.dtype.newbyteorder("<")

    def sync(self) -> dict[str, ColumnShape]:
        """Make what was written durable and tell what it is."""
        for file in self._files.values():
            os.fsync(file.fileno())
        return {name: ColumnShape(dtype=kind.str, length=self._length) for name, kind in self._types.items()}

    def close(self) -> None:
        for file in self._files.values():
            file.close()


def write_column(path: Path, column: _Column) -> ColumnShape:
    """A whole column as a new file. Raises OSError; ValueError for what is not flat or not plain."""
    if column.ndim != 1 or column.dtype.hasobject:
        raise ValueError("only flat columns of plain values can be stored in files")
    with FileIO(path, "x", opener=private_opener) as file:
        _write(file, column)
    return ColumnShape(dtype=column.dtype.str, length=column.size)


def _write(file: FileIO, column: _Column) -> None:
    rest = np.ascontiguousarray(column).data.cast("B") if column.size else memoryview(b"")
    while rest:  # the system may take a part only
        rest = rest[file.write(rest) :]


def column_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.column"


def open_column(path: Path, shape: ColumnShape, *, mapped: bool = True) -> _Column:
    """A column that cannot be written, its pages read when they are used; all in one step where not `mapped`.

    Raises ValueError when the file is not as long as it should be, OSError when it cannot be opened.
    """
    kind = np.dtype(shape.dtype)
    with open_regular(path) as file:
        if os.fstat(file.fileno()).st_size != kind.itemsize * shape.length:
            raise ValueError("a column has another length than it should")
        if shape.length == 0:
            return np.zeros(0, kind)
        if not mapped:
            return np.frombuffer(file.read(), kind)
        return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), kind)
