"""The engine of one big machine: DuckDB's SQL sorts and groups on disk; no room there.

Files are read and cleaned as for every other command; DuckDB moves pieces and rows and looks into neither.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.clean.clean_rows import CleanRows
from core.clean.drop_and_clamp import CleanBatch
from core.clean.mapping import require_open_range
from core.engines import pieces, table_rows
from core.engines.base import Made, TableJob
from core.engines.finish import finish_table, report_of, vehicles_of
from core.engines.notes import Note, note_of, total
from core.engines.set_aside import set_aside
from core.engines.table_rows import Grouping, table_rows_of
from core.errors import InputError
from core.progress import Progress, part, rising
from core.read.file_listing import expand
from core.read.file_stamps import Stamp, require_unchanged, stamps_of
from core.store.disk_space import disk_errors, require_space
from core.store.read_files import Tally, read_into
from core.store.record_cache import RecordCache
from core.system.paths import how_to_add

_ROWS = 1 << 16
_READ, _GROUPED = 0.7, 0.9
"""Share of the progress that is done when the files are read, and when rows are made of them."""
_SETTINGS = (
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET preserve_insertion_order = false",
)


class DuckDbEngine:
    """Works in a private folder of the cache, which is gone afterwards."""

    def __init__(self, cache: RecordCache | None = None) -> None:
        self._cache = cache

    def contributions(self, job: TableJob, progress: Progress) -> Made:
        """As `Engine` says."""
        duckdb = _library()
        require_open_range(job.rules)
        files = expand(job.data, Path.cwd())
        stamps = stamps_of(files)
        rising_progress = rising(progress)
        with set_aside(self._cache) as folder, disk_errors(folder):
            require_space(folder, stamps)
            try:
                with contextlib.closing(_connect(duckdb, folder)) as database:
                    return _make(database, job, stamps, rising_progress)
            except duckdb.Error as error:
                raise _failed(type(error).__name__, folder) from None  # its message may quote a cell


def _library() -> ModuleType:
    try:
        return importlib.import_module("duckdb")
    except ImportError:
        raise InputError(
            "DuckDB is not installed here.",
            where="--engine duckdb",
            mend=f"{how_to_add('duckdb', 'duckdb')}, or leave --engine out",
        ) from None


def _connect(duckdb: ModuleType, folder: Path) -> Any:
    database = duckdb.connect(
        str(folder / "records.duckdb"), config={"temp_directory": str(folder / "spilled")}
    )
    for setting in _SETTINGS:
        database.execute(setting)
    return database


def _failed(kind: str, folder: Path) -> InputError:
    full = kind in ("OutOfMemoryException", "IOException")
    return InputError(
        f"DuckDB gave up ({kind}).",
        where=str(folder),
        mend="make room on the disk of the home, or name a home on a larger one with --home"
        if full
        else "run it again; if it fails in the same way, leave --engine out",
    )


class _PieceTable:
    """Takes clean batches into a table of the database."""

    def __init__(self, database: Any, *, folded: bool) -> None:
        self._database, self._folded = database, folded
        _create(database, "pieces", pieces.PIECE_SCHEMA)

    def add(self, batch: CleanBatch, day: NDArray[np.int32]) -> None:
        rows = CleanRows(batch=batch, day=day, offsets=frozenset(), next_ms=None)
        _insert(self._database, "pieces", pieces.pieces_of(rows, folded=self._folded))

    def finish(self) -> None:
        """Every batch is in the table already."""

    def close(self) -> None:
        self._database.execute("DROP TABLE pieces")


def _make(database: Any, job: TableJob, stamps: tuple[Stamp, ...], progress: Progress) -> Made:
    _, zone, tally = read_into(
        lambda: _PieceTable(database, folded=job.rules.mapping.vehicle_fold),
        stamps,
        job.rules,
        job.now_ms,
        part(progress, 0.0, _READ),
    )
    grouping = Grouping(
        rules=job.rules, zone=zone, resolution=job.resolution, window=job.window, choice=job.choice
    )
    if any(group.is_open for group in job.window.groups):
        window = table_rows.with_labels(job.window, _labels(database, grouping))
        grouping, job = dataclasses.replace(grouping, window=window), dataclasses.replace(job, window=window)
    _group(database, grouping, part(progress, _READ, _GROUPED))
    require_unchanged(stamps)
    notes = _fetched(database, "SELECT note FROM rows WHERE vehicle IS NULL")
    note = total(note_of(text) for (text,) in notes)
    vehicles = vehicles_of(
        _fetched(
            database,
            "SELECT vehicle, bool_or(cell IS NOT NULL), list(note) FILTER (note IS NOT NULL) FROM rows "
            "WHERE vehicle IS NOT NULL GROUP BY vehicle",
        )
    )
    report = report_of(
        note + _note(tally),
        job,
        zone,
        vehicles=vehicles.rows,
        examples=tally.unreadable,
        files=[Path(stamp.path).name for stamp in stamps],
        files_damaged=tally.files_damaged,
    )
    progress(_GROUPED, "Writing contributions")
    made = finish_table(_rows(database), job, report, vehicles)
    progress(1.0, "Contributions written")
    return made


def _note(tally: Tally) -> Note:
    return Note(
        rows=tally.rows,
        dropped=tally.dropped,
        clamped=tally.clamped,
        arrays_unread=tally.arrays_unread,
        missing_words=tally.missing_words,
        files_empty=tally.files_empty,
    )


def _sorted_pieces(database: Any) -> Iterator[pa.RecordBatch]:
    return _read(database, "SELECT * FROM pieces ORDER BY day, vehicle", pieces.PIECE_SCHEMA)


def _labels(database: Any, grouping: Grouping) -> list[tuple[str, str, int]]:
    """Groups, their labels, and how many vehicles have each."""
    _create(database, "labels", table_rows.LABEL_SCHEMA)
    for batch in table_rows.label_rows(_sorted_pieces(database), grouping):
        _insert(database, "labels", batch)
    return _fetched(database, 'SELECT "group", label, count(DISTINCT vehicle) FROM labels GROUP BY ALL')


def _group(database: Any, grouping: Grouping, progress: Progress) -> None:
    """Make rows of all pieces."""
    _create(database, "rows", table_rows.ROW_SCHEMA)
    (count,) = database.execute("SELECT count(*) FROM pieces").fetchone()
    done = 0

    def sorted_pieces() -> Iterator[pa.RecordBatch]:
        nonlocal done
        for batch in _sorted_pieces(database):
            done += len(batch)
            progress(done / max(count, 1), "Sorting contributions")
            yield batch

    progress(0.0, "Sorting contributions")
    for batch in table_rows_of(sorted_pieces(), grouping):
        _insert(database, "rows", batch)
    database.execute("DROP TABLE pieces")


def _rows(database: Any) -> Iterator[pa.RecordBatch]:
    order = ", ".join(table_rows.ORDER)
    return _read(
        database, f"SELECT * FROM rows WHERE cell IS NOT NULL ORDER BY {order}", table_rows.ROW_SCHEMA
    )


_TYPES = {
    pa.int16(): "SMALLINT",
    pa.int32(): "INTEGER",
    pa.int64(): "BIGINT",
    pa.string(): "VARCHAR",
    pa.binary(): "BLOB",
}


def _create(database: Any, name: str, schema: pa.Schema) -> None:
    columns = ", ".join(f'"{field.name}" {_TYPES[field.type]}' for field in schema)
    database.execute(f"CREATE TABLE {name} ({columns})")


def _insert(database: Any, name: str, batch: pa.RecordBatch) -> None:
    # a separate cursor: the rows that are made come from a result that is still being read
    with contextlib.closing(database.cursor()) as cursor:
        cursor.register("batch", pa.Table.from_batches([batch]))
        cursor.execute(f"INSERT INTO {name} SELECT * FROM batch")


def _read(database: Any, sql: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    with contextlib.closing(database.cursor()) as cursor:
        for batch in cursor.sql(sql).to_arrow_reader(_ROWS):
            yield pa.record_batch(
                [column.cast(field.type) for column, field in zip(batch.columns, schema, strict=True)],
                schema=schema,
            )


def _fetched(database: Any, sql: str) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = database.execute(sql).fetchall()
    return found
