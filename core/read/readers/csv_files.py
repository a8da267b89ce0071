"""Delimited text of any delimiter and encoding, in blocks that keep memory constant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from core.errors import InputError
from core.read.csv_head import CsvHead, read_csv_head
from core.read.encodings import DecodedText, opened_text, wrong_encoding
from core.read.file_format import AS_FOUND, FileFormat
from core.read.input_files import base_name
from core.read.preview_rows import PREVIEW_ROWS, Preview
from core.read.readers.base import MOST_LINES, Batch, require_columns

_BLOCK = 4 << 20
"""Bytes read at once, and the longest line; larger blocks take more memory and no less time."""
_FEW = 8
"""A text column is kept as a dictionary where each of its texts stands at least so often."""
_ENOUGH_ROWS = 1000


class CsvReader:
    """Reads CSV in blocks; rows with a wrong number of cells are counted, not guessed.

    All cells are text, so that no row decides how another is read. Single quotes quote nothing.
    """

    key: ClassVar[str] = "csv"
    title: ClassVar[str] = "CSV"
    endings: ClassVar[tuple[str, ...]] = (".csv", ".tsv", ".tab", ".txt")
    options: ClassVar[tuple[str, ...]] = ("encoding", "delimiter", "decimal", "date_order")

    def reads(self, path: Path) -> bool:
        return base_name(path).endswith(self.endings)

    def preview(self, path: Path, file_format: FileFormat = AS_FOUND) -> Preview:
        head = read_csv_head(path, file_format)
        if not head.rows:
            raise InputError("The file holds no rows.", where=str(path), mend="choose a file with rows")
        rows = [row for row in head.rows if len(row) == len(head.names)]
        if not rows:
            raise InputError(
                "No row has as many cells as the first line names columns.",
                where=str(path),
                mend="name every column in the first line, or name the delimiter under [data.format]",
            )
        return Preview(columns=head.names, rows=tuple(rows[:PREVIEW_ROWS]), notes=head.notes)

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

        with opened_text(path, file_format) as text:
            for block in _blocks(text, path, head, types, skip):
                lines = skipped[reported:]
                reported += len(lines)
                yield Batch(
                    table=pa.Table.from_batches([block]).rename_columns(list(columns)),
                    unreadable=len(lines),
                    unreadable_lines=tuple(lines[:MOST_LINES]),
                    fraction=text.fraction,
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
    """How each column is held in memory: columns of few texts as dictionaries. Their meaning is the same."""
    types = dict.fromkeys(wanted, pa.string())
    if head.complete:
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
        yield from pa_csv.open_csv(
            text.source(),
            read_options=pa_csv.ReadOptions(
                block_size=_BLOCK,
                # the streaming reader splits cells in one thread anyway, and so knows the lines of bad rows
                use_threads=False,
                skip_rows=head.lines,
                column_names=[f"c{index}" for index in range(head.width)],
            ),
            parse_options=pa_csv.ParseOptions(
                delimiter=head.delimiter, newlines_in_values=True, invalid_row_handler=skip
            ),
            convert_options=pa_csv.ConvertOptions(
                include_columns=list(types),
                column_types=types,
                null_values=[""],
                strings_can_be_null=True,
            ),
        )
    except pa.ArrowInvalid as error:
        raise _unusable(path, text.encoding, error) from None


def _unusable(path: Path, encoding: str, error: pa.ArrowInvalid) -> InputError:
    """The library's message may quote cells, so only its kind is told."""
    message = str(error)
    if "UTF8" in message or "UTF-8" in message:
        return wrong_encoding(path, encoding)
    if "straddl" in message:
        return InputError(
            f"A line is longer than {_BLOCK >> 20} MiB, or a quote is opened and never closed.",
            where=str(path),
            mend="look for a single quotation mark, or export the file again with line ends",
        )
    return InputError(
        "The file is no readable CSV.",
        where=str(path),
        mend="open it in a spreadsheet and save it anew as CSV",
    )
