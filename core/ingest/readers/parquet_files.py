"""Parquet, plain or inside gzip; nested fields are named with dots."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.errors import InputError
from core.ingest.file_format import AS_FOUND, FileFormat
from core.ingest.files import base_name, opened
from core.ingest.readers.base import PREVIEW_ROWS, Batch, Preview, as_text, require_columns

_ROWS = 250_000
_ENOUGH_ROWS = 1000
"""Fewer rows are not worth a dictionary."""
_BYTES_A_TEXT = 4
"""A column chunk that takes less for each row holds codes, not texts."""


class ParquetReader:
    """Reads only the wanted columns, in one thread at a time: a ParquetFile is not to be shared."""

    key: ClassVar[str] = "parquet"
    title: ClassVar[str] = "Parquet"
    endings: ClassVar[tuple[str, ...]] = (".parquet", ".pq")

    def reads(self, path: Path) -> bool:
        return base_name(path).endswith(self.endings)

    def preview(self, path: Path, form: FileFormat = AS_FOUND) -> Preview:  # noqa: ARG002
        with _parquet(path) as file:
            names = _names(file.schema_arrow)
            block = next(iter(file.iter_batches(batch_size=PREVIEW_ROWS)), None)
        if block is None:
            raise InputError("The file holds no rows.", where=str(path), mend="choose a file with rows")
        columns = [_leaf(pa.Table.from_batches([block]), name).to_pylist() for name in names]
        return Preview(
            columns=names, rows=tuple(tuple(map(as_text, row)) for row in zip(*columns, strict=True))
        )

    def batches(
        self,
        path: Path,
        columns: Sequence[str],
        form: FileFormat = AS_FOUND,  # noqa: ARG002
    ) -> Iterator[Batch]:
        with _parquet(path, columns) as file:
            require_columns(columns, _names(file.schema_arrow), path)
            total = max(file.metadata.num_rows, 1)
            done = 0
            for block in file.iter_batches(batch_size=_ROWS, columns=list(columns)):
                done += block.num_rows
                table = pa.Table.from_batches([block])
                yield Batch(
                    table=pa.table({name: _readable(_leaf(table, name), name, path) for name in columns}),
                    unreadable=0,
                    fraction=done / total,
                )


READER = ParquetReader()


@contextlib.contextmanager
def _parquet(path: Path, columns: Sequence[str] = ()) -> Iterator[pq.ParquetFile]:
    """The file; texts of the columns stay dictionaries where the file holds them so."""
    with opened(path) as stream:
        source = pa.BufferReader(stream.read()) if stream.zipped else path
        try:
            with pq.ParquetFile(source) as file:
                encoded = _encoded(file, columns)
            with pq.ParquetFile(source, read_dictionary=encoded) as file:
                yield file
        except (pa.ArrowException, OSError):
            raise InputError(
                "The file is no readable Parquet.", where=str(path), mend="copy or export the file again"
            ) from None


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


def _names(schema: pa.Schema) -> tuple[str, ...]:
    names: list[str] = []
    for field in schema:
        if pa.types.is_struct(field.type):
            names += [f"{field.name}.{name}" for name in _names(pa.schema(list(field.type)))]
        else:
            names.append(field.name)
    return tuple(names)


def _leaf(table: pa.Table, name: str) -> pa.Array:
    """A column by its name, or by the names along its dots."""
    if name in table.column_names:
        return table.column(name).combine_chunks()
    first, *steps = name.split(".")
    column = table.column(first).combine_chunks()
    for step in steps:
        column = pc.struct_field(column, step)
    return column


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _readable(column: pa.Array, name: str, path: Path) -> pa.Array:
    """The column as numbers, times, lists or else text, plain or dictionary.

    Raises InputError for any other type.
    """
    kind = column.type
    if _is_number(kind) or pa.types.is_timestamp(kind):
        return column
    if pa.types.is_dictionary(kind) and pa.types.is_string(kind.value_type) and len(column) >= _ENOUGH_ROWS:
        return column.cast(pa.dictionary(pa.int32(), pa.string()))
    try:
        if pa.types.is_fixed_size_list(kind) or pa.types.is_large_list(kind) or pa.types.is_list(kind):
            inner = kind.value_type if _is_number(kind.value_type) else pa.string()
            return column.cast(pa.list_(inner))
        return column.cast(pa.string())
    except pa.ArrowException:
        raise InputError(
            f"The column {name!r} holds neither text nor numbers, times or lists.",
            where=str(path),
            mend="map another column, or write this one as text",
        ) from None
