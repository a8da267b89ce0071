"""CSV in blocks, by any delimiter: not readable, long lines, quotes never closed, fewer cells than names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from core.errors import InputError
from core.read.csv_head import CsvHead, read_csv_head
from core.read.encodings import (
    DecodedText,
    ascii_delimiter,
    not_utf8,
    opened_text,
    wrong_encoding,
)
from core.read.file_format import AS_FOUND, FileFormat
from core.read.preview_rows import PREVIEW_ROWS, NoRows, Preview
from core.read.readers.base import MOST_LINES, Batch, require_columns
from core.read.title_lines import titles_note

_BLOCK = 4 << 20
"""Bytes of a CSV file read in one step, and its longest line; larger blocks take more memory and no less
time.
"""
_FEW = 8
"""A text column of CSV is stored as a dictionary where each of its texts stands at least so often."""
_ENOUGH_ROWS = 1000
_CLOSED = rb"(?:Q(?:[^Q]|QQ)*Q[^D]*|[^QD][^D]*|)(?:D(?:Q(?:[^Q]|QQ)*Q[^D]*|[^QD][^D]*|))*"
"""Cells between delimiters D of which each quote Q that is opened is closed again."""


class CsvReader:
    """Reads CSV in blocks; rows with a wrong number of cells are counted, not guessed.

    All cells are text, so that no row decides how another is read.
    """

    key: ClassVar[str] = "csv"
    title: ClassVar[str] = "CSV"
    endings: ClassVar[tuple[str, ...]] = (".csv", ".tsv", ".tab", ".txt")
    options: ClassVar[tuple[str, ...]] = ("encoding", "delimiter", "skip_lines", "decimal", "date_order")

    def preview(self, path: Path, file_format: FileFormat = AS_FOUND) -> Preview:
        head = read_csv_head(path, file_format)
        rows = tuple(row for row in head.rows if len(row) == len(head.names))
        preview = Preview(
            columns=head.names, rows=rows[:PREVIEW_ROWS], notes=(*titles_note(file_format), *head.notes)
        )
        if not head.rows:
            raise NoRows("The file holds no rows.", preview, where=str(path), mend="choose a file with rows")
        if not rows:
            raise NoRows(
                "No row has as many cells as the first line has column names.",
                preview,
                where=str(path),
                mend="name every column in the first line, or name the delimiter under [data.format]",
            )
        return preview

    def batches(
        self, path: Path, columns: Sequence[str], file_format: FileFormat = AS_FOUND
    ) -> Iterator[Batch]:
        head = read_csv_head(path, file_format)
        require_columns(columns, head.names, path)
        if head.complete and not head.rows:
            return
        wanted = [f"c{head.names.index(name)}" for name in columns]
        types = _storage(path, head, file_format, wanted)
        skipped: list[int] = []
        reported = 0

        def skip(row: pa_csv.InvalidRow) -> str:
            # called for the block after the one that is being yielded, too
            skipped.append(row.number)
            return "skip"

        with opened_text(path, file_format, head.delimiter) as text:
            for number, block in enumerate(_blocks(text, path, head, types, skip), start=1):
                lines = skipped[reported:]
                reported += len(lines)
                table = pa.Table.from_batches([block]).rename_columns(list(columns))
                yield Batch(
                    table=_as_written(table, head.delimiter),
                    unreadable=len(lines),
                    unreadable_lines=tuple(lines[:MOST_LINES]),
                    fraction=text.fraction_after(number * _BLOCK),
                )
        if lines := skipped[reported:]:
            yield Batch(
                table=pa.table({name: pa.array([], pa.string()) for name in columns}),
                unreadable=len(lines),
                unreadable_lines=tuple(lines[:MOST_LINES]),
                fraction=1.0,
            )


READER = CsvReader()


def _storage(
    path: Path, head: CsvHead, file_format: FileFormat, wanted: Sequence[str]
) -> dict[str, pa.DataType]:
    """How each column lies in memory: columns of few texts as dictionaries. Their meaning is the same."""
    types = dict.fromkeys(wanted, pa.string())
    if head.complete or not head.delimiter.isascii():
        return types
    with opened_text(path, file_format) as text:
        block = next(_blocks(text, path, head, types, lambda _: "skip"), None)
    if block is None or block.num_rows < _ENOUGH_ROWS:
        return types
    return {
        name: pa.dictionary(pa.int32(), pa.string())
        if pc.count_distinct(block.column(name)).as_py() * _FEW <= block.num_rows
        else pa.string()
        for name in wanted
    }


def _blocks(
    text: DecodedText, path: Path, head: CsvHead, types: dict[str, pa.DataType], skip: object
) -> Iterator[pa.RecordBatch]:
    try:
        yield from _reader(text.source(), head, types, skip, skip_rows=head.lines)
    except pa.ArrowInvalid as error:
        if _is_encoding(error):
            raise wrong_encoding(path, text.encoding) from None
        raise _unusable(str(path), error) from None


def _reader(
    source: object,
    how: CsvHead | CsvLines,
    types: dict[str, pa.DataType],
    skip: object,
    *,
    skip_rows: int = 0,
) -> pa_csv.CSVStreamingReader:
    return pa_csv.open_csv(
        source,
        read_options=pa_csv.ReadOptions(
            block_size=_BLOCK,
            # the streaming reader splits cells in one thread anyway, and so knows the lines of bad rows
            use_threads=False,
            skip_rows=skip_rows,
            column_names=[f"c{index}" for index in range(how.width)],
        ),
        parse_options=pa_csv.ParseOptions(
            delimiter=ascii_delimiter(how.delimiter),
            quote_char=how.quote,
            newlines_in_values=True,
            invalid_row_handler=skip,
        ),
        convert_options=pa_csv.ConvertOptions(
            include_columns=list(types),
            column_types=types,
            null_values=[""],
            strings_can_be_null=True,
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvLines:
    """How lines of a file are read apart from it: what its head has decided."""

    columns: tuple[str, ...]
    places: tuple[int, ...]
    """Of the columns among the cells."""
    delimiter: str
    quote: str
    width: int
    where: str
    """The file, for messages."""


def csv_lines(head: CsvHead, columns: Sequence[str], path: Path, where: str) -> CsvLines:
    """What the head of a file decides. Raises InputError unless each column is there once."""
    require_columns(columns, head.names, path)
    return CsvLines(
        columns=tuple(columns),
        places=tuple(head.names.index(name) for name in columns),
        delimiter=head.delimiter,
        quote=head.quote,
        width=head.width,
        where=where,
    )


def rows_of_lines(lines: Sequence[bytes], how: CsvLines) -> tuple[pa.Table, list[int]]:
    """The rows of whole lines of UTF-8 text, and which rows were none: from 1, without blank lines.

    Raises InputError where a quote goes on over the end of a line: lines then are no rows.
    """
    named, plain = how.delimiter.encode(), ascii_delimiter(how.delimiter).encode()
    if named != plain:
        lines = [line.replace(named, plain) for line in lines]
    quote = how.quote.encode()
    closed = re.compile(_CLOSED.replace(b"Q", quote).replace(b"D", re.escape(plain)))
    for line in lines:
        if line.count(quote) % 2 and not closed.fullmatch(line):
            raise InputError(
                "A cell continues on the next line, so the file cannot be split at line ends.",
                where=how.where,
                mend="compress it with gzip, so that one worker reads all of it, or write it as Parquet",
            )
    skipped: list[int] = []

    def skip(row: pa_csv.InvalidRow) -> str:
        skipped.append(row.number)
        return "skip"

    text = b"\n".join(lines)
    types = {f"c{place}": pa.string() for place in how.places}
    if not text.strip(b"\r\n"):  # the library refuses a text without any row
        return pa.table({name: pa.array([], pa.string()) for name in how.columns}), []
    try:
        table = _reader(pa.BufferReader(text), how, types, skip).read_all()
    except pa.ArrowInvalid as error:
        if _is_encoding(error):
            raise not_utf8(how.where) from None
        raise _unusable(how.where, error) from None
    return _as_written(table.rename_columns(list(how.columns)), how.delimiter), skipped


def _as_written(table: pa.Table, delimiter: str) -> pa.Table:
    """With the delimiter where it stood within quotes."""
    if delimiter.isascii():
        return table
    plain = ascii_delimiter(delimiter)
    columns = [pc.replace_substring(column, plain, delimiter) for column in table.columns]
    return pa.table(columns, names=table.column_names)


def _is_encoding(error: pa.ArrowInvalid) -> bool:
    return "UTF8" in str(error) or "UTF-8" in str(error)


def _unusable(where: str, error: pa.ArrowInvalid) -> InputError:
    """The library's message may quote cells, so only its kind is shown."""
    message = str(error)
    if "straddl" in message:
        return InputError(
            "A line is longer than {value} MiB, or a quote is opened and never closed.",
            value=_BLOCK >> 20,
            where=where,
            mend="look for a single quotation mark, or export the file again with line ends",
        )
    return InputError(
        "The file is not readable CSV.",
        where=where,
        mend="open it in a spreadsheet and save it again as CSV",
    )
