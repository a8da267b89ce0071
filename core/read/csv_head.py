"""First lines of delimited text: the delimiter, columns without names, data in place of names."""

from __future__ import annotations

import codecs
import csv
import io
import re
import string
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.counted import count_of
from core.errors import InputError
from core.privacy import Confidential
from core.read.encodings import no_text, opened_text, wrong_encoding
from core.read.file_format import FileFormat
from core.read.input_files import NoRecord, empty_file
from core.texts import text_of

DELIMITERS = ",;\t|"
_HEAD = 1 << 16
_ROWS = 200
_DATUM = re.compile(r"[-+]?[0-9]+[.][0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ].*")
"""A cell that names no column: a fraction or a time."""
_NUMBER = re.compile(r"[-+]?[0-9]+")
_BLANKS = re.compile(r"\S\s{2,}\S|\S\s+\S+\s+\S")
"""Cells in columns of one width, or more than two words."""
_ANNOTATIONS = ("#group", "#datatype", "#default")
"""Of InfluxDB's CSV: lines above names of which the first is empty, as wide as these."""
_LINE_PROTOCOL = re.compile(
    r"[^,\s=]+(?:,[^,\s=]+=[^,\s]+)*\s[^,\s=]+=[^,\s]+(?:,[^,\s=]+=[^,\s]+)*\s-?\d{1,19}"
)
"""A name, tags, a blank, values, a blank, a time: as InfluxDB writes each record."""
_DECLARED = re.compile(r'"?sep=(?P<delimiter>.)"?\s*')
"""The line by which a spreadsheet names the delimiter."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CsvHead(Confidential):
    """What the first 64 KiB of a file tell."""

    names: tuple[str, ...]
    delimiter: str
    quote: str
    """Around cells that may hold delimiters: the double one, or the single one where all names are in it."""
    lines: int
    """Lines up to and with the column names."""
    open_end: bool
    """Every row ends in a delimiter that the column names lack: one more column, always empty."""
    rows: tuple[tuple[str, ...], ...]
    """The first whole rows, of whatever width; at most 200."""
    complete: bool
    """The file is no longer than its head."""
    notes: tuple[str, ...]

    @property
    def width(self) -> int:
        """Cells that a row must have."""
        return len(self.names) + self.open_end


@dataclass(frozen=True, slots=True)
class _Reading:
    """The head split at one delimiter; records from the column names on."""

    delimiter: str
    quote: str
    lines: int
    records: list[list[str]]

    @property
    def score(self) -> tuple[float, int]:
        """Share of rows as wide as the column names, and how many of these there are."""
        width, rows = len(self.records[0]), self.records[1:]
        fitting = sum(len(row) == width or _ends_open(row, width) for row in rows)
        return (fitting / len(rows) if rows else 1.0), width


def read_csv_head(path: Path, file_format: FileFormat) -> CsvHead:
    """Look at the first lines.

    Raises NoRecord for an empty file; InputError for names that do not fit the encoding, a first line of
    data, a single column, and rows that all have more cells than there are names.
    """
    with opened_text(path, file_format) as text:
        data = text.read(_HEAD)
        encoding, marked = text.encoding, text.marked
    complete = len(data) < _HEAD
    decoded = codecs.getincrementaldecoder("utf-8")("replace").decode(data, final=complete)
    if complete and _names_nothing(decoded, file_format):
        raise _empty(path)
    if not decoded.strip():
        raise InputError(
            "The first 64 KiB of the file are blank.",
            where=str(path),
            mend="choose a text file of rows; its first line names the columns",
        )
    first_line = decoded.lstrip("\r\n").splitlines()[0].encode()
    if b"\0" in first_line:
        raise no_text(path, encoding, data)
    if first_line not in data:
        raise wrong_encoding(path, encoding)
    reading = _best(path, decoded, file_format, complete=complete)
    if reading.records[0][0].startswith("'"):
        otherwise = _best(path, decoded, file_format, "'", complete=complete)
        reading = otherwise if _in_single_quotes(decoded, otherwise) else reading
    names, notes = _names(reading.records[0])
    rows = reading.records[1:]
    open_end = bool(rows) and all(_ends_open(row, len(names)) for row in rows)
    if marked:
        notes.insert(
            0,
            text_of(
                "The file begins with a mark of its encoding ({encoding}), which was skipped.",
                encoding=encoding,
            ),
        )
    if open_end:
        notes.append("Every row ends in a delimiter, which was skipped.")
    if len(names) == 1 and _BLANKS.search(names[0]):
        raise InputError(
            "Blanks separate the columns of the first line.",
            where=str(path),
            mend="save the file with commas or tabs between the columns, and their names in the first line",
        )
    if len(names) == 1:
        raise InputError(
            "The first line names only one column: is the delimiter another?",
            where=str(path),
            mend='write for instance delimiter = ":" under [data.format]',
        )
    if _LINE_PROTOCOL.fullmatch(first_line.decode(errors="replace").strip()):
        raise InputError(
            "The first line contains values beside their names, as in the line protocol of InfluxDB.",
            where=str(path),
            mend="export the records as CSV, whose first line names the columns",
        )
    if sum(_NUMBER.fullmatch(name) is not None for name in names) * 2 > len(names) or any(
        _DATUM.fullmatch(name) for name in names
    ):
        raise InputError(
            "The first line contains data instead of column names.",
            where=str(path),
            mend="add a first line that names the columns",
        )
    _require_width(rows, len(names), open_end, path)
    return CsvHead(
        names=names,
        delimiter=reading.delimiter,
        quote=reading.quote,
        lines=reading.lines,
        open_end=open_end,
        rows=tuple(tuple(row[: len(names)]) if open_end else tuple(row) for row in rows),
        complete=complete,
        notes=tuple(notes),
    )


def _names_nothing(text: str, file_format: FileFormat) -> bool:
    """Whether a text has blanks and delimiters alone, and perhaps the line that names one."""
    rest = _DECLARED.sub("", text.lstrip("\r\n"), count=1)
    return not rest.strip(DELIMITERS + (file_format.delimiter or "") + string.whitespace)


def _in_single_quotes(text: str, reading: _Reading) -> bool:
    names = text.splitlines()[reading.lines - 1].strip()
    cell = "'[^']*'"
    return re.fullmatch(f"{cell}(?:{re.escape(reading.delimiter)}{cell})+", names) is not None


def _best(path: Path, text: str, file_format: FileFormat, quote: str = '"', *, complete: bool) -> _Reading:
    """The delimiter under which most rows are as wide as the column names, quotes respected."""
    declared = _DECLARED.match(text)
    chosen = file_format.delimiter or (declared["delimiter"] if declared and "\n" in declared[0] else "")
    readings = []
    for delimiter in chosen or DELIMITERS:
        try:
            found = _split(text, delimiter, quote, file_format.skip_lines, complete=complete)
        except csv.Error:
            continue
        if found is not None:
            readings.append(found)
    if not readings:
        raise InputError(
            "The first line does not end within 64 KiB.",
            where=str(path),
            mend="choose a text file of rows; its first line names the columns",
        )
    wide = [reading for reading in readings if len(reading.records[0]) > 1]
    return max(wide or readings, key=lambda reading: reading.score)


def _split(text: str, delimiter: str, quote: str, skipped: int, *, complete: bool) -> _Reading | None:
    """Records from the column names on; None if these do not end within the text. skipped: lines above."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quotechar=quote)
    records: list[tuple[int, list[str]]] = []
    for record in islice(reader, _ROWS + 20):
        records.append((reader.line_num, record))
    if not complete and reader.line_num == text.count("\n") + 1:
        records.pop()  # it may go on behind the head
    while records and (records[0][0] <= skipped or _is_preamble(records)):
        records.pop(0)
    if not records:
        return None
    rows = [record for _, record in records[1 : _ROWS + 1] if record]
    return _Reading(delimiter, quote, records[0][0], [records[0][1], *rows])


