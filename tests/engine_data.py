"""Dirty records in several files, in every format that engines read: what all engines must agree on."""

from __future__ import annotations

import datetime as dt
import itertools
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from core.clean.mapping import ColumnMapping, DerivedSpeed, ReadingRules
from core.engines.base import Engine, Made, TableJob
from core.engines.local import LocalEngine
from core.fixed_point import THOUSAND
from core.hats.window import Window, build_window

ZONE = "Asia/Kolkata"
MAPPING = ColumnMapping(vehicle="id", time="at", latitude="lat", longitude="lon", value="kmh")
DERIVED = ColumnMapping(
    vehicle="id", time="at", latitude="lat", longitude="lon", derived=DerivedSpeed(max_gap_seconds=600)
)
APART = ColumnMapping(vehicle="id", date="day", time="at", latitude="lat", longitude="lon", value="kmh")
NAMES = ("id", "at", "lat", "lon", "kmh")
_START = dt.datetime(2022, 1, 2, 22, 0, tzinfo=dt.timezone(dt.timedelta(hours=5, minutes=30)))
Row = tuple[str | None, ...]


def rules(mapping: ColumnMapping = MAPPING, zone: str | None = ZONE) -> ReadingRules:
    """How they are read."""
    return ReadingRules(mapping=mapping, zone=zone, upper_bound=65 * THOUSAND)


def window() -> Window:
    """Two of their three days, some hours of each."""
    day = dt.date(2022, 1, 3)
    return build_window(((day, day + dt.timedelta(days=1)),), ("06:00", "22:00"), 60)


def dirty_rows(rows: int = 3000, *, seed: int = 1) -> list[Row]:
    """Rows of some vehicles over three days, a third of them wrong in some way; none is no record at all."""
    draw = np.random.default_rng(seed)
    made: list[Row] = []
    for number in range(rows):
        vehicle = int(draw.integers(14))
        moment = _START + dt.timedelta(
            seconds=int(draw.integers(26 * 720)) * 10 % (50 * 3600), milliseconds=number % 3
        )
        name = (f"Bus-{vehicle}", f" bus-{vehicle} ", f"BUS-{vehicle}")[number % 3] if vehicle else "Straße-ü"
        if vehicle == 3 and number % 3 == 2:
            name = "ＢＵＳ－3"
        lat = 21.15 + float(draw.integers(300)) / 10_000
        row = [
            name,
            moment.isoformat(),
            f"{lat:.5f}",
            f"{72.8 + number % 70 / 1000:.5f}",
            f"{draw.normal(30, 20):.3f}",
        ]
        wrong = int(draw.integers(60))
        if wrong < len(_WRONG):
            place, cell = _WRONG[wrong]
            row[place] = cell
        made.append(tuple(cell or None for cell in row))
        if number % 9 == 0:  # a repeat with another value, elsewhere in the files
            made.insert(int(draw.integers(len(made))), (*made[-1][:4], f"{draw.normal(30, 20):.3f}"))
    return made


_WRONG = (
    (0, ""),
    (1, ""),
    (1, "yesterday"),
    (1, "1963-01-01T00:00:00+05:30"),
    (1, "2093-01-01T00:00:00+05:30"),
    (2, ""),
    (2, "north"),
    (2, "99"),
    (3, "999"),
    (4, ""),
    (4, "fast"),
    (4, "410.3"),
    (4, "-3"),
    (4, "81.5"),
    (0, "NULL"),
    (1, "N/A"),
    (2, "NaN"),
    (4, "-"),
)
"""A cell that is missing, unreadable or outside a limit, each for some rows."""


def shuffled(rows: Sequence[Row], seed: int) -> list[Row]:
    """The rows in another order."""
    order = np.random.default_rng(seed).permutation(len(rows))
    return [rows[place] for place in order.tolist()]


