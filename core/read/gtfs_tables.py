"""Tables of a GTFS timetable: missing columns, larger than 1 GiB, times that are none (method 12.9).

Source: GTFS Schedule Reference (gtfs.org).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from core.progress import Progress, silent
from core.read.archives import is_zip, members
from core.read.encodings import opened_text, wrong_encoding
from core.read.unreadable_files import unreadable_as_input_error
from core.texts import joined, text_of

TRIPS, STOP_TIMES, STOPS = "trips.txt", "stop_times.txt", "stops.txt"
ROUTE_NAMES, SHAPES = "routes.txt", "shapes.txt"
CALENDAR, CALENDAR_DATES, FREQUENCIES = "calendar.txt", "calendar_dates.txt", "frequencies.txt"
NEEDED = (TRIPS, STOP_TIMES, STOPS)
"""Without these nobody drives anywhere."""
_BLOCK_LINES = 1 << 12
"""Lines of a timetable's table between two words of progress: some milliseconds."""
_MOST_BYTES = 1 << 30
"""Bytes of one table of a timetable, unpacked."""
Row = tuple[dict[str, str], str]
"""Cells by column, and where they stand."""


class GtfsTables:
    """A folder with the tables, or a zip archive of them."""

    def __init__(self, path: Path, needed: tuple[str, ...] = NEEDED) -> None:
        """Raises InputError where there is no such thing, or a table that is needed is missing."""
        self.path = path
        self._files = _tables_in(path)
        missing = [name for name in needed if name not in self._files]
        if missing:
            raise InputError(
                "The timetable has no {missing}.",
                missing=joined(" and no ", missing),
                where=str(path),
                mend="name the folder or zip archive of a GTFS timetable (not of a GTFS-realtime feed)",
            )

    def holds(self, name: str) -> bool:
        return name in self._files

    def rows(self, name: str, needed: tuple[str, ...]) -> Iterator[Row]:
        """The lines of a table; columns that are missing, or empty, read as empty text.

        needed: columns without which the table says nothing. Raises InputError.
        """
        lines = self._lines(name, needed)
        header, _ = next(lines)
        for cells, number in lines:
            yield dict(zip(header, cells, strict=False)), self.place(name, number)

    def columns(
        self, name: str, columns: tuple[str, ...], needed: tuple[str, ...], progress: Progress = silent
    ) -> Iterator[tuple[tuple[str, ...], int]]:
        """The same of some columns, with the number of each line: for a table of millions.

        Raises InputError, and what `progress` raises.
        """
        lines = self._lines(name, needed, progress)
        header, _ = next(lines)
        places = [header.index(column) if column in header else None for column in columns]
        for cells, number in lines:
            width = len(cells)
            found = (cells[at] if at is not None and at < width else "" for at in places)
            yield tuple(found), number

    def place(self, name: str, line: int) -> str:
        """Where a line stands, for a message."""
        return text_of("{files}, line {line}", files=self._files[name], line=line)

    def _lines(
        self, name: str, needed: tuple[str, ...], progress: Progress = silent
    ) -> Iterator[tuple[list[str], int]]:
        """The header, then all lines that are not blank; cells stripped, and the line's number."""
        path = self._files[name]
        with opened_text(path) as text:
            content = text.read(_MOST_BYTES + 1)
            if len(content) > _MOST_BYTES:
                raise InputError(
                    "The table is larger than 1 GiB.", where=str(path), mend="leave other agencies' trips out"
                )
            encoding = text.encoding
        raw = io.BytesIO(content)
        lines = csv.reader(io.TextIOWrapper(raw, encoding="utf-8", newline=""), strict=True)
        try:
            header = [column.strip() for column in next(lines, [])]
            absent = [column for column in needed if column not in header]
            if absent:
                raise InputError(
                    "The table has no column {absent}.",
                    absent=joined(" and no column ", absent),
                    where=str(path),
                    mend="take the table as the agency published it",
                )
            yield header, lines.line_num
            for count, cells in enumerate(lines):
                if count % _BLOCK_LINES == 0:
                    progress(raw.tell() / len(content), f"Reading {name}")
                if cells:
                    yield [cell.strip() for cell in cells], lines.line_num
        except UnicodeDecodeError:
            raise wrong_encoding(path, encoding) from None
        except csv.Error:
            raise InputError(
                "This line is no CSV.",
                where=text_of("{path}, line {number}", path=path, number=lines.line_num),
                mend="close its quotes",
            ) from None


def seconds_of(text: str, where: str) -> int:
    """Seconds since the service day's midnight of `H:MM:SS`; hours may go on beyond 24. Raises InputError."""
    parts = text.split(":")
    plain = len(parts) == 3 and all(part.isascii() and part.isdigit() and len(part) <= 3 for part in parts)
    hours, minutes, seconds = map(int, parts) if plain else (0, 60, 60)
    if minutes > 59 or seconds > 59:
        raise InputError(
            "This is not a time of a timetable.", where=where, mend="write for instance 25:35:00"
        )
    return (hours * 60 + minutes) * 60 + seconds


def _tables_in(path: Path) -> dict[str, Path]:
    """Name of a table -> its path; in an archive it may lie in a folder."""
    with unreadable_as_input_error(path):
        if path.is_dir():
            return {one.name: one for one in sorted(path.iterdir()) if one.is_file()}
        if not is_zip(path):
            raise InputError(
                "This is neither a folder nor a zip archive.",
                where=str(path),
                mend="name the folder or zip archive of a GTFS timetable",
            )
        return {member.path.name: member.path for member in members(path)}
