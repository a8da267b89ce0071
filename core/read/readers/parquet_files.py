"""Parquet, nested fields too: not readable, no text or number in a column, dictionaries, a random sample."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.errors import InputError
from core.progress import Progress, silent
from core.read.file_format import AS_FOUND, FileFormat
from core.read.input_files import opened, read_whole
from core.read.preview_rows import PREVIEW_ROWS, NoRows, Preview, as_text
from core.read.readers.base import Batch, require_columns

_ROWS = 250_000
_MOST_READ = 2_000_000
"""Rows of a Parquet file that are read for a random sample; some tenths of a second."""
_STEP = 1 << 16
_ENOUGH_ROWS = 1000
"""Of a Parquet file: fewer are not worth a dictionary."""
_BYTES_OF_POINT = 21
_BYTES_A_TEXT = 4
"""A column chunk of Parquet that takes less for each row holds codes, not texts."""


class ParquetReader:
    """Reads only the wanted columns, in one thread at a time: a ParquetFile is not to be shared."""

    key: ClassVar[str] = "parquet"
    title: ClassVar[str] = "Parquet"
    endings: ClassVar[tuple[str, ...]] = (".parquet", ".pq")
    options: ClassVar[tuple[str, ...]] = ("decimal", "date_order")

    def preview(self, path: Path, file_format: FileFormat = AS_FOUND) -> Preview:  # noqa: ARG002
        with _parquet(path) as file:
            names = leaf_names(file.schema_arrow)
            block = next(iter(file.iter_batches(batch_size=PREVIEW_ROWS)), None)
        if block is None:
            preview = Preview(columns=names, rows=())
            raise NoRows("The file holds no rows.", preview, where=str(path), mend="choose a file with rows")
        return Preview(columns=names, rows=tuple(_texts(pa.Table.from_batches([block]), names)))

    def batches(
        self,
        path: Path,
        columns: Sequence[str],
        file_format: FileFormat = AS_FOUND,  # noqa: ARG002
    ) -> Iterator[Batch]:
        with _parquet(path, columns) as file:
            require_columns(columns, leaf_names(file.schema_arrow), path)
            total = max(file.metadata.num_rows, 1)
            done = 0
            for block in file.iter_batches(batch_size=_ROWS, columns=list(columns)):
                done += block.num_rows
                table = pa.Table.from_batches([block])
                yield Batch(
                    table=pa.table(
                        {name: readable_cells(_leaf(table, name), name, str(path)) for name in columns}
                    ),
                    unreadable=0,
                    fraction=done / total,
                )


READER = ParquetReader()


def random_texts(
    path: Path, columns: Sequence[str], count: int, draw: random.Random, progress: Progress = silent
) -> tuple[list[tuple[str, ...]], float]:
    """At most `count` random rows as a preview shows them, in the order of the file.

    Of a large file only some row groups are read, drawn at random from all over it. With the rows comes
    the share of the file that they stand for: 1 unless a single row group is too large to be read whole.
    Raises InputError for an unusable file.
    """
    with _parquet(path, columns) as file:
        sizes = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
        groups = _random_groups(sizes, draw)
        rows = sum(sizes[group] for group in groups)
        within = min(rows, _MOST_READ)
        places = np.array(sorted(draw.sample(range(within), min(count, within))), np.int64)
        texts: list[tuple[str, ...]] = []
        start = 0
        for block in file.iter_batches(batch_size=_STEP, row_groups=groups, columns=list(columns)):
            if start >= within:
                break
            progress(start / within, "Drawing rows")
            inside = places[(places >= start) & (places < start + block.num_rows)] - start
            table = pa.Table.from_batches([block]).take(pa.array(inside))
            texts += _texts(table, columns)
            start += block.num_rows
    return texts, 1.0 if within == rows else within / sum(sizes)


def _random_groups(sizes: Sequence[int], draw: random.Random) -> list[int]:
    """Row groups in random order as long as they are not too many rows, one at least; sorted."""
    shuffled = draw.sample(range(len(sizes)), len(sizes))
    rows = list(itertools.accumulate(sizes[group] for group in shuffled))
    return (
        sorted(group for group, read in zip(shuffled, rows, strict=True) if read <= _MOST_READ)
        or shuffled[:1]
    )


def _texts(table: pa.Table, columns: Sequence[str]) -> list[tuple[str, ...]]:
    cells = [_values(_leaf(table, name)) for name in columns]
    return [tuple(map(as_text, row)) for row in zip(*cells, strict=True)]


def _values(column: pa.Array) -> list[Any]:
    """The cells as Python's values; None for an instant that no calendar of Python's reaches."""
    if _is_bytes(column.type) and (digits := _as_hexadecimal(column)) is not None:
        return cast(list[Any], digits.to_pylist())
    try:
        return cast(list[Any], column.to_pylist())
    except (OverflowError, ValueError):
        return [_value(cell) for cell in column]


def _value(cell: pa.Scalar) -> Any:
    try:
        return cell.as_py()
    except (OverflowError, ValueError):
        return None


@contextlib.contextmanager
def _parquet(path: Path, columns: Sequence[str] = ()) -> Iterator[pq.ParquetFile]:
    """The file; texts of the columns stay dictionaries where the file holds them so."""
    with opened(path) as stream:
        source = pa.BufferReader(read_whole(stream, path)) if stream.zipped else pa.OSFile(os.fsencode(path))
        try:
            with pq.ParquetFile(source) as file:
                encoded = _encoded(file, columns)
            # what is read beforehand stays until the end: a copy of the whole file
            with pq.ParquetFile(source, read_dictionary=encoded, pre_buffer=False) as file:
                yield file
        except (pa.ArrowException, OSError, UnicodeDecodeError):  # a name of a column is no text
            raise not_parquet(str(path)) from None


def not_parquet(where: str) -> InputError:
    """What to say of a file that Arrow does not open."""
    return InputError("The file is not readable Parquet.", where=where, mend="copy or export the file again")


def _encoded(file: pq.ParquetFile, columns: Sequence[str]) -> list[str]:
    """Columns of text whose first row group is all dictionary pages: few texts, each many times."""
    if not columns or not file.metadata.num_row_groups:
        return []
    group = file.metadata.row_group(0)
    chunks = [group.column(index) for index in range(group.num_columns)]
    return [
        chunk.path_in_schema
        for chunk in chunks
        if chunk.path_in_schema in columns
        and chunk.physical_type == "BYTE_ARRAY"
        and chunk.has_dictionary_page
        and chunk.total_uncompressed_size < _BYTES_A_TEXT * group.num_rows
    ]


def leaf_names(schema: pa.Schema) -> tuple[str, ...]:
    """Names of the columns, those of nested fields with dots."""
    names: list[str] = []
    for field in schema:
        if pa.types.is_struct(field.type):
            names += [f"{field.name}.{name}" for name in leaf_names(pa.schema(list(field.type)))]
        else:
            names.append(field.name)
    return tuple(names)


def _leaf(table: pa.Table, name: str) -> pa.Array:
    """A column by its name, or by the names along its dots."""
    if name in table.column_names:
        return table.column(name).combine_chunks()
    first, *inner = name.split(".")
    column = table.column(first).combine_chunks()
    for field in inner:
        column = pc.struct_field(column, field)
    return column


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _is_bytes(kind: pa.DataType) -> bool:
    known = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    return any(is_kind(kind) for is_kind in known)


def _is_valid(column: pa.Array) -> bool:
    """Whether every cell is UTF-8; a file may call bytes a text that are none."""
    try:
        column.cast(pa.string()).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _as_hexadecimal(column: pa.Array) -> pa.Array | None:
    """A column of bytes as digits where all cells may be WKB; else None: text begins with no such byte."""
    binary = column.cast(pa.binary())
    validity, offsets, data = binary.buffers()
    if data is None or binary.offset:
        return None if data is None else _as_hexadecimal(pa.concat_arrays([binary, binary[:0]]))
    edges = np.frombuffer(offsets, np.int32)[: len(binary) + 1]
    whole = np.frombuffer(data, np.uint8)[: edges[-1]]
    valid = binary.is_valid().to_numpy(zero_copy_only=False)
    if not valid.any() or np.diff(edges)[valid].min() < _BYTES_OF_POINT or whole[edges[:-1][valid]].max() > 1:
        return None
    digits = pa.py_buffer(whole.tobytes().hex().encode())
    return pa.StringArray.from_buffers(len(binary), pa.py_buffer(edges * 2), digits, validity)


def _decoded(cell: bytes | None) -> str | None:
    """The text; nothing where it is none, so that one such cell stops nobody else's."""
    with contextlib.suppress(UnicodeDecodeError):
        return None if cell is None else cell.decode()
    return None


