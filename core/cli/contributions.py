"""`contributions`: the contribution table as a Parquet file, confidential (method 4)."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.cli.home_option import add_home
from core.cli.progress_line import progress_line
from core.cli.reading_options import cache_of
from core.engines.base import Engine, TableJob
from core.engines.duckdb import DuckDbEngine
from core.engines.local import LocalEngine
from core.engines.spark import SparkEngine
from core.errors import InputError
from core.spec import load_parts, reading_rules

_ENGINES = ("local", "duckdb", "spark")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("data", nargs="+", metavar="DATA", help="files or patterns")
    parser.add_argument(
        "--spec", type=Path, required=True, help="take mapping, zone, bound, HATs and window from this spec"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.parquet")
    parser.add_argument(
        "--engine",
        choices=_ENGINES,
        default=_ENGINES[0],
        help="what sorts and groups the records; the table is the same (docs/large-data.md)",
    )
    parser.add_argument("--master", metavar="URL", help="with --engine spark: the cluster, or local[2]")
    parser.add_argument("--json", action="store_true", help="print the ingest report as JSON (confidential)")


def run(options: argparse.Namespace) -> int:
    """Write the file, and say what it holds and that it is private."""
    rules = reading_rules(options.spec)
    parts = load_parts(options.spec, "hats")
    if parts.resolution is None or parts.window is None:
        raise InputError("This part of the spec is missing.", where="hats", mend="add [hats]")
    job = TableJob(
        data=tuple(options.data),
        rules=rules,
        resolution=parts.resolution,
        window=parts.window,
        out=options.out,
    )
    made = _engine(options).contributions(job, progress_line)
    if options.json:
        print(json.dumps(made.report.to_json(), indent=2, ensure_ascii=False))
        return 0
    print(f"Written: {options.out}")
    print(f"{made.rows:,} rows of {made.hats:,} HATs, {made.values:,} values.")
    if made.derived:
        print("The speeds are derived from positions: a release of relation values refuses this table.")
    print("CONFIDENTIAL: true values and vehicle ids; readable by you only, and never beside a release.")
    return 0


def _engine(options: argparse.Namespace) -> Engine:
    """The engine that is named; each imports its library when it runs."""
    if (options.engine == "spark") != bool(options.master):
        raise InputError(
            "--master and --engine spark belong together.",
            where="--master",
            mend="write for instance --engine spark --master spark://host:7077, or leave both out",
        )
    if options.engine == "duckdb":
        return DuckDbEngine()
    if options.engine == "spark":
        return SparkEngine(options.master)
    return LocalEngine(cache_of(options))