def _is_preamble(records: list[tuple[int, list[str]]]) -> bool:
    """Whether the first record is blank, names a delimiter, or is a remark: #, not as wide as the table."""
    first = records[0][1]
    if not any(cell.strip() for cell in first):
        return True
    if len(records) > 1 and _DECLARED.fullmatch("".join(first) if len(first) == 1 else f"{first[0]}x"):
        return first[0].startswith("sep=") and len(first) <= 2
    if len(records) == 1:
        return False
    below = records[1][1]
    annotates = first[0] in _ANNOTATIONS and bool(below) and below[0] in ("", *_ANNOTATIONS)
    table = next((row for _, row in records if row and not row[0].startswith("#")), below)
    return annotates or (first[0].startswith("#") and len(first) != len(table))


def _ends_open(row: list[str], width: int) -> bool:
    return len(row) == width + 1 and not row[-1]


def _names(record: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """Trimmed names, a number for what has none, and which of them were changed so."""
    names, notes = [], []
    for position, cell in enumerate(record, start=1):
        name = cell.strip()
        if not name:
            name = text_of("column {position}", position=position)
            notes.append(
                text_of(
                    "Column {position} has no name and is called {name}.", position=position, name=f"{name!r}"
                )
            )
        elif name != cell:
            notes.append(text_of("The name of column {position} was trimmed.", position=position))
        names.append(name)
    return tuple(names), notes


def _require_width(rows: list[list[str]], width: int, open_end: bool, path: Path) -> None:
    widths = {len(row) for row in rows}
    if open_end or len(widths) != 1 or (cells := widths.pop()) <= width:
        return
    bracketed = all(any(cell.lstrip().startswith("[") for cell in row) for row in rows)
    raise InputError(
        "The first line names {counted_columns}, but the rows have {counted_cells}.",
        counted_columns=count_of(width, "column"),
        counted_cells=count_of(cells, "cell"),
        where=str(path),
        mend="put coordinates in brackets between quotes"
        if bracketed
        else "name every column in the first line, and put cells that contain the delimiter between quotes",
    )


def _empty(path: Path) -> NoRecord:
    return empty_file(path, mend="choose a file that begins with column names")
