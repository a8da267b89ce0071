"""`hats`: the HATs with the most records, for the analyst's eyes only: one to evaluate (method 3.3)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from core.console.home_option import add_home
from core.console.plain_output import speak_of
from core.console.progress_line import progress_line
from core.console.reading_options import cache_of, rules_for
from core.console.true_values import CONFIDENTIAL_COUNTS
from core.contributions import contributions_of
from core.counted import count_of
from core.hats.record_dates import all_hours
from core.hats.window import Window
from core.planning.busiest_hats import ListedHat, busiest_hats, require_top
from core.planning.resolution_table import require_resolutions
from core.progress import part
from core.read.file_listing import expand
from core.spec import default_of, load_parts, subject_named
from core.store.load_records import load_records
from core.subject import VEHICLE

_LOADING = 0.8
"""Part of the work of `hats` that is loading; the rest is counting."""
_EPILOG = """\
With --spec these are the hexagon slots of its window; without one the mapping is guessed as `inspect` does,
and all dates and hours count in slots of an hour, as for `evaluate --hat`. Everything printed is
confidential.

keys of --json:
  confidential, dates, hours, slot_minutes, resolution
  hats: a list, most records first, each with
    hat                   its name: where its slot starts, and the hexagon
    records               in the window
    vehicles              distinct ones
    vehicle_days          distinct vehicles of each day, summed over the days
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    parser.epilog = _EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add_home(parser)
    parser.add_argument("data", nargs="+", metavar="DATA", help="files or patterns")
    parser.add_argument("--top", type=int, default=20, metavar="N", help="how many (default: 20)")
    parser.add_argument(
        "--resolution", type=int, metavar="R", help="from 5 to 10 (default: the spec's, otherwise 7)"
    )
    parser.add_argument("--spec", type=Path, help="take mapping, zone, resolution and window from this spec")
    parser.add_argument("--json", action="store_true")


def run(options: argparse.Namespace) -> int:
    """Print names and counts, or their JSON."""
    top = require_top(options.top, where="--top")
    spec = None if options.spec is None else load_parts(options.spec, "hats")
    speak_of(VEHICLE if options.spec is None else subject_named(options.spec))
    resolution = options.resolution
    if resolution is None:
        resolution = (spec and spec.resolution) or default_of("hats.resolution")
    require_resolutions([resolution], where="--resolution")
    files = expand(options.data, Path.cwd())
    rules, _ = rules_for(files, options.spec, counts_only=True)
    records = load_records(files, rules, part(progress_line, 0.0, _LOADING), cache_of(options)).records
    window = (spec and spec.window) or all_hours(records)
    counted = contributions_of(records, resolution, window, part(progress_line, _LOADING, 1.0))
    hats = busiest_hats(counted, top)
    if options.json:
        print(json.dumps(_to_json(hats, counted.window, resolution), indent=2))
    else:
        _print_hats(hats, counted.window, resolution, counted.hats)
    return 0


def _to_json(hats: Sequence[ListedHat], window: Window, resolution: int) -> dict[str, object]:
    return {
        "confidential": True,
        "dates": [[str(first), str(last)] for first, last in window.date_ranges],
        "hours": list(window.hours),
        **window.slot_facts,
        **window.group_facts,
        "resolution": resolution,
        "hats": [hat.to_json() for hat in hats],
    }


def _print_hats(hats: Sequence[ListedHat], window: Window, resolution: int, found: int) -> None:
    first, last = window.dates[0], window.dates[-1]
    print(CONFIDENTIAL_COUNTS)
    print(
        f"{len(hats)} of {count_of(found, 'hexagon slot')} at resolution {resolution}, {first} to {last}, "
        f"{window.hours[0]} to {window.hours[1]}, {window.grid.words}\n"
    )
    width = max(len(hat.name) for hat in hats)
    print(f"{'hexagon slot':<{width}}  {'records':>9}  {'vehicles':>9}  {'vehicle-days':>12}")
    for hat in hats:
        print(f"{hat.name:<{width}}  {hat.records:>9}  {hat.vehicles:>9}  {hat.vehicle_days:>12}")
    print(f'\nErrors of the mechanisms on one: evaluate DATA --hat "{hats[0].name}" --population NAME')
