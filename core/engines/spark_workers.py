"""What runs in Spark's workers: batches of raw rows to pieces, and sorted pieces to rows of the table.

A worker never lets an exception out that may hold something of a record: Spark would log it, and show it.
What a person can mend comes back as a note; anything else stops the task with its kind and place alone.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from core.clean.clean_rows import clean_rows
from core.clean.mapping import ReadingRules
from core.engines import pieces, table_rows
from core.engines.notes import Note, Stretch, failure_of, note_of_rows, total
from core.engines.software import software
from core.engines.spark_parquet import Carriers, restored
from core.engines.table_rows import Grouping
from core.errors import HexveilError, InputError
from core.read.file_batches import file_batches
from core.read.readers.base import MOST_LINES
from core.read.readers.csv_files import CsvLines, rows_of_lines
from core.read.readers.json_files import JsonLines, records_of_lines
from core.store.read_files import PIECE_ROWS
from core.system.files import write_synced

Batches = Iterator[pa.RecordBatch]
MARK = "hexveil worker:"
"""Begins what a worker says when it stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaning:
    """How raw rows are cleaned: decided once, the same in every worker."""

    rules: ReadingRules
    zone: str
    now_ms: int

    def pieces(self, table: pa.Table, note: Note = Note()) -> Iterator[tuple[pa.RecordBatch, Note]]:  # noqa: B008
        """The pieces of some rows, and their note; `note`: what is known of them besides."""
        for start in range(0, max(table.num_rows, 1), PIECE_ROWS):
            part = table.slice(start, PIECE_ROWS)
            rows = clean_rows(part, self.rules, self.zone, self.now_ms)
            found = pieces.pieces_of(rows, folded=self.rules.mapping.vehicle_fold)
            yield found, note_of_rows(rows, part.num_rows) + (Note() if start else note)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFile:
    """A file of which workers get lines."""

    how: CsvLines | JsonLines
    before: int
    """Lines before the first row, which are none."""


def clean_lines(cleaning: Cleaning, files: Mapping[int, LineFile]) -> Callable[[Batches], Batches]:
    """Takes batches of (line, file, where its part of the file begins)."""

    def work(batches: Batches) -> Iterator[tuple[pa.RecordBatch, Note]]:
        passed: dict[tuple[int, int], int] = {}
        for batch in batches:
            lines = batch.column(0).to_pylist()
            keys = list(zip(batch.column(1).to_pylist(), batch.column(2).to_pylist(), strict=True))
            for (file, start), group in itertools.groupby(range(len(lines)), keys.__getitem__):
                places = list(group)
                done = passed.get((file, start), 0)
                passed[file, start] = done + len(places)
                skipped = max(files[file].before - done, 0) if start == 0 else 0
                stretch = lines[places[0] + min(skipped, len(places)) : places[-1] + 1]
                yield from _clean_lines(cleaning, files[file], stretch, file, start)

    return _with_notes(work, cleaning.zone)


def _clean_lines(
    cleaning: Cleaning, file: LineFile, lines: list[bytes], number: int, start: int
) -> Iterator[tuple[pa.RecordBatch, Note]]:
    if isinstance(file.how, CsvLines):
        table, others = rows_of_lines(lines, file.how)
        counted = table.num_rows + len(others)
        seen: tuple[str, ...] = ()
    else:
        table, others = records_of_lines(lines, file.how)
        counted = len(lines)
        seen = tuple(
            name
            for name in file.how.columns
            if table.column(name).null_count < max(table.num_rows, 1) and table.num_rows
        )
    stretch = Stretch(file=number, start=start, rows=counted, lines=tuple(others[:MOST_LINES]), seen=seen)
    note = Note(rows=len(others), stretches=(stretch,))
    note.dropped["unparsable"] += len(others)
    yield from cleaning.pieces(table, note)


def clean_parquet(cleaning: Cleaning, carriers: Carriers, where: str) -> Callable[[Batches], Batches]:
    """Takes batches of the carried columns."""

    def work(batches: Batches) -> Iterator[tuple[pa.RecordBatch, Note]]:
        for batch in batches:
            yield from cleaning.pieces(restored(batch, carriers, where))

    return _with_notes(work, cleaning.zone)


def clean_whole(cleaning: Cleaning) -> Callable[[Batches], Batches]:
    """Takes batches of (path of a file, its bytes), and reads each file as the local engine does."""

    def work(batches: Batches) -> Iterator[tuple[pa.RecordBatch, Note]]:
        for batch in batches:
            for place in range(len(batch)):
                where = batch.column(0)[place].as_py()
                with _on_disk(where, batch.column(1)[place].as_buffer()) as path:
                    yield from _read_whole(cleaning, path)

    return _with_notes(work, cleaning.zone)


