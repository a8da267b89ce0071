"""Spark as an engine: its settings, folders, Python and waits; workers clean and count by our functions.

Confidential: what Spark shuffles and spills lies on the workers' disks, encrypted, and its log is off.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shutil
import subprocess
import sys
import time as clock
import warnings
import zipfile
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

import core
from core.clean.clean_rows import clean_rows
from core.clean.mapping import require_open_range
from core.counted import count_of
from core.engines import pieces, table_rows
from core.engines.base import Made, TableJob
from core.engines.finish import Vehicles, finish_table, report_of, vehicles_of
from core.engines.notes import Note, note_of, total
from core.engines.set_aside import set_aside
from core.engines.software import require_same_software
from core.engines.spark_errors import spark_errors
from core.engines.spark_executors import Executors
from core.engines.spark_files import FOLDER, Reading, head_rows, list_files, reading_of, require_same
from core.engines.spark_library import require_java, spark_library
from core.engines.spark_parquet import spark_name, spark_schema
from core.engines.spark_workers import (
    Cleaning,
    clean_lines,
    clean_parquet,
    clean_whole,
    group_pieces,
    label_pieces,
    pack_rows,
    unpacked,
)
from core.engines.table_rows import Grouping
from core.errors import InputError
from core.hats.window import Window
from core.progress import Progress, rising
from core.records.zones import require_zone, suggest_zone
from core.store.record_cache import RecordCache

Result = TypeVar("Result")
_PYTHON = "PYSPARK_PYTHON"
"""Where Spark looks for the workers' Python."""
_POLL_SECONDS = 0.2
_REMOVED_SECONDS = 10.0
"""How long Spark's Java is waited for, and its folder tried to be removed."""
_READ, _WRITTEN = 0.8, 1.0
_SHUFFLED_BYTES = 64 << 20
"""Bytes of input for each part of a shuffle of Spark."""
_TYPES = {"int16": "short", "int32": "int", "int64": "long", "string": "string", "binary": "binary"}
_SETTINGS = {
    "spark.app.name": "hexveil",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.eventLog.enabled": "false",
    "spark.io.encryption.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.caseSensitive": "true",
    "spark.sql.files.ignoreMissingFiles": "false",
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(1 << 16),
    "spark.sql.execution.arrow.maxBytesPerBatch": str(64 << 20),
}
_QUIET = """rootLogger.level = off
rootLogger.appenderRef.stdout.ref = console
appender.console.type = Console
appender.console.name = console
"""
"""Spark takes a configuration without any appender for none."""


class SparkEngine:
    """Runs on the cluster of a master, or in this machine for `local[N]`."""

    def __init__(
        self, master: str, settings: dict[str, str] | None = None, cache: RecordCache | None = None
    ) -> None:
        """settings: of Spark, in place of ours."""
        self._master = master
        self._settings = settings or {}
        self._cache = cache

    def contributions(self, job: TableJob, progress: Progress) -> Made:
        """As `Engine` says."""
        require_open_range(job.rules)
        if job.rules.skip_damaged:
            raise InputError(
                "Spark leaves out no files that cannot be read.",
                where="data.skip_damaged",
                mend="take them away, or use another engine",
            )
        if job.rules.zone is not None:
            require_zone(job.rules.zone)
        translated = partial(spark_errors, self._master)
        # within the session too: what Spark says is read from its Java, which ends with it
        with translated(), self._session() as session, translated():
            return _Run(session, self._master, job, rising(progress)).made()

    @contextlib.contextmanager
    def _session(self) -> Iterator[Any]:
        """A session of our own; what it leaves on this machine's disk goes with it."""
        local = self._master.startswith("local")
        spark_library("pyspark")
        if local:
            require_java()
        with set_aside(self._cache) as folder, warnings.catch_warnings(), ThreadPoolExecutor(1) as starter:
            warnings.simplefilter("ignore")  # Spark's, of the packages it finds
            if "," in str(folder):
                raise InputError(
                    "Spark cannot work in a folder with a comma in its name.",
                    where=str(folder.parent),
                    mend="name another home with --home",
                )
            try:
                session = starter.submit(self._start, folder, local).result()
                try:
                    yield session
                finally:
                    session.stop()
                    _end_java()
            finally:
                _remove(folder)

    def _start(self, folder: Path, local: bool) -> Any:
        if local:
            os.environ.setdefault(_PYTHON, sys.executable)
        log = folder / "log4j2.properties"
        log.write_text(_QUIET, encoding="utf-8")
        java = f'-Dlog4j2.configurationFile={log.as_uri()} -Djava.io.tmpdir="{folder.as_posix()}"'
        settings = _SETTINGS | {"spark.driver.extraJavaOptions": java, FOLDER: str(folder)}
        if local:
            settings |= {
                "spark.driver.host": "localhost",
                "spark.driver.bindAddress": "127.0.0.1",
                "spark.local.dir": str(folder),
                # what a worker unpacks goes with the folder, whatever becomes of the worker
                "spark.executorEnv.TMPDIR": str(folder),
                "spark.sql.warehouse.dir": str(folder / "warehouse"),
                # the workers of this machine run these very files
                "spark.executorEnv.PYTHONPATH": str(Path(core.__file__).resolve().parent.parent),
            }
        builder = spark_library("pyspark.sql").SparkSession.builder.master(self._master)
        for key, value in (settings | self._settings).items():
            builder = builder.config(key, value)
        session = builder.getOrCreate()
        if not local:
            session.sparkContext.addPyFile(str(_packed(folder)))
        return session


