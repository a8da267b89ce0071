"""Tables as files: CSV, Parquet, and JSON as an array or as lines."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from itertools import chain
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

_Bytes = IO[bytes] | gzip.GzipFile

_SMALL_FILE = 500_000


def _write_csv(file: _Bytes, tables: Iterator[pa.Table], _records: int) -> None:
    first = next(tables)
    options = pa_csv.WriteOptions(quoting_style="needed")
    with pa_csv.CSVWriter(file, first.schema, write_options=options) as writer:
        for table in chain([first], tables):
            writer.write_table(table)


def _write_csv_gz(file: _Bytes, tables: Iterator[pa.Table], records: int) -> None:
    # Neither name nor time in the header: the same records are the same bytes.
    with gzip.GzipFile(filename="", mode="wb", compresslevel=4, fileobj=file, mtime=0) as packed:
        _write_csv(packed, tables, records)


def _write_parquet(file: _Bytes, tables: Iterator[pa.Table], records: int) -> None:
    first = next(tables)
    with pq.ParquetWriter(file, first.schema, **_parquet_options(first.schema, records)) as writer:
        for table in chain([first], tables):
            writer.write_table(table)


def _parquet_options(schema: pa.Schema, records: int) -> dict[str, Any]:
    """Columns with few values as dictionaries; times and positions by what they share with the row before."""
    shared_beginnings = ("observationDateTime", "location.coordinates")
    return {
        "compression": "zstd",
        # The strongest level takes a minute per million records: right for a bundled sample only.
        "compression_level": 19 if records <= _SMALL_FILE else 3,
        "use_dictionary": [name for name in schema.names if name not in shared_beginnings],
        "column_encoding": dict.fromkeys(shared_beginnings, "DELTA_BYTE_ARRAY"),
    }


def _write_json(file: _Bytes, tables: Iterator[pa.Table], _records: int) -> None:
    file.write(b"[")
    separator = b"\n"
    for table in tables:
        file.write(separator)
        file.write(b",\n".join(_json_objects(table)))
        separator = b",\n"
    file.write(b"\n]\n")


def _write_jsonl(file: _Bytes, tables: Iterator[pa.Table], _records: int) -> None:
    for table in tables:
        file.write(b"\n".join(_json_objects(table)))
        file.write(b"\n")


def _json_objects(table: pa.Table) -> list[bytes]:
    """One JSON object per row, made column by column. No text of ours needs escaping."""
    pieces: list[Any] = []
    for name in table.schema.names:
        lead = "{" if not pieces else ","
        text = table[name].combine_chunks().cast(pa.string())
        if name == "location.coordinates":
            pieces += [f'{lead}"location":{{"type":"Point","coordinates":', text, "}"]
        elif pa.types.is_string(table.schema.field(name).type):
            pieces += [f'{lead}"{name}":"', text, '"']
        else:
            pieces += [f'{lead}"{name}":', text]
    rows: list[bytes] = pc.binary_join_element_wise(*pieces, "}", "").cast(pa.binary()).to_pylist()
    return rows


WRITERS: dict[str, Callable[[_Bytes, Iterator[pa.Table], int], None]] = {
    ".csv": _write_csv,
    ".csv.gz": _write_csv_gz,
    ".parquet": _write_parquet,
    ".json": _write_json,
    ".jsonl": _write_jsonl,
}
"""Suffix -> what writes one or more tables to an open file, given the number of all rows."""
