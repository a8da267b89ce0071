"""Workbooks (.xlsx, .xls, .ods): cells' own values, sheets by name, a password, one not readable."""

from __future__ import annotations

import contextlib
import datetime as dt
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from python_calamine import CalamineError, CalamineWorkbook, PasswordError

from core.errors import InputError
from core.read.file_format import ALL_SHEETS, AS_FOUND, FileFormat
from core.read.input_files import NoRecord, opened, read_whole
from core.read.preview_rows import PREVIEW_ROWS, NoRows, Preview
from core.read.readers.base import Batch, require_columns
from core.read.title_lines import MOST_TITLES, title_lines, titles_note
from core.read.workbooks.workbook_extent import sound_workbook
from core.texts import text_of

_ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")

_Row = list[Any]


class WorkbookReader:
    """Reads one sheet or several; one has at most 1,048,576 rows and is read into memory.

    The first row that is not empty names the columns. Dates are local wall-clock times.
    """

    key: ClassVar[str] = "workbook"
    title: ClassVar[str] = "Excel"
    endings: ClassVar[tuple[str, ...]] = _ENDINGS
    options: ClassVar[tuple[str, ...]] = ("sheet", "skip_lines", "decimal", "date_order")

    def preview(self, path: Path, file_format: FileFormat = AS_FOUND) -> Preview:
        (names, rows), *_ = _sheets(path, file_format)
        preview = Preview(
            columns=names,
            rows=tuple(tuple(map(_text, row)) for row in rows[:PREVIEW_ROWS]),
            notes=titles_note(file_format),
        )
        if not rows:
            raise NoRows(
                "The sheet contains no rows.", preview, where=str(path), mend="choose a sheet with rows"
            )
        return preview

    def batches(
        self, path: Path, columns: Sequence[str], file_format: FileFormat = AS_FOUND
    ) -> Iterator[Batch]:
        sheets = _sheets(path, file_format)
        for number, (names, rows) in enumerate(sheets, start=1):
            require_columns(columns, names, path)
            cells = {name: _column([row[names.index(name)] for row in rows]) for name in columns}
            yield Batch(table=pa.table(cells), unreadable=0, fraction=number / len(sheets))


READER = WorkbookReader()


def sheets_alike(path: Path, file_format: FileFormat = AS_FOUND) -> bool:
    """Whether all sheets that hold anything have the same names: records that went on on the next one."""
    with contextlib.suppress(InputError):
        return len({names for names, _ in _sheets(path, replace(file_format, sheet=ALL_SHEETS))}) == 1
    return False


def title_rows(path: Path, sheet: str) -> int:
    """Rows above what looks like the names of columns."""
    with opened(path) as stream, _damage_as_input_error(path):
        found = _book(read_whole(stream, path), path).get_sheet_by_name(sheet)
        rows = found.to_python(nrows=2 * MOST_TITLES)
        return (found.start or (0, 0))[0] + title_lines([[_text(cell) for cell in row] for row in rows])


def sheet_names(path: Path, *, empty_too: bool = False) -> tuple[str, ...]:
    """The sheets that hold anything, in the workbook's order. Raises InputError for no readable workbook.

    empty_too: all of them, whatever they hold.
    """
    with opened(path) as stream, _damage_as_input_error(path):
        book = _book(read_whole(stream, path), path)
        return tuple(name for name in book.sheet_names if empty_too or _rows(book, name))


def _sheets(path: Path, file_format: FileFormat) -> list[tuple[tuple[str, ...], list[_Row]]]:
    """Of each sheet column names and the rows below that are not empty.

    Raises InputError where no sheet is meant.
    """
    named = (file_format.sheet,) if isinstance(file_format.sheet, str) else file_format.sheet
    with opened(path) as stream, _damage_as_input_error(path):
        book = _book(read_whole(stream, path), path)
        every = named in ((ALL_SHEETS,), ("",)) and ALL_SHEETS not in book.sheet_names
        names = book.sheet_names if every else list(named)
        if not set(names) <= set(book.sheet_names):
            raise _choose("The workbook has no sheet of this name.", book.sheet_names, path)
        found = {name: _rows(book, name, file_format.skip_lines) for name in names}
    if every:
        found = {name: rows for name, rows in found.items() if rows}
    if every and named == ("",) and len(found) > 1:
        raise _choose("Several sheets contain data.", list(found), path)
    if not any(found.values()):
        raise NoRecord(
            "The sheet is empty.", where=str(path), mend="choose a sheet with column names and rows"
        )
    return [(_names(rows[0]), rows[1:]) for rows in found.values() if rows]


def _names(row: _Row) -> tuple[str, ...]:
    return tuple(
        _text(cell).strip() or text_of("column {place}", place=place)
        for place, cell in enumerate(row, start=1)
    )


def _book(content: bytes, path: Path) -> CalamineWorkbook:
    return CalamineWorkbook.from_filelike(io.BytesIO(sound_workbook(content, path)))


def _rows(book: CalamineWorkbook, name: str, skipped: int = 0) -> list[_Row]:
    sheet = book.get_sheet_by_name(name)
    above = (sheet.start or (0, 0))[0]
    rows = sheet.to_python()[max(skipped - above, 0) :]
    return [row for row in rows if any(cell != "" for cell in row)]


def _choose(what: str, names: Sequence[str], path: Path) -> InputError:
    return InputError(
        what,
        where=str(path),
        mend=text_of(
            'write sheet = "{value}" under [data.format]; there are: {names}',
            value=names[0] if names else "",
            names=", ".join(names),
        ),
    )


@contextlib.contextmanager
def _damage_as_input_error(path: Path) -> Iterator[None]:
    try:
        yield
    except PasswordError:
        raise InputError(
            "The workbook is protected by a password.", where=str(path), mend="save it without one"
        ) from None
    except CalamineError:
        raise _no_workbook(path) from None
    except BaseException as error:
        # what the library itself did not foresee comes as an exception of Rust's, which is no `Exception`
        if type(error).__name__ != "PanicException":
            raise
        raise _no_workbook(path) from None


def _no_workbook(path: Path) -> InputError:
    return InputError(
        "The file is not a readable workbook.", where=str(path), mend="open it and save it again as .xlsx"
    )


def _column(cells: list[Any]) -> pa.Array:
    """Numbers or times where every cell is one, else text; the meaning of a cell is the same in each."""
    filled = [cell for cell in cells if cell != ""]
    values = [None if cell == "" else cell for cell in cells]
    if filled and all(isinstance(cell, dt.datetime) for cell in filled):
        return pa.array(values, pa.timestamp("us"))
    if filled and all(type(cell) is float for cell in filled):
        if all(cell.is_integer() and abs(cell) < 2**53 for cell in filled):
            # a sheet has no integers; as one, an id is read without a fraction or exponent
            return pa.array([None if cell is None else int(cell) for cell in values], pa.int64())
        if all(abs(cell) < 1e10 for cell in filled):
            return pa.array(values, pa.float64())
    return pa.array([None if cell is None else _text(cell) for cell in values], pa.string())


def _text(cell: Any) -> str:
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else repr(cell)
    if isinstance(cell, dt.datetime | dt.date | dt.time):
        return cell.isoformat()
    if isinstance(cell, dt.timedelta):
        return _clock(cell)
    return str(cell)


def _clock(duration: dt.timedelta) -> str:
    """Hours beyond 24 as a spreadsheet shows them: `25:10:07`."""
    minutes, rest = divmod(duration, dt.timedelta(minutes=1))
    second = str(dt.timedelta(minutes=minutes % 60) + rest).partition(":")[2]
    return f"{minutes // 60:02d}:{second}"
