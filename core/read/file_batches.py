"""What a file holds, and at its end whether it cannot be read and may be left out: one stops no other."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from core.counted import count_of
from core.errors import InputError
from core.read.file_format import AS_FOUND, FileFormat
from core.read.input_files import NoRecord
from core.read.path_columns import columns_from_path
from core.read.reader_registry import reader_for
from core.read.readers.base import Batch
from core.texts import joined, text_of

MOST_ALIKE = 20
"""Where so many files cannot be read and none could, they are read in a wrong way."""


_KEY = "skip_damaged = true under [data]"


class DamagedFiles(InputError):
    """Files among others that cannot be read, all of them."""

    def __init__(
        self, names: Mapping[str, str], faults: Sequence[InputError], *, may_skip: bool = True
    ) -> None:
        """names: by path; faults: what is wrong with each; may_skip: they can be left out."""
        self.names, self.faults, self._may_skip = dict(names), tuple(faults), may_skip
        first, *others = faults
        mend = "save them again, or remove them" if others else first.mend
        if may_skip:
            mend = text_of("{mend}; or leave out what cannot be read: {key}", mend=mend, key=_KEY)
        if not others:
            super().__init__(first.what, where=first.where, mend=mend)
            return
        lines = (text_of("{where}: {what}", where=one.where, what=one.what) for one in faults)
        counted_files = count_of(len(faults), "file")
        where = joined("\n", lines)
        super().__init__(
            "{counted_files} cannot be read.", counted_files=counted_files, where=where, mend=mend
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(DamagedFiles, may_skip=self._may_skip), (self.names, self.faults)


class Faults:
    """Gathers the files that cannot be read, while the others are."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._faults: list[InputError] = []
        self._one_is_read = False

    def take(self, path: str, name: str, batch: Batch) -> bool:
        """Whether a batch tells that its file cannot be read.

        Raises what is wrong with the first where many cannot and none could: they are read in a wrong way.
        """
        damaged = batch.fault is not None and not batch.without_records
        if damaged and batch.fault is not None:
            self._names[path] = name
            self._faults.append(batch.fault)
        self._one_is_read = self._one_is_read or bool(batch.table.num_rows)
        if len(self._faults) >= MOST_ALIKE and not self._one_is_read:
            raise self._faults[0]
        return damaged

    def require_none(self, *, may_skip: bool) -> None:
        """Raise DamagedFiles for them; what is wrong with the first where no other one could be read."""
        if self._faults and not self._one_is_read:
            raise self._faults[0]
        if self._faults:
            raise DamagedFiles(self._names, self._faults, may_skip=may_skip)


def file_batches(path: Path, columns: Sequence[str], file_format: FileFormat = AS_FOUND) -> Iterator[Batch]:
    """The batches of a file; the last one tells where it has no record or cannot be read."""
    found = False
    try:
        for batch in _batches(path, columns, file_format):
            found = found or bool(batch.table.num_rows or batch.unreadable or batch.without_records)
            found = found or batch.fault is not None
            yield batch
    except InputError as error:
        yield _ended(columns, fault=error, without_records=isinstance(error, NoRecord))
        return
    if not found:
        yield _ended(columns, fault=None, without_records=True)


def _batches(path: Path, columns: Sequence[str], file_format: FileFormat) -> Iterator[Batch]:
    """With the columns that the path tells."""
    by_path = columns_from_path(path, columns, file_format)
    for batch in reader_for(path).batches(
        path, [name for name in columns if name not in by_path], file_format
    ):
        table = batch.table
        for name, value in by_path.items():
            table = table.append_column(name, pa.repeat(pa.scalar(value, pa.string()), table.num_rows))
        yield dataclasses.replace(batch, table=table.select(columns)) if by_path else batch


def _ended(columns: Sequence[str], *, fault: InputError | None, without_records: bool) -> Batch:
    nothing = pa.table({name: pa.array([], pa.string()) for name in columns})
    return Batch(table=nothing, unreadable=0, without_records=without_records, fault=fault, fraction=1.0)
