"""`read`: published bundles as one table, or what has changed between them (method 14.8)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from core.cli.home_option import add_home
from core.published.bundle_frames import published_tables, rows_of_all, table_of
from core.published.changes import changes_of
from core.published.frame_files import ENDINGS, csv_text, write_frame


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("bundle", type=Path, nargs="+", help="folders of bundles, the earliest first")
    parser.add_argument("--public-key", metavar="KEY", help="the publisher's key: its text or a .pub file")
    parser.add_argument("--statistic", metavar="KEY", help="which table; by default the mean, or the first")
    parser.add_argument(
        "--changes",
        action="store_true",
        help="from each bundle to the next, each difference with its interval",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help=f"write {', '.join(ENDINGS)} in place of printing CSV",
    )


def run(options: argparse.Namespace) -> int:
    """Check each bundle, then print or write the table. Raises HexveilError."""
    tables = [
        table_of(published_tables(bundle, options.public_key), options.statistic) for bundle in options.bundle
    ]
    frame = changes_of(tables) if options.changes else rows_of_all(tables)
    if options.out is None:
        sys.stdout.write(csv_text(frame))
        return 0
    write_frame(frame, options.out)
    print(f"{options.out}: {len(frame):,} rows, {len(frame.columns)} columns.")
    return 0