def readable_cells(column: pa.Array, name: str, where: str) -> pa.Array:
    """The column as numbers, times, lists or else text, plain or dictionary.

    Raises InputError for any other type.
    """
    kind = column.type
    if _is_number(kind) or pa.types.is_timestamp(kind):
        return column
    if pa.types.is_dictionary(kind):
        codes = pa.types.is_string(kind.value_type) and len(column) >= _ENOUGH_ROWS
        if codes and _is_valid(column.dictionary):
            return column.cast(pa.dictionary(pa.int32(), pa.string()))
        column, kind = column.dictionary_decode(), kind.value_type
    if _is_bytes(column.type) and (digits := _as_hexadecimal(column)) is not None:
        return digits
    if _is_bytes(column.type) and not _is_valid(column):
        return pa.array(map(_decoded, column.cast(pa.binary()).to_pylist()), pa.string())
    try:
        if pa.types.is_fixed_size_list(kind) or pa.types.is_large_list(kind) or pa.types.is_list(kind):
            inner = kind.value_type if _is_number(kind.value_type) else pa.string()
            return column.cast(pa.list_(inner))
        return column.cast(pa.string())
    except pa.ArrowException:
        raise InputError(
            "The column {name} contains neither text nor numbers, times or lists.",
            name=f"{name!r}",
            where=where,
            mend="map another column, or write this one as text",
        ) from None
