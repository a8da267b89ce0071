"""`contributions`: the contribution table as a Parquet file, confidential (method 4)."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from core.cli.home_option import add_home
from core.cli.progress_line import progress_line
from core.cli.reading_options import cache_of
from core.contributions import contributions_of
from core.contributions.file_write import write_contributions
from core.errors import InputError
from core.read.file_listing import expand
from core.spec import load_parts, reading_rules
from core.store.load_records import load_records


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("data", nargs="+", metavar="DATA", help="files or patterns")
    parser.add_argument(
        "--spec", type=Path, required=True, help="take mapping, zone, bound, HATs and window from this spec"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.parquet")


def run(options: argparse.Namespace) -> int:
    """Write the file, and say what it holds and that it is private."""
    rules = reading_rules(options.spec)
    parts = load_parts(options.spec, "hats")
    if parts.resolution is None or parts.window is None:
        raise InputError("This part of the spec is missing.", where="hats", mend="add [hats]")
    files = expand(options.data, Path.cwd())
    records = load_records(files, rules, progress_line, cache_of(options)).records
    table = contributions_of(records, parts.resolution, parts.window, progress_line)
    table = dataclasses.replace(table, measured=rules.quantity.measured)
    write_contributions(table, options.out, progress_line, physical=rules.physical_limits)
    print(f"Written: {options.out}")
    print(f"{table.hat.size:,} rows of {table.hats:,} HATs, {len(table.values):,} values.")
    if table.derived:
        print("The speeds are derived from positions: a release of relation values refuses this table.")
    print("CONFIDENTIAL: true values and vehicle ids; readable by you only, and never beside a release.")
    return 0
