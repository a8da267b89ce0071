"""Files as Spark's driver looks at them: hidden names, archives, over 2 GiB and not to be split.

Text of plain UTF-8 is cut at line ends, Parquet by Spark; any other file goes whole to one worker.
"""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.clean.ingest_report import Examples
from core.clean.mapping import ReadingRules
from core.engines.notes import Note
from core.engines.spark_library import spark_library
from core.engines.spark_parquet import Carriers, carriers_of
from core.engines.spark_workers import LineFile
from core.errors import InputError
from core.read.csv_head import read_csv_head
from core.read.encodings import opened_text
from core.read.file_listing import expand
from core.read.file_stamps import changed_file
from core.read.input_files import NoRecord, empty_file, no_file_named, opened
from core.read.path_columns import path_columns
from core.read.reader_registry import reader_for
from core.read.readers.base import MOST_LINES
from core.read.readers.csv_files import csv_lines
from core.read.readers.json_files import JsonLines, json_lines, require_whole_end
from core.read.readers.parquet_files import not_parquet
from core.system.files import write_synced
from core.system.regular_files import open_regular

MOST_OF_FILE = (1 << 31) - 1
"""Bytes of a file that one worker of Spark can be given whole."""
_HEAD = 16 << 20
"""Bytes of a file elsewhere that Spark's driver looks at."""
_TAIL = 1 << 20
FOLDER = "spark.hexveil.folder"
"""The setting that tells where the driver may set something aside."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_LOCAL = "file:"
_GLOB = re.compile(r"([\[\]{}*?\\,])")
_LONE_RETURN = re.compile(rb"\r(?!\n)")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class SparkFile:
    """A file as Spark names it."""

    path: str
    size: int
    changed: int
    """Microseconds."""
    key: int
    """What stands for the file beside each of its lines."""

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def shown(self) -> str:
        """The path as messages name it."""
        return self.path.removeprefix(_LOCAL) if self.path.startswith(_LOCAL) else self.path

    @property
    def escaped(self) -> str:
        """The path for Spark to load, which takes some characters for patterns."""
        return _GLOB.sub(r"\\\1", self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How the files are read."""

    files: tuple[SparkFile, ...]
    lines: dict[int, LineFile]
    """By key."""
    parquet: dict[Carriers, tuple[SparkFile, ...]]
    whole: tuple[SparkFile, ...]
    empty: int
    """Files of which the head tells that they hold no record."""

    def examples(self, note: Note) -> Examples:
        """Where the first rows stand that were no records."""
        names = {file.key: file.name for file in self.files}
        found = set(note.examples)
        before: dict[int, int] = {}
        for one in sorted(note.joined().stretches):
            done = before.get(one.file, self._first_line(one.file))
            found |= {(names[one.file], done + line) for line in one.lines}
            before[one.file] = done + one.rows
        return tuple(sorted(found)[:MOST_LINES])

    def _first_line(self, key: int) -> int:
        """What the lines of a file are counted from: in JSON the first record's, in CSV the file's first."""
        found = self.lines[key]
        return 0 if isinstance(found.how, JsonLines) else found.before

    def without_records(self, note: Note) -> Note:
        """Files that hold no record, with those of JSON in which no record has one of the fields."""
        seen: dict[int, set[str]] = {key: set() for key in self.lines}
        for one in note.stretches:
            seen[one.file] |= set(one.seen)
        lines = {key: file.how for key, file in self.lines.items() if isinstance(file.how, JsonLines)}
        lacking = sum(not set(how.columns) <= seen[key] for key, how in lines.items())
        return Note(files_empty=self.empty + lacking)


def list_files(session: Any, data: Sequence[str]) -> tuple[SparkFile, ...]:
    """All files of some data, those on this machine by the rules of `expand`, sorted by path.

    Raises InputError for a pattern that matches nothing, and what Spark raises.
    """
    functions = spark_library("pyspark.sql.functions")
    elsewhere = [name for name in data if _SCHEME.match(name)]
    here = [name for name in data if not _SCHEME.match(name)]
    paths = [path.absolute() for path in expand(here, Path.cwd())] if here else []
    for path in paths:
        if not path.is_file():
            raise InputError(
                "There is no such file, or it is inside an archive.",
                where=str(path),
                mend="check the path; name the archive as a whole",
            )
    loaded = [*elsewhere, *(_LOCAL + _GLOB.sub(r"\\\1", str(path)) for path in paths)]
    if not loaded:
        raise no_file_named()
    rows = (
        session.read.format("binaryFile")
        .option("recursiveFileLookup", "true")
        .load(loaded)
        .select(
            "path",
            "length",
            functions.unix_micros("modificationTime").alias("changed"),
            functions.xxhash64("_metadata.file_path").alias("key"),
        )
        .collect()
    )
    files = tuple(sorted({SparkFile(path=row[0], size=row[1], changed=row[2], key=row[3]) for row in rows}))
    found = {file.shown for file in files}
    for path in paths:
        if str(path) not in found:
            raise InputError(
                "Spark passes over this file: its name begins with _ or a dot.",
                where=str(path),
                mend="give it another name",
            )
    if not files:
        raise no_file_named()
    return files


def require_same(session: Any, data: Sequence[str], files: tuple[SparkFile, ...]) -> None:
    """Raise InputError where a file has been written to, or is gone, since it was listed."""
    now = {file.path: file for file in list_files(session, data)}
    for file in files:
        if now.get(file.path) != file:
            raise changed_file(file.shown)


