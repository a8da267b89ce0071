"""Workbooks of spreadsheets (.xlsx, .xls, .ods): the cells' own values, never their displayed text."""

from __future__ import annotations

import contextlib
import datetime as dt
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from python_calamine import CalamineError, CalamineWorkbook, PasswordError

from core.errors import InputError
from core.read.file_format import AS_FOUND, FileFormat
from core.read.input_files import NoRecord, opened, read_whole
from core.read.preview_rows import PREVIEW_ROWS, NoRows, Preview
from core.read.readers.base import Batch, require_columns
from core.read.workbook_extent import require_extent
from core.texts import text_of

_ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")

_Row = list[Any]


class WorkbookReader:
    """Reads one sheet; a sheet has at most 1,048,576 rows and is read into memory.

    The first row that is not empty names the columns. Dates are local wall-clock times.
    """

    key: ClassVar[str] = "workbook"
    title: ClassVar[str] = "Excel"
    endings: ClassVar[tuple[str, ...]] = _ENDINGS
    options: ClassVar[tuple[str, ...]] = ("sheet", "decimal", "date_order")

    def reads(self, path: Path) -> bool:
        return path.name.lower().endswith(self.endings)

    def preview(self, path: Path, file_format: FileFormat = AS_FOUND) -> Preview:
        names, rows = _sheet(path, file_format)
        preview = Preview(columns=names, rows=tuple(tuple(map(_text, row)) for row in rows[:PREVIEW_ROWS]))
        if not rows:
            raise NoRows(
                "The sheet holds no rows.", preview, where=str(path), mend="choose a sheet with rows"
            )
        return preview

    def batches(
        self, path: Path, columns: Sequence[str], file_format: FileFormat = AS_FOUND
    ) -> Iterator[Batch]:
        names, rows = _sheet(path, file_format)
        require_columns(columns, names, path)
        indices = [names.index(name) for name in columns]
        yield Batch(
            table=pa.table(
                {
                    name: _column([row[index] for row in rows])
                    for name, index in zip(columns, indices, strict=True)
                }
            ),
            unreadable=0,
            fraction=1.0,
        )


READER = WorkbookReader()


def sheet_names(path: Path, *, empty_too: bool = False) -> tuple[str, ...]:
    """The sheets that hold anything, in the workbook's order. Raises InputError for no readable workbook.

    empty_too: all of them, whatever they hold.
    """
    with opened(path) as stream, _damage_as_input_error(path):
        book = _book(read_whole(stream, path), path)
        return tuple(name for name in book.sheet_names if empty_too or _rows(book, name))


def _sheet(path: Path, file_format: FileFormat) -> tuple[tuple[str, ...], list[_Row]]:
    """Column names and the rows below that are not empty. Raises InputError where no sheet is meant."""
    with opened(path) as stream, _damage_as_input_error(path):
        book = _book(read_whole(stream, path), path)
        if file_format.sheet:
            if file_format.sheet not in book.sheet_names:
                raise _choose("The workbook has no sheet of this name.", book.sheet_names, path)
            rows = _rows(book, file_format.sheet)
        else:
            filled = {name: found for name in book.sheet_names if (found := _rows(book, name))}
            if len(filled) > 1:
                raise _choose("Several sheets hold data.", list(filled), path)
            rows = next(iter(filled.values()), [])
    if not rows:
        raise NoRecord(
            "The sheet is empty.", where=str(path), mend="choose a sheet with column names and rows"
        )
    names = tuple(
        _text(cell).strip() or text_of("column {place}", place=place)
        for place, cell in enumerate(rows[0], start=1)
    )
    return names, rows[1:]


def _book(content: bytes, path: Path) -> CalamineWorkbook:
    require_extent(content, path)
    return CalamineWorkbook.from_filelike(io.BytesIO(content))


def _rows(book: CalamineWorkbook, name: str) -> list[_Row]:
    return [row for row in book.get_sheet_by_name(name).to_python() if any(cell != "" for cell in row)]


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
        "The file is no readable workbook.", where=str(path), mend="open it and save it anew as .xlsx"
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
    return str(cell)
