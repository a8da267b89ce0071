"""Delimited text: comma, semicolon, tab or bar, quoted or not, UTF-8 with or without a mark."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
import pyarrow.csv as pa_csv

from core.errors import InputError
from core.ingest.file_format import AS_FOUND, FileFormat
from core.ingest.files import base_name, opened
from core.ingest.readers.base import PREVIEW_ROWS, Batch, Preview, require_columns

DELIMITERS = ",;\t|"
_BLOCK = 4 << 20
_HEAD = 1 << 16
_DATUM = re.compile(r"[-+]?[0-9]+[.][0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ].*")
"""A cell that names no column: a fraction or a time."""


class CsvReader:
    """Reads CSV in blocks; rows with a wrong number of cells are counted, not guessed."""

    key: ClassVar[str] = "csv"
    title: ClassVar[str] = "CSV"

    def reads(self, path: Path) -> bool:
        return base_name(path).endswith((".csv", ".tsv", ".txt"))

    def preview(self, path: Path, form: FileFormat = AS_FOUND) -> Preview:  # noqa: ARG002
        names, delimiter, lines = _head(path)
        if len(lines) < 2:
            raise _no_rows(path)
        rows = list(csv.reader(lines[1 : PREVIEW_ROWS + 1], delimiter=delimiter))
        width = len(names)
        return Preview(columns=names, rows=tuple(tuple(row) for row in rows if len(row) == width))

    def batches(
        self,
        path: Path,
        columns: Sequence[str],
        form: FileFormat = AS_FOUND,  # noqa: ARG002
    ) -> Iterator[Batch]:
        names, delimiter, lines = _head(path)
        require_columns(columns, names, path)
        if len(lines) < 2:
            return
        skipped = reported = 0

        def skip(_: object) -> str:
            # called from the library's thread, ahead of the block that is being yielded
            nonlocal skipped
            skipped += 1
            return "skip"

        with opened(path) as stream:
            try:
                for block in _open(stream, names, delimiter, columns, skip):
                    unreadable, reported = skipped - reported, skipped
                    yield Batch(
                        table=pa.Table.from_batches([block]),
                        unreadable=unreadable,
                        fraction=stream.fraction,
                    )
            except pa.ArrowInvalid as error:
                raise _unusable(path, error) from None
        if skipped > reported:
            empty = pa.table({name: pa.array([], pa.string()) for name in columns})
            yield Batch(table=empty, unreadable=skipped - reported, fraction=1.0)


READER = CsvReader()


def _head(path: Path) -> tuple[tuple[str, ...], str, list[str]]:
    """Column names, delimiter and the first whole lines.

    Raises InputError for an empty file, names that are not UTF-8, and a first line of data. The
    rows below are only for a preview here: reading checks the mapped columns of every one.
    """
    with opened(path) as stream:
        data = stream.read(_HEAD)
    lines = data.decode(errors="replace").splitlines()
    if len(data) == _HEAD and len(lines) > 1:
        lines = lines[:-1]
    if not lines or not lines[0].strip():
        raise InputError(
            "The file is empty or begins with an empty line.",
            where=str(path),
            mend="choose a file that begins with column names",
        )
    if "\ufffd" in lines[0] or "\0" in lines[0]:
        raise _not_utf8(path)
    delimiter = max(DELIMITERS, key=lines[0].count)
    names = tuple(name.strip() for name in next(csv.reader(lines[:1], delimiter=delimiter)))
    if any(_DATUM.fullmatch(name) for name in names):
        raise InputError(
            "The first line holds data instead of column names.",
            where=str(path),
            mend="add a first line that names the columns",
        )
    return names, delimiter, lines


def _open(
    stream: object, names: tuple[str, ...], delimiter: str, columns: Sequence[str], skip: object
) -> Iterator[pa.RecordBatch]:
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


def _no_rows(path: Path) -> InputError:
    return InputError("The file holds no rows.", where=str(path), mend="choose a file with rows")


def _not_utf8(path: Path) -> InputError:
    return InputError("The text is not UTF-8.", where=str(path), mend="save the file as UTF-8")


def _unusable(path: Path, error: pa.ArrowInvalid) -> InputError:
    """The library's message may quote cells, so only its kind is told."""
    text = str(error)
    if "UTF8" in text or "UTF-8" in text:
        return _not_utf8(path)
    return InputError(
        "The file is no readable CSV.",
        where=str(path),
        mend="open it in a spreadsheet and save it anew as CSV",
    )
