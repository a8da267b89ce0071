"""The data engine against the straightforward pandas program in the same run (architecture 3).

    python -m tests.benchmarks.bench_engine [MILLIONS ...]

Default 1, 5 and 20 million records; 60 and 180 as well on request, from Parquet alone. Both programs run by
themselves and must come to the same figures; imports of libraries are not counted. A missed target
is told with a profile. HEXVEIL_BENCH_DATA names a folder that keeps the records from run to run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

from core.synthesize.synthetic_records import synthesize
from tests.benchmarks.measured import Step, run
from tests.benchmarks.steps import (
    LOAD,
    LONG_HOURS,
    M_UB,
    OTHER_HOURS,
    OTHER_M_UB,
    OTHER_SLOT,
    QUERIES,
    RESOLUTION,
    RESOLUTIONS,
    SHORT_SLOT,
    resolution_step,
)
from tests.benchmarks.targets import Row, Target, Timed, limits_for, table

DEFAULT_MILLIONS = (1.0, 5.0, 20.0)
JSON_MILLIONS, JSON_PART = 1.0, 0.25
CSV_UP_TO = 20
"""Millions of records; beyond that a CSV file outgrows a disk for a benchmark."""
PLAIN_GIB_PER_MILLION = 0.6
"""What the plain program needs: 10.2 GiB were measured for 20 million."""
ROOT = Path(__file__).resolve().parent.parent.parent
Steps = dict[str, Step]


def say(text: str) -> None:
    print(f"... {text}", flush=True)


@contextmanager
def data_folder() -> Iterator[Path]:
    """The folder that the analyst keeps for it, or one that is removed afterwards."""
    if retained := os.environ.get("HEXVEIL_BENCH_DATA"):
        Path(retained).mkdir(parents=True, exist_ok=True)
        yield Path(retained)
        return
    with tempfile.TemporaryDirectory(prefix="hexveil-bench-") as folder:
        yield Path(folder)


def records_file(folder: Path, millions: float, suffix: str) -> Path:
    records = round(millions * 1e6)
    path = folder / f"synthetic-{records}.{suffix}"
    if not path.exists():
        before = time.perf_counter()
        synthesize(path, records=records)
        seconds = time.perf_counter() - before
        say(f"{records:,} records synthesized in {seconds:.1f} s, {path.stat().st_size / 2**20:,.0f} MiB")
    return path


def plain_steps(path: Path, millions: float, *options: str) -> Steps:
    """The plain program's steps; none when this machine cannot hold its data."""
    needed, free = millions * PLAIN_GIB_PER_MILLION, psutil.virtual_memory().available / 2**30
    if needed > free:
        say(f"plain pandas is left out: needs {needed:.0f} GiB, {free:.0f} GiB are free")
        return {}
    say(f"plain pandas on {path.name}")
    return run("plain_pandas", path, *options)


def our_steps(path: Path, *options: str) -> Steps:
    say(f"hexveil on {path.name}")
    return run("our_engine", path, *options)


def require_agreement(plain: Steps, ours: Steps) -> None:
    """Raises AssertionError unless all steps that both did have the same figures."""
    for name in plain.keys() & ours.keys():
        assert plain[name].figures == ours[name].figures, (name, plain[name].figures, ours[name].figures)


def compared(
    title: str, steps: tuple[str, ...], plain: Steps, ours: Steps, target: Target, plain_as: str = ""
) -> Row:
    """`steps` done one after the other; the plain program may know them by another name."""
    names = (plain_as,) if plain_as else steps
    return Row(
        title=title,
        steps=steps,
        plain=Timed.of([plain[name] for name in names]) if plain else None,
        ours=Timed.of([ours[name] for name in steps]),
        target=target,
    )