def write_rows(folder: Path, rows: Sequence[Row], kind: str, files: int = 3) -> list[Path]:
    """The rows in some files of a kind, of unequal length; text files hold lines that are no records."""
    folder.mkdir(parents=True, exist_ok=True)
    edges = [0, *(len(rows) * part * part // (files * files) for part in range(1, files)), len(rows)]
    paths = []
    for number, (first, last) in enumerate(itertools.pairwise(edges)):
        path = folder / f"part {number}.{kind}"
        _WRITERS[kind](path, rows[first:last], number)
        paths.append(path)
    return paths


def write_apart(folder: Path, rows: Sequence[Row], kind: str) -> list[Path]:
    """The rows in one file, read by `APART`: dates and times of day in columns of their own."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"apart.{kind}"
    days, clocks = zip(
        *((row[1] or "").split("T") if "T" in (row[1] or "") else (row[1], row[1]) for row in rows),
        strict=True,
    )
    cells = dict(zip(NAMES, zip(*rows, strict=True), strict=True)) | {"day": days, "at": clocks}
    table = pa.table({name: pa.array(column, pa.string()) for name, column in cells.items()})
    if kind == "csv":
        pa.csv.write_csv(table, path)
    elif kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()), encoding="utf-8")
    else:
        pq.write_table(table, path)
    return [path]


def _write_csv(path: Path, rows: Sequence[Row], number: int) -> None:
    # another order of columns and another delimiter in each file; some cells in quotes
    delimiter, names = ",;|"[number % 3], NAMES[number % 2 :] + NAMES[: number % 2]
    lines = ["# made up", "", delimiter.join(names)] if number else [delimiter.join(names)]
    for place, row in enumerate(rows):
        cells = dict(zip(NAMES, (cell or "" for cell in row), strict=True))
        texts = [f'"{cells[name]}"' if place % 5 == 0 else cells[name] for name in names]
        lines.append(delimiter.join(texts))
        if place % 101 == 50:
            lines += [delimiter.join(texts[:3]), "", delimiter.join([*texts, "more"])]
    path.write_bytes(("\r\n" if number == 1 else "\n").join(lines).encode())


def _write_lines(path: Path, rows: Sequence[Row], number: int) -> None:
    lines = []
    for place, row in enumerate(rows):
        record: dict[str, Any] = dict(zip(NAMES, row, strict=True))
        if place % 4 == 0 and row[2] and row[2][0].isdigit():
            record["lat"] = float(row[2])
        lines.append(json.dumps({name: cell for name, cell in record.items() if cell is not None}))
        if place % 97 == 60:
            lines += ["no record", "", "[1, 2]"]
    path.write_bytes(("\n".join(lines) + "\n" * (number % 2)).encode())


def _write_parquet(path: Path, rows: Sequence[Row], number: int) -> None:
    columns = dict(zip(NAMES, zip(*rows, strict=True), strict=True))
    table = pa.table({name: pa.array(column, pa.string()) for name, column in columns.items()})
    pq.write_table(table, path, row_group_size=200 + number)


_WRITERS = {"csv": _write_csv, "jsonl": _write_lines, "parquet": _write_parquet}


def job(data: Sequence[Path | str], out: Path, how: ReadingRules | None = None) -> TableJob:
    """The table of these files."""
    return TableJob(
        data=tuple(map(str, data)),
        rules=how or rules(),
        resolution=8,
        window=window(),
        out=out,
        now_ms=1_700_000_000_000,
    )


def quiet(done: float, text: str = "") -> None:
    """Takes progress, and shows none."""


def assert_agree(
    engine: Engine, data: Sequence[Path | str], folder: Path, how: ReadingRules | None = None
) -> Made:
    """An engine writes what the local one writes, byte for byte, and tells the same."""
    return assert_jobs_agree(engine, lambda out: job(data, out, how), folder)


def assert_jobs_agree(engine: Engine, asked: Callable[[Path], TableJob], folder: Path) -> Made:
    """Likewise of any job; asked: by the table that it writes."""
    ours = LocalEngine().contributions(asked(folder / "local.parquet"), quiet)
    theirs = engine.contributions(asked(folder / "theirs.parquet"), quiet)
    assert theirs.report.to_json() == ours.report.to_json()
    assert [getattr(theirs, name) for name in ("rows", "hats", "values", "derived")] == [
        getattr(ours, name) for name in ("rows", "hats", "values", "derived")
    ]
    assert (folder / "theirs.parquet").read_bytes() == (folder / "local.parquet").read_bytes()
    return theirs
