"""An engine in a process of its own that stops half way, to be killed there: what it has set aside by then.

python -m tests.killed_engines ENGINE TEXT CACHE OUT FILE...   # at the progress TEXT says `there`, and waits
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.engines.base import Engine
from core.engines.duckdb import DuckDbEngine
from core.engines.spark import SparkEngine
from core.store.record_cache import RecordCache
from tests.engine_data import job

_ROOT = Path(__file__).resolve().parents[1]


@contextlib.contextmanager
def ended_while(
    text: str, engine: str, ended_by: signal.Signals, files: Sequence[Path], folder: Path
) -> Iterator[Path]:
    """The home of an engine that stands where its progress told `text`; then it is killed.

    Home and temporary folder, `tmp`, lie in `folder`.
    """
    home, temporary = folder / "home", folder / "tmp"
    temporary.mkdir()
    command = [sys.executable, "-m", "tests.killed_engines", engine, text]
    with subprocess.Popen(
        [*command, str(home / "cache"), str(folder / "table.parquet"), *map(str, files)],
        cwd=_ROOT,
        env=os.environ | {"TMPDIR": str(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "there\n"
            yield home
        finally:
            os.killpg(process.pid, ended_by)


def files_holding(word: str, folder: Path) -> list[Path]:
    """Files below a folder in which a word stands in the clear."""
    return [path for path in folder.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]


def _engine(name: str, cache: RecordCache) -> Engine:
    return SparkEngine("local[2]", cache=cache) if name == "spark" else DuckDbEngine(cache)


def main(arguments: Sequence[str]) -> None:
    """In the process of its own."""
    name, awaited, cache, out, *files = arguments

    def stop(done: float, text: str = "") -> None:  # noqa: ARG001 - as progress is told
        if text == awaited:
            print("there", flush=True)
            sys.stdin.read()

    _engine(name, RecordCache(Path(cache))).contributions(job(files, Path(out)), stop)


if __name__ == "__main__":
    main(sys.argv[1:])