def knob_rows(plain: Steps, ours: Steps, millions: float) -> list[Row]:
    limits = limits_for(millions)
    rows = []
    for resolution in RESOLUTIONS:
        first, again = resolution_step(resolution), resolution_step(resolution, again=True)
        base = QUERIES if resolution == RESOLUTION else first
        usual = resolution <= 7
        for title, step, seconds in (
            (f"resolution {resolution}, first time", base, limits.first),
            (f"resolution {resolution}, again", again, limits.again),
        ):
            target = Target(seconds=seconds if usual else None)
            rows.append(compared(title, (step,), plain, ours, target, plain_as=base))
    others = (
        (f"slots of {SHORT_SLOT} minutes", OTHER_SLOT, limits.again),
        (f"hours {LONG_HOURS[0]} to {LONG_HOURS[1]}", OTHER_HOURS, limits.knob),
        (f"at most {M_UB} records per user", OTHER_M_UB, limits.knob),
    )
    rows += [
        compared(title, (step,), plain, ours, Target(seconds=seconds)) for title, step, seconds in others
    ]
    return rows


def csv_rows(path: Path, millions: float) -> list[Row]:
    plain, ours = plain_steps(path, millions), our_steps(path)
    require_agreement(plain, ours)
    whole = Target(ratio=12, gib=1.2)
    return [
        compared("CSV to both queries, all HATs", (LOAD, QUERIES), plain, ours, whole),
        compared("of it: load", (LOAD,), plain, ours, Target()),
    ]


def parquet_rows(path: Path, millions: float) -> list[Row]:
    plain, ours = plain_steps(path, millions, "--knobs"), our_steps(path, "--knobs")
    require_agreement(plain, ours)
    limits = limits_for(millions)
    whole = Target(ratio=14, gib=1.5) if millions <= CSV_UP_TO else Target()
    load = Target(seconds=limits.load, gib=limits.load_gib)
    return [
        compared("Parquet to both queries, all HATs", (LOAD, QUERIES), plain, ours, whole),
        compared("of it: load", (LOAD,), plain, ours, load),
        *knob_rows(plain, ours, millions),
    ]


def json_rows(path: Path, part: Path) -> list[Row]:
    """Memory that is constant holds a quarter of the records as it holds all."""
    plain = plain_steps(path, JSON_MILLIONS, "--load-only")
    ours, ours_of_part = our_steps(path, "--load-only"), our_steps(part, "--load-only")
    require_agreement(plain, ours)
    target = Target(ratio=6, gib=ours_of_part[LOAD].gib + 0.1)
    return [compared("JSON array: load", (LOAD,), plain, ours, target)]


def report(title: str, path: Path, rows: Sequence[Row], *options: str) -> list[Row]:
    """Print a table, and a profile of what missed its target; returns what missed."""
    print(f"\n{title}\n\n{table(rows)}\n", flush=True)
    missed = [row for row in rows if row.missed]
    if missed:
        steps = dict.fromkeys(step for row in missed for step in row.steps)
        say("profile of what missed its target: " + ", ".join(steps))
        command = [sys.executable, "-m", "tests.benchmarks.our_engine", str(path), *options]
        subprocess.run([*command, "--profile", *steps], cwd=ROOT, check=True)
    return missed


def bench_size(folder: Path, millions: float) -> list[Row]:
    missed = []
    about = f"{millions:g} million records"
    if millions <= CSV_UP_TO:
        path = records_file(folder, millions, "csv")
        missed += report(f"{about}, CSV", path, csv_rows(path, millions))
    path = records_file(folder, millions, "parquet")
    missed += report(f"{about}, Parquet", path, parquet_rows(path, millions), "--knobs")
    return missed


def bench_json(folder: Path) -> list[Row]:
    path, part = (records_file(folder, millions, "json") for millions in (JSON_MILLIONS, JSON_PART))
    return report(f"{JSON_MILLIONS:g} million records, JSON", path, json_rows(path, part), "--load-only")


def main(arguments: Sequence[str]) -> None:
    sizes = [float(text) for text in arguments] or list(DEFAULT_MILLIONS)
    missed = []
    for millions in sizes:
        with data_folder() as folder:
            missed += bench_size(folder, millions)
    with data_folder() as folder:
        missed += bench_json(folder)
    print(f"targets missed: {len(missed)}" if missed else "all targets met")


if __name__ == "__main__":
    main(sys.argv[1:])
