"""Spark's failures put plainly: full disks, lost machines, memory, packages, Java, moved files."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from core.engines.spark_workers import MARK
from core.errors import InputError
from core.progress import Cancelled

_STOPPED = re.compile(re.escape(MARK) + r" (?P<kind>\w+) in (?P<place>[\w.]+(?:\.py)?:?\d*)")
_KINDS = (
    (
        ("FileNotFoundException", "FILE_NOT_EXIST", "PATH_NOT_FOUND", "No such file"),
        "A file is no longer there, or never was.",
        "check the paths; load again once nothing moves the files",
    ),
    (
        ("Python worker exited unexpectedly", "was killed", "Python worker keeps", "EOFException"),
        "A worker was killed while it worked, most likely for want of memory.",
        "give the workers more memory (spark.executor.memoryOverhead), or the executors fewer cores",
    ),
    (
        (
            "ExecutorLost",
            "executor lost",
            "Executor heartbeat",
            "Lost executor",
            "FetchFailed",
            "SparkContext was shut",
        ),
        "A machine of the cluster was lost, more often than Spark retries.",
        "look at the cluster, then run it again",
    ),
    (
        ("No space left", "DISK_FULL"),
        "The disk of a worker is full.",
        "make room on Spark's working disk (spark.local.dir)",
    ),
    (
        ("OutOfMemoryError", "Java heap space", "maxResultSize"),
        "Spark has too little memory.",
        "give driver and executors more (spark.driver.memory, spark.executor.memory)",
    ),
    (
        (
            "CANNOT_READ_FILE_FOOTER",
            "PARQUET_COLUMN_DATA_TYPE_MISMATCH",
            "FAILED_READ_FILE",
            "ParquetDecoding",
        ),
        "A file cannot be read, or has changed since it was checked.",
        "copy or export the files again",
    ),
    (
        ("ModuleNotFoundError", "PYTHON_VERSION", "No module named"),
        "A worker lacks a package, or has another Python.",
        "give the workers Python 3.11 with the packages of requirements.lock (docs/large-data.md)",
    ),
    (
        ("JAVA_GATEWAY_EXITED", "JAVA_HOME", "UnsupportedClassVersion"),
        "Java is missing here, or too old.",
        "install Java 17, as the cluster has it, and name it with JAVA_HOME",
    ),
    (
        ("Could not parse Master URL", "All masters are unresponsive", "Invalid master", "Unable to create"),
        "No cluster answers there.",
        "check --master: spark://host:7077, yarn, k8s://..., or local[2]",
    ),
)


@contextlib.contextmanager
def spark_errors(master: str) -> Iterator[None]:
    """Turn whatever Spark raises into an InputError that quotes nothing of it."""
    try:
        yield
    except (InputError, Cancelled, GeneratorExit, KeyboardInterrupt):
        raise
    except Exception as error:
        if not type(error).__module__.startswith(("pyspark", "py4j")):
            raise
        raise translated(f"{type(error).__name__} {error}", master) from None


def translated(said: str, master: str) -> InputError:
    """The error for what Spark said."""
    stopped = _STOPPED.search(said)
    if stopped:
        return InputError(
            f"A worker stopped by a fault ({stopped['kind']}, {stopped['place']}).",
            where=master,
            mend="leave --engine out for these files, and report this message to the makers of Hexveil",
        )
    for signs, what, mend in _KINDS:
        if any(sign in said for sign in signs):
            return InputError(what, where=master, mend=mend)
    return InputError(
        f"Spark gave up ({said.partition(' ')[0]}).", where=master, mend="look at the cluster's own log"
    )
