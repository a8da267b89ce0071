"""`read`: bundles as one table, changes beyond noise, differences of parts, reliability (method 14.8)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from core.console.home_option import add_home
from core.counted import count_of
from core.published.bundle_differences import differences_in
from core.published.bundle_frames import (
    PublishedTable,
    read_bundle,
    require_different,
    rows_of_all,
    rows_of_releases,
    table_of,
)
from core.published.changes import changes_of, shared_numbers
from core.published.comparison import ChangeVerdict, Comparison, compare
from core.published.frame_files import ENDINGS, csv_text, write_frame
from core.published.reliability import USUAL_FRACTION, reliability_of


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
        "--differences",
        nargs=2,
        action="append",
        metavar=("A", "B"),
        help="inside each bundle, the mean of part A less that of part B with its interval: middle and edge "
        "of the network, evening-peak, midday, late, morning-peak, hours (07:00-09:00), a label of a group "
        "such as weekday, or a place as its column has it; may be repeated",
    )
    parser.add_argument(
        "--reliability",
        type=float,
        nargs="?",
        const=USUAL_FRACTION,
        metavar="FRACTION",
        help="of bundles with percentiles 15, 50 and 85: p85 / p15, and the share below this fraction of the "
        f"median (usually {USUAL_FRACTION:g}), each with its interval",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help=f"write {', '.join(ENDINGS)} instead of printing CSV; Parquet with the outlines of places",
    )


def run(options: argparse.Namespace) -> int:
    """Check each bundle, then print or write the table. Raises HexveilError."""
    found = [read_bundle(bundle, options.public_key) for bundle in options.bundle]
    require_different(found)
    bundles = [one.tables for one in found]
    tables = [table_of(bundle, options.statistic) for bundle in bundles]
    more: list[str] = []
    if options.differences:
        compared = [
            differences_in(one.path, table, options.differences)
            for one, table in zip(found, tables, strict=True)
        ]
        frame = rows_of_releases([(table, rows) for table, (rows, _) in zip(tables, compared, strict=True)])
        more = [sentence for _, said in compared for sentence in said]
    elif options.reliability is None:
        frame = changes_of(tables) if options.changes else rows_of_all(tables)
    else:
        computed = (reliability_of(bundle, options.reliability) for bundle in bundles)
        frame = rows_of_releases(list(zip(tables, computed, strict=True)))
    for line in (*_remarks(tables, changes=options.changes), *more):
        print(line, file=sys.stderr)
    if options.out is None:
        sys.stdout.write(csv_text(frame))
        return 0
    write_frame(
        frame,
        options.out,
        outlines={place: one for table in tables for place, one in (table.outlines or {}).items()},
    )
    print(f"{options.out}: {count_of(len(frame), 'row')}, {count_of(len(frame.columns), 'column')}.")
    return 0


def _remarks(tables: list[PublishedTable], *, changes: bool) -> Iterator[str]:
    """What a reader must know beside the table: remarks on releases, and how many changes chance explains."""
    for one in tables:
        if one.remark:
            yield f"{one.release}: {one.remark}"
    if changes:
        for before, after in pairwise(tables):
            for number in shared_numbers(before, after):
                yield _summary(compare(before, after, number.value))


def _summary(found: Comparison) -> str:
    """Of one number, in a sentence or two."""
    counts = found.counts
    rows, confirmed = counts.rows, counts.confirmed
    sentence = (
        f"{found.before} to {found.after}, {found.number.value}: of {count_of(counts.compared, 'row')} "
        f"{rows[ChangeVerdict.LARGER]} rose and {rows[ChangeVerdict.SMALLER]} fell by more than the noise; "
        f"by chance alone at most about {counts.by_chance} would."
    )
    if confirmed is None:
        return sentence
    return (
        f"{sentence} With at most 5 % of them false, {confirmed[ChangeVerdict.LARGER]} rose and "
        f"{confirmed[ChangeVerdict.SMALLER]} fell."
    )