def reading_of(files: tuple[SparkFile, ...], rules: ReadingRules, session: Any) -> Reading:
    """How to read each file. Raises InputError for one that cannot be used, as far as its head tells.

    And NoRecord where all are without a record.
    """
    nothing: list[NoRecord] = []
    lines: dict[int, LineFile] = {}
    parquet: dict[Carriers, tuple[SparkFile, ...]] = {}
    whole: list[SparkFile] = []
    for file in files:
        # the worker that reads it looks which of these columns it has itself
        by_path = bool(path_columns(Path(file.shown)).keys() & set(rules.mapping.columns))
        try:
            with head_of(file, session) as path:
                key = reader_for(path).key
                carriers = _carriers(file, rules, session, path) if key == "parquet" and not by_path else None
                cut = (
                    _cut(file, key, rules, session, path) if key in ("csv", "json") and not by_path else None
                )
        except NoRecord as error:
            nothing.append(error)
            continue
        if carriers is not None:
            parquet[carriers] = (*parquet.get(carriers, ()), file)
        elif cut is not None:
            lines[file.key] = cut
        elif file.size > MOST_OF_FILE:
            raise InputError(
                "The file has more than 2 GiB, and is of a kind that Spark cannot split.",
                where=file.shown,
                mend="write it as Parquet, as CSV in UTF-8 or as JSON with one record per line, not packed",
            )
        else:
            whole.append(file)
    if len(nothing) == len(files):
        raise nothing[0]
    return Reading(files=files, lines=lines, parquet=parquet, whole=tuple(whole), empty=len(nothing))


@contextlib.contextmanager
def head_of(file: SparkFile, session: Any) -> Iterator[Path]:
    """The file itself where it lies on this machine, else a private copy of its first bytes."""
    if file.path.startswith(_LOCAL):
        yield Path(file.shown)
        return
    folder = file.path.rpartition("/")[0]
    with tempfile.TemporaryDirectory(dir=session.conf.get(FOLDER)) as private:
        path = Path(private) / file.name
        write_synced(path, _bytes_of(file, session, 0, min(file.size, _HEAD)), mode=0o600)
        try:
            yield path
        except InputError as error:
            shown = error.where.replace(private, folder)
            raise InputError(error.what, where=shown, mend=error.mend.replace(private, folder)) from None


def head_rows(plan: Reading, rules: ReadingRules, session: Any) -> pa.Table | None:
    """The first rows of a file that can be read by its head, to guess the zone by."""
    for file in plan.files:
        if file.key in plan.lines or file.path.startswith(_LOCAL):
            with head_of(file, session) as path:
                for batch in reader_for(path).batches(path, rules.mapping.columns, rules.format):
                    return batch.table
    return None


def _cut(file: SparkFile, key: str, rules: ReadingRules, session: Any, path: Path) -> LineFile | None:
    """How its lines are read; None where it cannot be cut at them."""
    with opened(path) as stream:
        packed = stream.zipped
    if packed:
        return None
    with opened_text(path, rules.format) as text:
        marked, encoding, head = text.marked, text.encoding, text.read(1 << 16)
    columns = rules.mapping.columns
    if encoding != "utf-8" or _LONE_RETURN.search(head[:-1]):
        return None
    if key == "csv":
        found = read_csv_head(path, rules.format)
        if found.complete and not found.rows:
            raise empty_file(path)
        return LineFile(how=csv_lines(found, columns, path, file.shown), before=found.lines)
    if marked or not head:
        return None
    shown = json_lines(path, columns, rules.format, file.shown)
    if shown is None:
        return None
    end = _bytes_of(file, session, max(file.size - _TAIL, 0), min(file.size, _TAIL))
    if b"\n" not in end:
        return None
    last = end.rpartition(b"\n")[2]
    if last.strip():
        require_whole_end(last, path)
    return LineFile(how=shown[0], before=shown[1])


def _carriers(file: SparkFile, rules: ReadingRules, session: Any, path: Path) -> Carriers | None:
    with opened(path) as stream:
        if stream.zipped:
            return None
    try:
        local = file.path.startswith(_LOCAL)
        source: Any = open_regular(path) if local else pa.BufferReader(_footer(file, session))
        with source, pq.ParquetFile(source) as opened_file:
            if not opened_file.metadata.num_rows:
                raise empty_file(path)
            return carriers_of(opened_file, rules.mapping.columns, file.shown)
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        raise not_parquet(file.shown) from None


def _footer(file: SparkFile, session: Any) -> bytes:
    """The end of a Parquet file as a separate file: all that describes its columns."""
    end = _bytes_of(file, session, max(file.size - 8, 0), min(file.size, 8))
    length = min(int.from_bytes(end[:4], "little") + 8, file.size)
    return end[4:] + _bytes_of(file, session, file.size - length, length)


def _bytes_of(file: SparkFile, session: Any, start: int, length: int) -> bytes:
    """Some bytes of a file, through the file system that Spark reads it by where it lies elsewhere."""
    if file.path.startswith(_LOCAL):
        with open_regular(Path(file.shown)) as here:
            here.seek(start)
            return here.read(length)
    context = session.sparkContext
    path = context._jvm.org.apache.hadoop.fs.Path(file.path)
    stream = path.getFileSystem(context._jsc.hadoopConfiguration()).open(path)
    try:
        stream.seek(start)
        read = io.BytesIO()
        while read.tell() < length and (some := stream.readNBytes(min(length - read.tell(), 1 << 20))):
            read.write(bytes(some))
        return read.getvalue()
    finally:
        stream.close()
