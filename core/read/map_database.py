"""A stranger's SQLite file, GeoPackage or MBTiles: damaged, slow to answer, larger than it looks.

Its tables are data, and so would be the code in it: views and triggers of a stranger are code. Nothing is run
but what is asked for here, no extension is loaded, and a look that does not end is cut off.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from core.errors import InputError
from core.progress import Cancelled, Progress, silent
from core.read.unreadable_files import unreadable_as_input_error
from core.system.regular_files import read_regular

MAGIC = b"SQLite format 3\0"
MOST_BYTES_OF_CELL = 64 << 20
_TIMES_THE_FILE = 2
"""What all cells of a stranger's answer may hold: this times the bytes of its file, and one cell more."""
USUAL_SECONDS = 60.0
"""That one question to a stranger's database may take."""
_LOOKED_AT_EVERY = 20_000
"""Steps of SQLite's machine between two looks at the clock."""


class MapDatabase:
    """One file, open until it is closed; from any thread, one question at a time.

    Raises InputError where the file is missing, no plain file, no SQLite, damaged or in use by a writer.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seconds = USUAL_SECONDS
        self._deadline = 0.0
        self._progress: Progress = silent
        self._stopped: BaseException | None = None
        self._turn = threading.Lock()
        _require_database(path)
        with self._errors():
            self._bytes = path.stat().st_size
            # immutable: nothing is written beside the file, not even for a moment
            self._connection = sqlite3.connect(
                f"{address(path.absolute())}?mode=ro&immutable=1", uri=True, check_same_thread=False
            )
            # no cell is larger than the file, but one that the file's own code computes
            most = min(MOST_BYTES_OF_CELL, self._bytes)
            self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, most)
            self._connection.text_factory = lambda text: text.decode("utf-8", "replace")
            self._connection.set_progress_handler(self._look, _LOOKED_AT_EVERY)
            for setting in ("query_only = 1", "trusted_schema = 0", "cell_size_check = 1", "mmap_size = 0"):
                self._connection.execute(f"PRAGMA {setting}")
            self.kinds = {
                str(name): str(kind)
                for name, kind, text in self.rows("SELECT name, type, sql FROM sqlite_master")
                if kind in ("table", "view") and "virtual" not in str(text or "").lower()[:30]
            }

    def rows(
        self, question: str, values: Sequence[Any] = (), *, seconds: float = USUAL_SECONDS
    ) -> list[tuple[Any, ...]]:
        """All rows of an answer. Raises InputError for a damaged file and for one that takes too long."""
        return list(self.each(question, values, seconds=seconds))

    def each(
        self,
        question: str,
        values: Sequence[Any] = (),
        *,
        seconds: float = USUAL_SECONDS,
        progress: Progress = silent,
    ) -> Iterator[tuple[Any, ...]]:
        """The rows of an answer, one at a time; progress: asked whether to go on.

        Raises InputError where they hold far more than the file: one text that stands for every row (the
        default of a column), or cells that the file's own code computes.
        """
        with self._turn, self._errors():
            self._seconds, self._deadline = seconds, time.monotonic() + seconds
            self._progress, self._stopped = progress, None
            left = _TIMES_THE_FILE * self._bytes + MOST_BYTES_OF_CELL
            for row in self._connection.execute(question, values):
                left -= sum(len(cell) for cell in row if isinstance(cell, str | bytes))
                if left < 0:
                    raise self._swollen()
                yield row

    def columns(self, table: str) -> list[tuple[str, str]]:
        """Name and declared type of each column, in order."""
        return [
            (str(row[1]), str(row[2]).upper()) for row in self.rows(f"PRAGMA table_info({quoted(table)})")
        ]

    def close(self) -> None:
        """Let the file go."""
        with self._turn:
            self._connection.close()

    def _look(self) -> int:
        """Whether to cut the question off, from within it: no exception may pass through SQLite."""
        try:
            self._progress(0.0, "")
        except BaseException as error:  # raised again as soon as SQLite has let go
            self._stopped = error
        return int(self._stopped is not None or time.monotonic() > self._deadline)

    def _swollen(self) -> InputError:
        return InputError(
            "The rows of the database contain far more than the file: many share one long text.",
            where=str(self.path),
            mend="save the layer again, without long texts; or export the table as CSV or Parquet",
        )

    def _errors(self) -> _Errors:
        return _Errors(self)

    def _error_of(self, error: sqlite3.Error) -> BaseException:
        if self._stopped is not None:
            return self._stopped
        if "interrupted" in str(error):
            return InputError(
                "The file gave no answer within {seconds} seconds.",
                seconds=f"{self._seconds:g}",
                where=str(self.path),
                mend="save the layer again; its views may take so long",
            )
        return InputError(
            "The database (SQLite) is damaged, or not a readable map.",
            where=str(self.path),
            mend="save or download it again; export a table of records as CSV or Parquet",
        )


class _Errors:
    """Turns what SQLite raises into what a person can act on."""

    def __init__(self, database: MapDatabase) -> None:
        self._database = database

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        # SQLite's own message may hold bytes of a damaged file, which Python fails to read as text
        if isinstance(error, sqlite3.Error | OverflowError | MemoryError | UnicodeDecodeError):
            stop = self._database._error_of(sqlite3.Error(str(error)))
            raise stop from (None if isinstance(stop, InputError | Cancelled) else error)


def is_database(path: Path) -> bool:
    """Whether a plain file begins as SQLite's do. Raises InputError where it cannot be read."""
    with unreadable_as_input_error(path):
        return read_regular(path, most=len(MAGIC)) == MAGIC


def address(path: PurePath) -> str:
    """An absolute path as SQLite wants it: a share of a server is a path that begins with two slashes."""
    text = path.as_posix()
    return f"file://{'' if text.startswith('/') else '/'}{quote(os.fsencode(text), safe='/:')}"


def quoted(name: str) -> str:
    """The name of a table or column as SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def _require_database(path: Path) -> None:
    if not is_database(path):
        raise InputError(
            "This is neither a GeoPackage nor MBTiles.", where=str(path), mend="save or download it again"
        )
    journal = path.with_name(path.name + "-wal")
    if journal.is_file() and journal.stat().st_size:
        raise InputError(
            "Another program has the file open and has not written all of it.",
            where=str(path),
            mend="save and close it there, then open it here",
        )