def _read_whole(cleaning: Cleaning, path: Path) -> Iterator[tuple[pa.RecordBatch, Note]]:
    rules = cleaning.rules
    for batch in file_batches(path, rules.mapping.columns, rules.format):
        if batch.fault is not None and not batch.without_records:
            raise batch.fault
        name = f"{path.name}/{batch.member}" if batch.member else path.name
        note = Note(
            rows=batch.unreadable,
            files_empty=int(batch.without_records),
            examples=tuple((name, line) for line in batch.unreadable_lines),
        )
        note.dropped["unparsable"] += batch.unreadable
        yield from cleaning.pieces(batch.table, note)


@contextlib.contextmanager
def _on_disk(where: str, content: pa.Buffer) -> Iterator[Path]:
    """The bytes as a private file of the same name, gone afterwards; messages name where they came from."""
    folder, _, name = where.rpartition("/")
    disks = os.environ.get("SPARK_LOCAL_DIRS")  # where Spark lets its workers write, and tidies up after them
    with tempfile.TemporaryDirectory(dir=disks and disks.split(",")[0]) as private:
        path = Path(private, *(part for part in folder.split("/") if "=" in part), name)
        path.parent.mkdir(parents=True, exist_ok=True)  # whose names may be columns
        write_synced(path, content, mode=0o600)
        try:
            yield path
        except InputError as error:
            shown = error.where.replace(private, folder)
            raise InputError(error.what, where=shown, mend=error.mend.replace(private, folder)) from None


def _with_notes(
    work: Callable[[Batches], Iterator[tuple[pa.RecordBatch, Note]]], zone: str
) -> Callable[[Batches], Batches]:
    """The batches of some work, and at its end one note of all."""

    def run(batches: Batches) -> Batches:
        note = Note(software=software(zone))
        notes: list[Note] = []
        with _discreet():
            try:
                for batch, said in work(batches):
                    notes.append(said)
                    if len(notes) > 100:
                        note, notes = total([note, *notes]), []
                    yield batch
            except HexveilError as error:
                notes.append(failure_of(error))
            note = total([note, *notes])
        yield pieces.note_piece(note.joined())

    return run


def group_pieces(grouping: Grouping) -> Callable[[Batches], Batches]:
    """Takes sorted pieces, and gives rows of the table."""

    def run(batches: Batches) -> Batches:
        with _discreet():
            try:
                yield from table_rows.table_rows_of(batches, grouping)
            except HexveilError as error:
                yield table_rows.note_row(failure_of(error))
            yield table_rows.note_row(Note(software=software(grouping.zone)))

    return run


def label_pieces(grouping: Grouping) -> Callable[[Batches], Batches]:
    """Takes sorted pieces, and gives `table_rows.label_rows`; a row without a group is a note."""

    def run(batches: Batches) -> Batches:
        with _discreet():
            try:
                yield from table_rows.label_rows(batches, grouping)
            except HexveilError as error:
                note = failure_of(error).to_text()
                yield pa.record_batch([[None], [note], [None]], schema=table_rows.LABEL_SCHEMA)

    return run


def pack_rows(batches: Batches) -> Batches:
    """Batches of rows, each as one cell: rows one by one would be slow to hand over."""
    with _discreet():
        for batch in batches:
            packed = io.BytesIO()
            with pa.ipc.new_stream(packed, batch.schema) as stream:
                stream.write_batch(batch)
            yield pa.record_batch([pa.array([packed.getvalue()], pa.binary())], names=["rows"])


def unpacked(cells: Iterable[bytes]) -> Iterator[pa.RecordBatch]:
    """The inverse of `pack_rows`, in the types of a table's rows."""
    for cell in cells:
        with pa.ipc.open_stream(cell) as stream:
            for batch in stream:
                columns = [
                    column.cast(field.type)
                    for column, field in zip(batch.columns, table_rows.ROW_SCHEMA, strict=True)
                ]
                yield pa.record_batch(columns, schema=table_rows.ROW_SCHEMA)


@contextlib.contextmanager
def _discreet() -> Iterator[None]:
    """Lets no exception out but by its kind and place."""
    try:
        yield
    except (GeneratorExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "core" in frame.filename]
        place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "outside Hexveil"
        raise RuntimeError(f"{MARK} {type(error).__name__} in {place}.") from None
