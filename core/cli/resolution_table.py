"""`table`: vehicles per hexagon slot and hexagon slots per vehicle, by resolution (method 3.3)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from core.advice.city_advice import CityAdvice, advise_city
from core.advice.delta_worth import advise_with_delta
from core.cli.plan import print_grids
from core.console.city_grid import (
    GRID_TABLES,
    add_delta,
    delta_for,
    grid_of,
    joint_query,
    tie_key_for,
)
from core.console.home_option import add_home
from core.console.plain_output import speak_of
from core.console.progress_line import progress_line
from core.console.reading_options import cache_of, rules_for
from core.console.true_values import CONFIDENTIAL_COUNTS
from core.counted import count_of
from core.errors import InputError
from core.hats.record_dates import date_ranges_of
from core.hats.slots import ALL, SLOT_LENGTHS, SLOT_MINUTES, SlotLength, length_text, require_slot_length
from core.hats.window import Window, build_window, fitted_hours
from core.planning.hours_of_day import HoursOfDay
from core.planning.resolution_table import (
    Histogram,
    ResolutionRow,
    ResolutionTable,
    require_resolutions,
    require_threshold,
    resolution_table,
)
from core.privacy import Relation
from core.quantity import Quantity
from core.read.file_listing import expand
from core.records.records import Records
from core.release.prepare_publish import require_measured_values
from core.spec import DEFAULT_THRESHOLD, SpecParts, default_of, load_parts, relation_of
from core.store.load_records import load_records
from core.subject import VEHICLE

_LENGTHS = ", ".join(map(str, SLOT_MINUTES)) + f' or "{ALL}"'
_EPILOG = """\
Without --spec the mapping is guessed as `inspect` does and the window is every date with records,
09:00-21:00, in slots of 60 minutes; --hours, --slot-minutes and --threshold change one of these, or
what the spec says. Slots of every length are compared unless --slot-minutes names some; the first of
these, or the spec's if it is among them, is the length of the first part of the table. Hours that are
not whole slots of a length are made longer for it, which the table says; only hours that --hours names
stay as they are for that first length. Everything printed is confidential.

keys of --json:
  confidential, dates, days, hours, slot_minutes, threshold
  widened: the hours that were asked for, where they are not whole slots of slot_minutes, otherwise null
  records: loaded, on_dates (all hours of the dates), kept (in the window)
  resolutions: a list, one for each resolution in the order of --resolutions
    resolution, slot_minutes, hours
    mean_area_km2         mean area of the distinct cells
    records, cells, hats  records in the window, distinct cells and hexagon slots that hold them
    busy_hats             hexagon slots with threshold vehicles a day or more
    busy_records          share of the window's records in them, 0 to 1
    mean_vehicles         mean number of distinct vehicles, over the (hexagon slot, day) pairs with records
    busy_cells            cells where every slot of the window has threshold vehicles a day or more
    busy_share            the same as a share of all cells, 0 to 1
    k_day                 most hexagon slots of one vehicle on one day
    vehicles_per_hat_day  distinct vehicles of each (hexagon slot, day) with records
    hats_per_vehicle_day  distinct hexagon slots of each (vehicle, day) with records
  slots: a list of the same for every other length of slot with every resolution
  hours_of_day: resolution, and hours: hour, records, vehicles (distinct, mean of a date), hats, for each
  report: resolution and reason, as the report chooses among --resolutions; null without them
  advice: what `plan` answers of the same data, spec and window, without --resolutions; otherwise null
  both are null with a spec in relation user
  each of the two histograms: items, min, quartiles (three), mean, deviation (standard), max,
  histogram {value: number of items}
"""
_NO_ADVICE = "In relation user counts are protected: no grid is recommended."
_BAR = 30
"""Characters of the longest bar of records by hour that `table` prints."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    parser.epilog = _EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add_home(parser)
    add_delta(parser)
    parser.add_argument("data", nargs="+", metavar="DATA", help="files or patterns")
    parser.add_argument("--resolutions", metavar="R,R", help="from 5 to 10 (default: 6,7,8)")
    parser.add_argument("--spec", type=Path, help="take mapping, zone, window and threshold from this spec")
    parser.add_argument(
        "--threshold",
        type=int,
        metavar="N",
        help=f"vehicles a day in every slot (default: {DEFAULT_THRESHOLD})",
    )
    parser.add_argument("--hours", metavar="HH:MM-HH:MM", help="hours of the day (default: 09:00-21:00)")
    parser.add_argument(
        "--slot-minutes", metavar="M,M", help=f"{_LENGTHS}, separated by commas (default: all of them)"
    )
    parser.add_argument("--json", action="store_true")


