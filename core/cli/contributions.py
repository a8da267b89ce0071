"""`contributions`: the contribution table as a Parquet file, confidential (method 4)."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.cli.home import add_home
from core.cli.progress_line import progress_line
from core.cli.reading import cache_of
from core.contributions import contributions_of
from core.contributions.file_write import write_contributions
from core.errors import InputError
from core.read.listing import expand
from core.spec import load_spec
from core.store.load import load_records


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
    spec = load_spec(options.spec)
    if spec.data.rules.value is not None:
        raise InputError(
            "A contribution table holds speeds.",
            where="data.value",
            mend="release the files of records, or write the table for a spec without [data.value]",
        )
    files = expand(options.data, Path.cwd())
    records = load_records(files, spec.data.rules, progress_line, cache_of(options)).records
    table = contributions_of(records, spec.resolution, spec.window, progress_line)
    write_contributions(table, options.out, progress_line)
    print(f"Written: {options.out}")
    print(f"{table.hat.size:,} rows of {table.hats:,} HATs, {len(table.values):,} values.")
    if table.derived:
        print("The speeds are derived from positions: a release of relation values refuses this table.")
    print("CONFIDENTIAL: true values and vehicle ids; readable by you only, and never beside a release.")
    return 0