def _end_java() -> None:
    """End the Java that a session leaves running: it would put files back into a folder that is removed."""
    context = spark_library("pyspark").SparkContext
    gateway, context._gateway, context._jvm = context._gateway, None, None
    if gateway is not None:
        gateway.shutdown()
        if process := getattr(gateway, "proc", None):
            process.stdin.close()  # it ends with its standard input
            try:
                process.wait(_REMOVED_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _remove(folder: Path) -> None:
    """Remove the folder, in which a Spark that has been stopped may still be tidying up."""
    given_up = clock.monotonic() + _REMOVED_SECONDS
    while folder.exists():
        shutil.rmtree(folder, ignore_errors=True)
        if clock.monotonic() > given_up:
            return
        clock.sleep(_POLL_SECONDS)


def _packed(folder: Path) -> Path:
    """Our own sources for the workers: they then run the very code of this machine."""
    root = Path(core.__file__).resolve().parent
    path = folder / "hexveil_core.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for source in sorted(root.rglob("*.py")):
            archive.write(source, source.relative_to(root.parent).as_posix())
    return path


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grouped:
    """What the workers have made of all records, stored on their disks, and what they say about it."""

    rows: Any
    note: Note
    zone: str
    window: Window
    """With the labels of its groups."""


class _Run:
    """One job on one session."""

    def __init__(self, session: Any, master: str, job: TableJob, progress: Progress) -> None:
        self._session = session
        self._master = master
        self._job = job
        self._progress = progress
        self._files = list_files(session, job.data)
        self._executors = Executors(master)
        parts = max(
            2 * session.sparkContext.defaultParallelism,
            sum(file.size for file in self._files) // _SHUFFLED_BYTES,
        )
        session.conf.set("spark.sql.shuffle.partitions", str(parts))

    def made(self) -> Made:
        """Write the table."""
        job, rules = self._job, self._job.rules
        self._progress(0.0, "Looking at the files")
        plan = reading_of(self._files, rules, self._session)
        found = self._grouped(plan)
        require_same(self._session, job.data, self._files)
        job = dataclasses.replace(job, window=found.window)
        vehicles = self._vehicles(found.rows)
        report = report_of(
            found.note + plan.without_records(found.note),
            job,
            found.zone,
            vehicles=vehicles.rows,
            examples=plan.examples(found.note),
            files=[file.name for file in self._files],
        )
        with contextlib.closing(self._sorted(found.rows)) as rows:
            made = finish_table(rows, job, report, vehicles)
        self._progress(_WRITTEN, "Contributions written")
        return made

    def _grouped(self, plan: Reading) -> _Grouped:
        """All rows. Where the zone is not named, all rows must have suggested the one they were made by."""
        rules = self._job.rules
        zone = rules.zone or self._guess(plan)
        found = self._group(plan, zone)
        if rules.zone is None and (suggested := suggest_zone(found.note.offsets)) != zone:
            found.rows.unpersist()
            found = self._group(plan, suggested)
        return found

    def _guess(self, plan: Reading) -> str:
        """The zone that the first rows suggest, UTC where they suggest none."""
        table = head_rows(plan, self._job.rules, self._session)
        if table is not None:
            with contextlib.suppress(InputError):
                return suggest_zone(clean_rows(table, self._job.rules, "UTC", self._job.now_ms).offsets)
        return "UTC"

    def _group(self, plan: Reading, zone: str) -> _Grouped:
        job = self._job
        cleaning = Cleaning(rules=job.rules, zone=zone, now_ms=job.now_ms)
        grouping = Grouping(
            rules=job.rules, zone=zone, resolution=job.resolution, window=job.window, choice=job.choice
        )
        keys = ("day", "vehicle")
        disk = spark_library("pyspark").StorageLevel.DISK_ONLY
        ordered = self._pieces(plan, cleaning).repartition(*keys).sortWithinPartitions(*keys)
        opened = any(group.is_open for group in job.window.groups)
        if opened:
            ordered = ordered.persist(disk)
            self._note(ordered)
            window = table_rows.with_labels(job.window, self._labels(ordered, grouping))
            grouping = dataclasses.replace(grouping, window=window)
        rows = ordered.mapInArrow(group_pieces(grouping), _ddl(table_rows.ROW_SCHEMA)).persist(disk)
        note = self._note(rows)
        if opened:
            ordered.unpersist()
        require_same_software(note.software, zone)
        return _Grouped(rows=rows, note=note, zone=zone, window=grouping.window)

    def _note(self, rows: Any) -> Note:
        """The note of all rows, or of all pieces. Raises InputError for what a worker has met."""
        translated = rows.where("vehicle IS NULL").select("note")
        notes = self._wait(translated.collect, 0.0, _READ, "Reading and grouping records")
        return _without_failure(total(note_of(row[0]) for row in notes))

    def _labels(self, ordered: Any, grouping: Grouping) -> list[tuple[str, str, int]]:
        """Groups, their labels, and how many vehicles have each."""
        found = (
            ordered.mapInArrow(label_pieces(grouping), _ddl(table_rows.LABEL_SCHEMA))
            .distinct()
            .groupBy("group", "label")
            .count()
        )
        rows = self._wait(found.collect, _READ, _READ, "Counting vehicles")
        for group, label, _ in rows:
            if group is None:
                _without_failure(note_of(label))
        return [tuple(row) for row in rows]

    def _pieces(self, plan: Reading, cleaning: Cleaning) -> Any:
        """The cleaned records of all files."""
        functions = spark_library("pyspark.sql.functions")
        read, schema = self._session.read, _ddl(pieces.PIECE_SCHEMA)
        found = []
        if plan.lines:
            lines = (
                read.format("text")
                .option("lineSep", "\n")
                .load([file.escaped for file in plan.files if file.key in plan.lines])
                .select(
                    functions.col("value").cast("binary").alias("line"),
                    functions.xxhash64("_metadata.file_path").alias("file"),
                    functions.col("_metadata.file_block_start").alias("start"),
                )
            )
            found.append(lines.mapInArrow(clean_lines(cleaning, plan.lines), schema))
        if plan.whole:
            whole = read.format("binaryFile").load([file.escaped for file in plan.whole])
            found.append(whole.select("path", "content").mapInArrow(clean_whole(cleaning), schema))
        for carriers, files in plan.parquet.items():
            columns = [
                functions.col(".".join(map(spark_name, carrier.path))).alias(f"c{place}")
                for place, carrier in enumerate(carriers)
            ]
            table = read.schema(spark_schema(carriers)).parquet(*(file.escaped for file in files))
            where = files[0].shown + (
                f" and {count_of(len(files) - 1, 'other')} of its columns" if len(files) > 1 else ""
            )
            found.append(table.select(columns).mapInArrow(clean_parquet(cleaning, carriers, where), schema))
        return reduce(lambda one, two: one.union(two), found)

    def _vehicles(self, rows: Any) -> Vehicles:
        functions = spark_library("pyspark.sql.functions")
        here = functions.max(functions.col("cell").isNotNull())
        texts = functions.collect_set("note")  # without nulls
        found = rows.where("vehicle IS NOT NULL").groupBy("vehicle").agg(here, texts)
        return vehicles_of(self._wait(found.collect, _READ, _READ, "Counting vehicles"))

    def _sorted(self, rows: Any) -> Generator[pa.RecordBatch, None, None]:
        """The rows in the table's order, part by part: the driver never holds them all."""
        ordered = (
            rows.where("cell IS NOT NULL").orderBy(*table_rows.ORDER).mapInArrow(pack_rows, "rows binary")
        )
        text = "Writing contributions"
        parts = self._wait(ordered.toLocalIterator, _READ, _WRITTEN, text)
        end: Any = object()

        def cells() -> Iterator[bytes]:
            while (row := self._wait(lambda: next(parts, end), _READ, _WRITTEN, text)) is not end:
                yield bytes(row[0])

        yield from unpacked(cells())

    def _wait(self, act: Callable[[], Result], begin: float, end: float, text: str) -> Result:
        """What Spark makes of something, with progress; where that raises, Spark stops."""
        context = self._session.sparkContext
        tracker = context.statusTracker()
        with ThreadPoolExecutor(1) as pool:
            future: Future[Result] = pool.submit(act)
            try:
                while True:
                    with contextlib.suppress(NotYet):
                        return future.result(_POLL_SECONDS)
                    self._executors.require_some(context)
                    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
                    tasks = sum(stage.numTasks for stage in stages if stage)
                    done = sum(stage.numCompletedTasks for stage in stages if stage)
                    self._progress(begin + (end - begin) * done / max(tasks, 1), text)
            except BaseException:
                # the thread ends only when its work does; where Spark is gone, it has
                with contextlib.suppress(Exception):
                    (context.stop if self._executors.are_lost else context.cancelAllJobs)()
                raise


def _without_failure(note: Note) -> Note:
    """The note. Raises InputError for what a worker has met."""
    if note.failure is not None:
        what, where, mend = note.failure
        raise InputError(what, where=where, mend=mend)
    return note


def _ddl(schema: Any) -> str:
    return ", ".join(f"{spark_name(field.name)} {_TYPES[str(field.type)]}" for field in schema)