def run(options: argparse.Namespace) -> int:
    """Print the table, or its JSON, whose keys the help explains."""
    resolutions = _resolutions(options.resolutions if options.resolutions is not None else "6,7,8")
    lengths = SLOT_LENGTHS if options.slot_minutes is None else _lengths(options.slot_minutes)
    spec = None if options.spec is None else load_parts(options.spec, *GRID_TABLES)
    speak_of(spec.subject if spec else VEHICLE)
    threshold = (spec and spec.selection and spec.selection.threshold) or DEFAULT_THRESHOLD
    if options.threshold is not None:
        threshold = require_threshold(options.threshold, where="--threshold")
    files = expand(options.data, Path.cwd())
    rules, _ = rules_for(files, options.spec, counts_only=True)
    records = load_records(files, rules, progress_line, cache_of(options)).records
    window, asked = _table_window(options, records, spec, lengths)
    own = (spec and spec.resolution) or default_of("hats.resolution")
    table = resolution_table(
        records,
        resolutions,
        window,
        threshold,
        progress_line,
        lengths=lengths,
        hours_at=own if own in resolutions else None,
    )
    widened = None if asked == window.hours else asked
    protected = options.spec is not None and relation_of(options.spec) is Relation.USER
    by_report = options.resolutions is not None and not protected
    advice: CityAdvice | None = None
    reason = table.reports_reason if by_report else _NO_ADVICE
    if not (protected or by_report):
        try:
            require_measured_values(rules.mapping, Relation.VALUES)
            advice = _advice(options, records, spec, rules.quantity)
            reason = advice.reason
        except InputError as problem:  # of the spec's query: what is counted is counted all the same
            reason = f"No grid is recommended. {problem.what}"
    if options.json:
        report = {"resolution": table.reports_choice.resolution, "reason": table.reports_reason}
        answer = {
            "widened": widened and list(widened),
            "report": report if by_report else None,
            "advice": None if advice is None else advice.to_json(),
        }
        print(json.dumps(table.to_json() | answer, indent=2))
        return 0
    _print_table(table, widened)
    print()
    if advice is not None:
        print_grids(advice)
    print(reason)
    print("\nPer hexagon slot and day: only days on which it has records. --json prints whole histograms.")
    return 0


def _advice(
    options: argparse.Namespace, records: Records, spec: SpecParts | None, quantity: Quantity
) -> CityAdvice:
    """As `plan` gives it, over the hours that `--hours` names."""
    asked = grid_of(spec, records)
    window = asked.window
    if options.hours is not None:
        start, _, end = options.hours.partition("-")
        hours = start.strip(), end.strip()
        window = build_window(window.date_ranges, hours, window.slot_length, window.groups)
    compare = partial(
        advise_city,
        lambda resolution, over: asked.table(records, resolution, over),
        request=asked.selection,
        query=joint_query(options, spec, None, quantity),
        unit=asked.unit,
        minimum_vehicles=asked.minimum_vehicles,
        tie_key=tie_key_for(options, spec),
    )
    return advise_with_delta(
        compare,
        asked.compared_as,
        window,
        delta=delta_for(options, spec),
        given=options.delta is not None,
        progress=progress_line,
    )


def _resolutions(text: str) -> tuple[int, ...]:
    """Resolutions by commas; what is no number is refused as an unknown resolution is."""
    numbers = [int(part) if part.strip().isdecimal() else -1 for part in text.split(",")]
    return require_resolutions(numbers, where="--resolutions")


def _lengths(text: str) -> tuple[SlotLength, ...]:
    """Lengths of slots by commas, each once; what is no number is refused as an unknown length is."""
    words = [part.strip() for part in text.split(",")]
    if not all(word == ALL or (word.isdecimal() and word.isascii()) for word in words):
        raise InputError(
            "Lengths of slots are minutes.", where="--slot-minutes", mend=f"write one or more of {_LENGTHS}"
        )
    return tuple(dict.fromkeys(require_slot_length(word if word == ALL else int(word)) for word in words))


def _table_window(
    options: argparse.Namespace,
    records: Records,
    spec: SpecParts | None,
    lengths: Sequence[SlotLength],
) -> tuple[Window, tuple[str, str]]:
    """The spec's window, or all dates of the data; options change its hours and slots.

    And the hours that were asked for, where slots of that length need others.
    """
    window = spec.window if spec else None
    ranges = window.date_ranges if window else date_ranges_of(records)
    hours = window.hours if window else default_of("hats.hours")
    own = window.slot_length if window else default_of("hats.slot_minutes")
    length = own if own in lengths else lengths[0]
    if options.hours is not None:
        start, _, end = options.hours.partition("-")
        hours = (start.strip(), end.strip())
        return build_window(ranges, hours, length), hours
    return build_window(ranges, fitted_hours(hours, length), length), hours


