"""Delimited text: comma, semicolon, tab or bar, quoted or not, UTF-8 with or without a mark."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
import pyarrow.csv as pa_csv

from core.errors import InputError
from core.ingest.files import base_name, opened
from core.ingest.readers.base import PREVIEW_ROWS, Batch, Preview, require_columns

DELIMITERS = ",;\t|"
_BLOCK = 4 << 20
_HEAD = 1 << 16


class CsvReader:
    """Reads CSV in blocks; rows with a wrong number of cells are counted, not guessed."""

    key: ClassVar[str] = "csv"
    title: ClassVar[str] = "CSV"

    def reads(self, path: Path) -> bool:
        return base_name(path).endswith((".csv", ".tsv", ".txt"))

    def preview(self, path: Path) -> Preview:
        names, delimiter, lines = _head(path)
        rows = list(csv.reader(lines[1 : PREVIEW_ROWS + 1], delimiter=delimiter))
        width = len(names)
        return Preview(columns=names, rows=tuple(tuple(row) for row in rows if len(row) == width))

    def batches(self, path: Path, columns: Sequence[str]) -> Iterator[Batch]:
        names, delimiter, _ = _head(path)
        require_columns(columns, names, path)
        unreadable = 0

        def skip(_: object) -> str:
            nonlocal unreadable
            unreadable += 1
            return "skip"

        with opened(path) as stream:
            try:
                for block in _open(stream, names, delimiter, columns, skip):
                    yield Batch(
                        table=pa.Table.from_batches([block]),
                        unreadable=unreadable,
                        fraction=stream.fraction,
                    )
                    unreadable = 0
            except pa.ArrowInvalid as error:
                raise _unusable(path, error) from None
        if unreadable:
            empty = pa.table({name: pa.array([], pa.string()) for name in columns})
            yield Batch(table=empty, unreadable=unreadable, fraction=1.0)


READER = CsvReader()


def _head(path: Path) -> tuple[tuple[str, ...], str, list[str]]:
    """Column names, delimiter and the first whole lines. Raises InputError for an empty file."""
    with opened(path) as stream:
        data = stream.read(_HEAD)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # a character cut in two at the end of the block is no fault of the file
        if error.start < len(data) - 4:
            raise _not_utf8(path) from None
        text = data[: error.start].decode("utf-8-sig")
    lines = text.splitlines()
    if len(data) == _HEAD and len(lines) > 1:
        lines = lines[:-1]
    if not lines or not lines[0].strip():
        raise InputError("The file is empty.", where=str(path), mend="choose a file with a header and rows")
    delimiter = max(DELIMITERS, key=lines[0].count)
    names = tuple(name.strip() for name in next(csv.reader(lines[:1], delimiter=delimiter)))
    return names, delimiter, lines


def _open(
    stream: object, names: tuple[str, ...], delimiter: str, columns: Sequence[str], skip: object
) -> pa_csv.CSVStreamingReader:
    wanted = [f"c{names.index(name)}" for name in columns]
    reader = pa_csv.open_csv(
        stream,
        read_options=pa_csv.ReadOptions(
            block_size=_BLOCK, skip_rows=1, column_names=[f"c{index}" for index in range(len(names))]
        ),
        parse_options=pa_csv.ParseOptions(
            delimiter=delimiter, newlines_in_values=True, invalid_row_handler=skip
        ),
        convert_options=pa_csv.ConvertOptions(
            include_columns=wanted,
            column_types=dict.fromkeys(wanted, pa.string()),
            null_values=[""],
            strings_can_be_null=True,
        ),
    )
    for block in reader:
        yield block.rename_columns(list(columns))


def _not_utf8(path: Path) -> InputError:
    return InputError("The text is not UTF-8.", where=str(path), mend="save the file as UTF-8")


def _unusable(path: Path, error: pa.ArrowInvalid) -> InputError:
    """The library's message may quote cells, so only its kind is told."""
    text = str(error)
    if "UTF8" in text or "UTF-8" in text:
        return _not_utf8(path)
    if "Empty CSV" in text:
        return InputError("The file holds no rows.", where=str(path), mend="choose a file with rows")
    return InputError(
        "The file is no readable CSV.",
        where=str(path),
        mend="open it in a spreadsheet and save it anew as CSV",
    )
