"""`table`: compare H3 resolutions on true counts, for the analyst's eyes only (method 3.3)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from core.cli.home_option import add_home
from core.cli.progress_line import progress_line
from core.cli.reading_options import cache_of, rules_for
from core.hats.record_dates import date_ranges_of
from core.hats.window import Window, build_window
from core.planning.resolution_table import (
    Histogram,
    ResolutionTable,
    require_resolutions,
    require_threshold,
    resolution_table,
)
from core.read.file_listing import expand
from core.records.records import Records
from core.spec import DEFAULT_THRESHOLD, ReleaseSpec, load_spec
from core.store.load_records import load_records

_DEFAULT_HOURS = ("09:00", "21:00")
_DEFAULT_SLOT = 60
_EPILOG = """\
Without --spec the mapping is guessed as `inspect` does and the window is every date with records,
09:00-21:00, in slots of 60 minutes; --hours, --slot-minutes and --threshold change one of these, or
what the spec says. Everything printed is confidential.

keys of --json:
  confidential, dates, days, hours, slot_minutes, threshold
  resolutions: a list, one for each resolution in the order of --resolutions
    resolution
    mean_area_km2         mean area of the distinct cells
    cells, hats           distinct cells, and HATs, with records in the window
    mean_vehicles         mean number of distinct vehicles, over the (HAT, day) pairs with records
    busy_cells            cells where every slot of the window has threshold vehicles a day or more
    busy_share            the same as a share of all cells, 0 to 1
    k_day                 most HATs of one vehicle on one day
    vehicles_per_hat_day  distinct vehicles of each (HAT, day) with records
    hats_per_vehicle_day  distinct HATs of each (vehicle, day) with records
  each of the last two: items, mean, quartiles (three), max, histogram {value: number of items}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    parser.epilog = _EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add_home(parser)
    parser.add_argument("data", nargs="+", metavar="DATA", help="files or patterns")
    parser.add_argument("--resolutions", default="6,7,8", metavar="R,R", help="from 5 to 10 (default: 6,7,8)")
    parser.add_argument("--spec", type=Path, help="take mapping, zone, window and threshold from this spec")
    parser.add_argument(
        "--threshold",
        type=int,
        metavar="N",
        help=f"vehicles a day in every slot (default: {DEFAULT_THRESHOLD})",
    )
    parser.add_argument("--hours", metavar="HH:MM-HH:MM", help="hours of the day (default: 09:00-21:00)")
    parser.add_argument("--slot-minutes", type=int, metavar="M", help="15, 30, 60 or 120 (default: 60)")
    parser.add_argument("--json", action="store_true")


def run(options: argparse.Namespace) -> int:
    """Print the table, or its JSON, whose keys the help explains."""
    resolutions = _resolutions(options.resolutions)
    spec = None if options.spec is None else load_spec(options.spec)
    threshold = (spec.selection.threshold if spec else None) or DEFAULT_THRESHOLD
    if options.threshold is not None:
        threshold = require_threshold(options.threshold, where="--threshold")
    files = expand(options.data, Path.cwd())
    rules, _ = rules_for(files, options.spec)
    records = load_records(files, rules, progress_line, cache_of(options)).records
    window = _table_window(options, records, spec)
    table = resolution_table(records, resolutions, window, threshold, progress_line)
    if options.json:
        print(json.dumps(table.to_json(), indent=2))
    else:
        _print_resolutions(table)
    return 0


def _resolutions(text: str) -> tuple[int, ...]:
    """Resolutions by commas; what is no number is refused as an unknown resolution is."""
    numbers = [int(part) if part.strip().isdecimal() else -1 for part in text.split(",")]
    return require_resolutions(numbers, where="--resolutions")


def _table_window(options: argparse.Namespace, records: Records, spec: ReleaseSpec | None) -> Window:
    """The spec's window, or all dates of the data; options change its hours and slots."""
    ranges = spec.window.date_ranges if spec else date_ranges_of(records)
    hours = spec.window.hours if spec else _DEFAULT_HOURS
    slot_minutes = spec.window.slot_minutes if spec else _DEFAULT_SLOT
    if options.hours is not None:
        start, _, end = options.hours.partition("-")
        hours = (start.strip(), end.strip())
    return build_window(ranges, hours, slot_minutes if options.slot_minutes is None else options.slot_minutes)


def _print_resolutions(table: ResolutionTable) -> None:
    window, rows = table.window, table.rows
    first, last = window.dates[0], window.dates[-1]
    print("CONFIDENTIAL: true counts of the loaded records, for your eyes only; never beside a release.")
    print(
        f"{first} to {last} ({window.days} {'date' if window.days == 1 else 'dates'}), "
        f"{window.hours[0]} to {window.hours[1]}, slots of {window.slot_minutes} minutes\n"
    )
    quantities: list[tuple[str, list[str]]] = [
        ("resolution", [str(row.resolution) for row in rows]),
        ("mean area of a hexagon, km2", [f"{row.mean_area_km2:.4g}" for row in rows]),
        ("distinct hexagons", [str(row.cells) for row in rows]),
        ("HATs", [str(row.hats) for row in rows]),
        (
            f"hexagons with {table.threshold}+ vehicles a day in every slot",
            [f"{row.busy_share(table.threshold):.1%}" for row in rows],
        ),
    ]
    quantities += _summary("vehicles per HAT and day", [row.vehicles_per_hat_day for row in rows])
    quantities += _summary("HATs per vehicle and day", [row.hats_per_vehicle_day for row in rows], " (K_day)")
    width = max(len(name) for name, _ in quantities)
    cell = max(len(text) for _, texts in quantities for text in texts)
    for name, texts in quantities:
        print(f"{name:<{width}}" + "".join(f"  {text:>{cell}}" for text in texts))
    print("\nPer HAT and day: over days on which the HAT has records. --json prints the whole histograms.")


def _summary(name: str, histograms: Sequence[Histogram], most: str = "") -> list[tuple[str, list[str]]]:
    """A histogram in figures."""
    return [
        (f"{name}, mean", [f"{one.mean:.2f}" for one in histograms]),
        ("    quarter, half, three quarters", [_quartiles(one) for one in histograms]),
        (f"    most{most}", [str(one.maximum) for one in histograms]),
    ]


def _quartiles(histogram: Histogram) -> str:
    return ", ".join(str(histogram.quartile(number)) for number in (1, 2, 3))