def _print_table(table: ResolutionTable, widened: tuple[str, str] | None) -> None:
    window, first, last = table.window, table.window.dates[0], table.window.dates[-1]
    print(CONFIDENTIAL_COUNTS)
    print(
        f"{first} to {last} ({count_of(window.days, 'date')}), "
        f"{window.hours[0]} to {window.hours[1]}, {window.grid.words}"
    )
    if widened is not None:
        print(
            f"(from {widened[0]} to {widened[1]} are not whole slots of "
            f"{length_text(window.slot_minutes)}: the hours were made longer)"
        )
    retained, on_dates = table.rows[0].records, table.hours.total
    print(
        f"In the window: {count_of(retained, 'record')} of {on_dates} on these dates "
        f"({retained / on_dates:.1%}); {table.loaded} loaded\n"
    )
    _print_columns(_quantities(table.rows, table.threshold))
    if table.others:
        print("\nSlots of every length compared:")
        for resolution in [row.resolution for row in table.rows]:
            _print_slots([row for row in table.all_rows if row.resolution == resolution], table)
    _print_hours(table.hours)


def _print_columns(quantities: Sequence[tuple[str, list[str]]]) -> None:
    """A line for each quantity, its columns aligned."""
    width = max(len(name) for name, _ in quantities)
    cell = max(len(text) for _, texts in quantities for text in texts)
    for name, texts in quantities:
        print(f"{name:<{width}}" + "".join(f"  {text:>{cell}}" for text in texts))


def _quantities(rows: Sequence[ResolutionRow], threshold: int) -> list[tuple[str, list[str]]]:
    quantities: list[tuple[str, list[str]]] = [
        ("resolution", [str(row.resolution) for row in rows]),
        ("mean area of a hexagon, km2", [f"{row.mean_area_km2:.4g}" for row in rows]),
        ("distinct hexagons", [str(row.cells) for row in rows]),
        ("hexagon slots", [str(row.hats) for row in rows]),
        (
            f"hexagons with {threshold}+ vehicles a day in every slot",
            [f"{row.busy_share(threshold):.1%}" for row in rows],
        ),
        (f"hexagon slots with {threshold}+ vehicles a day", [str(row.busy_hats(threshold)) for row in rows]),
        ("    records in them", [f"{row.busy_records(threshold):.1%}" for row in rows]),
    ]
    quantities += _summary("vehicles per hexagon slot and day", [row.vehicles_per_hat_day for row in rows])
    quantities += _summary(
        "hexagon slots per vehicle and day", [row.hats_per_vehicle_day for row in rows], " (K_day)"
    )
    return quantities


def _summary(name: str, histograms: Sequence[Histogram], most: str = "") -> list[tuple[str, list[str]]]:
    """A histogram in figures."""
    return [
        (f"{name}, mean", [f"{one.mean:.2f}" for one in histograms]),
        ("    standard deviation", [f"{one.deviation:.2f}" for one in histograms]),
        ("    least", [str(one.minimum) for one in histograms]),
        ("    quarter, half, three quarters", [_quartiles(one) for one in histograms]),
        (f"    most{most}", [str(one.maximum) for one in histograms]),
    ]


def _quartiles(histogram: Histogram) -> str:
    return ", ".join(str(histogram.quartile(number)) for number in (1, 2, 3))


def _print_slots(rows: Sequence[ResolutionRow], table: ResolutionTable) -> None:
    """One resolution: a line for each length of slot, the shortest first."""
    threshold = table.threshold
    columns: list[tuple[str, Callable[[ResolutionRow], str]]] = [
        (f"resolution {rows[0].resolution}, minutes", lambda row: str(row.window.slot_minutes)),
        ("hours", lambda row: "-".join(row.window.hours)),
        ("hexagon slots", lambda row: str(row.hats)),
        (f"with {threshold}+", lambda row: str(row.busy_hats(threshold))),
        ("records in them", lambda row: f"{row.busy_records(threshold):.1%}"),
        ("vehicles, mean", lambda row: f"{row.vehicles_per_hat_day.mean:.2f}"),
        ("half", lambda row: str(row.vehicles_per_hat_day.median)),
        ("K_day", lambda row: str(row.k_day)),
    ]
    ordered = sorted(rows, key=lambda row: row.window.slot_minutes)
    texts = [[name for name, _ in columns], *([of(row) for _, of in columns] for row in ordered)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    print()
    for line in texts:
        print("  ".join(f"{text:>{width}}" for text, width in zip(line, widths, strict=True)))


def _print_hours(hours: HoursOfDay) -> None:
    """Each hour of the day, with a bar for its records."""
    most = max(int(hours.records.max()), 1)
    print(f"\nHours of the day, all of them (slots at resolution {hours.resolution}, vehicles of a day):\n")
    print(f"hour  {'records':>10}  {'vehicles':>8}  {'slots':>7}")
    for hour, (records, vehicles, hats) in enumerate(
        zip(hours.records.tolist(), hours.vehicles.tolist(), hours.hats.tolist(), strict=True)
    ):
        bar = "#" * -(-_BAR * records // most)
        print(f"  {hour:02d}  {records:>10}  {vehicles:>8.1f}  {hats:>7}  {bar}".rstrip())
