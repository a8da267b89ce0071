"""`inspect`: guess the mapping of some files, say why and what is still open, and report what is usable."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.assist.column_guesses import guess_mapping
from core.assist.coordinate_order import CoordinateCheck
from core.assist.date_readings import date_readings
from core.assist.guessed_parts import DERIVED_KEY, NOT_NEEDED, UNIT_OF_OTHER, GuessedPart, guessed_parts
from core.assist.load_doubts import doubts_of_records
from core.assist.proposed_format import ProposedFormat, proposed_format
from core.assist.public_columns import public_columns
from core.assist.reading_choices import Choices
from core.assist.spread_rows import spread_rows
from core.assist.suggested_choices import (
    Suggestion,
    check_positions,
    suggest_by_headers,
    suggested_zone,
    zone_to_look,
)
from core.assist.time_cells import time_cells
from core.assist.unread_cells import UnreadCells, unread_cells
from core.bundle.protection_texts import IDS_ALIKE
from core.clean.bounded_value import ANY_VALUE
from core.clean.ingest_report import MANY_UNUSED, IngestReport, unused_share
from core.clean.mapping import ReadingRules, UnitRange
from core.cli.begin_spec import begin_spec, named_files, require_new_file, write_spec
from core.console.home_option import add_home
from core.console.progress_line import progress_line
from core.console.reading_options import cache_of, first_rows, in_order_of_use, rules_for, suggestion_for
from core.counted import count_of
from core.errors import InputError, InternalError
from core.hats.record_dates import date_ranges_of
from core.hats.record_hours import records_by_hour
from core.privacy import Relation
from core.quantity import SPEED
from core.read.file_format import EITHER_MARK, FileFormat
from core.read.file_listing import expand
from core.read.preview_rows import Preview
from core.spec import DEFAULT_UPPER_BOUND
from core.store.load_records import Loaded, load_records
from core.texts import text_of

_CONFIDENTIAL = (
    "CONFIDENTIAL: read from the records, for your eyes only. In relation user nothing below but the names "
    "of columns may decide anything of a release."
)
_LOOKED_AT_IN = "UTC"
"""Where the zone is open: wall clocks stay as they stand, and instants can be counted."""
_EPILOG = """\
Every part of the reading is listed: what was found, why or why not, and the key of a spec that decides it.
"?" is open. While a part is open without which no row can be read, the exit code is 2 and nothing is counted.

--write-spec begins a spec with what was found; blanks are marked FILL IN and listed. With --relation values
zone, dates, hours and marks of numbers are taken from the records; with --relation user, or without
--relation, only the names of columns are: who is protected, nothing of whose records may choose a constant of
a release.

keys of --json:
  confidential
  guesses: a list of part, found (empty: open), open, reason, key
  guessed: part -> reason, with what no column shows
  hints: a list of what to check: swapped coordinates, both readings of the dates, many rows that are
    left out, ids that are written alike, contain marks or move too fast, hours that the clocks showed
    twice or never
  blanks: keys still to be filled in, with --write-spec
  and those of what was read, once all that is needed to read is known
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    parser.epilog = _EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add_home(parser)
    parser.add_argument("data", nargs="+", metavar="DATA", help="files or patterns")
    parser.add_argument(
        "--spec", type=Path, help="take mapping and zone from this spec; only its [data] is used"
    )
    parser.add_argument("--write-spec", type=Path, metavar="FILE.toml", help="begin a spec of these files")
    parser.add_argument(
        "--relation",
        choices=[relation.value for relation in Relation],
        help="with --write-spec: what neighbouring data sets differ in",
    )
    parser.add_argument("--overwrite", action="store_true", help="with --write-spec: replace the file")
    parser.add_argument("--json", action="store_true")


def run(options: argparse.Namespace) -> int:
    """Print the guesses and what was read (method 2.5), and write a spec where one is asked for."""
    _check(options)
    files = expand(options.data, Path.cwd())
    if options.spec is not None:
        rules, _ = rules_for(files, options.spec, counts_only=True)
        preview = first_rows(in_order_of_use(files)[0], rules.format)
        rules = dataclasses.replace(rules, zone=rules.zone or _zone_for(preview, rules))
        loaded = load_records(files, rules, progress_line, cache_of(options))
        hints = _hints_of_load(files, rules, loaded.report, doubts_of_records(loaded, rules, preview))
        _tell(options, {"confidential": True, "hints": hints}, loaded.report)
        return 0
    return _look(options, files)


def _look(options: argparse.Namespace, files: Sequence[Path]) -> int:
    """Guess; count only if all is known without which no row can be read."""
    first, *others = in_order_of_use(files)
    proposed = proposed_format(first)
    preview = first_rows(first, proposed.file_format)
    spread = spread_rows(first, preview, proposed.file_format, others=others)
    suggestion = suggestion_for(first, preview, proposed.file_format, spread)
    choices, found = suggestion.choices, guessed_parts(suggestion, proposed)
    parts = _with_assumptions(found, proposed.file_format)
    why: dict[str, Any] = {"confidential": True, "guesses": [part.to_json() for part in parts]}
    why["guessed"] = {part.part: _guessed(part) for part in parts}
    skipped = proposed.skip_lines
    lines = count_of(skipped, "line above the names of columns is", "lines above the names of columns are")
    titles = [f"{lines} passed over: skip_lines = {skipped} under [data.format]"] if skipped else []
    why["hints"] = [*titles, *_hints(preview, choices, parts)]
    loaded: Loaded | None = None
    failed = _still_open(preview, first, spread) if any(part.blocks for part in parts) else None
    if failed is None:
        try:
            rules = _rules_of(preview, suggestion)
            loaded = load_records(files, rules, progress_line, cache_of(options))
            near = check_positions(preview, choices, choices.decimal or ".").nearest_zones()
            likely = near[0][0].zone if near and not choices.zone else ""
            doubts = doubts_of_records(loaded, rules, preview, likely)
            why["hints"] += _hints_of_load(files, rules, loaded.report, doubts)
        except InputError as error:
            failed = error
    if options.write_spec is not None:
        if options.relation != Relation.VALUES:
            by_headers = suggest_by_headers(preview)
            suggestion, choices = by_headers, by_headers.choices
            found = guessed_parts(by_headers, ProposedFormat(encodings=(), sheets=()))
        counted = loaded if _on_local_clock(preview, choices) else None
        why["blanks"] = _begin(options, suggestion, found, counted, preview.columns)
    _tell(options, why, loaded.report if loaded else None)
    if failed is not None:
        raise failed
    return 0


def _check(options: argparse.Namespace) -> None:
    """Raise InputError for options that mean nothing so, before anything is read."""
    if options.write_spec is None:
        for option, given in (("--relation", options.relation), ("--overwrite", options.overwrite)):
            if given:
                raise InputError(
                    "This belongs to --write-spec.", where=option, mend="add --write-spec FILE.toml"
                )
        return
    if options.spec is not None:
        raise InputError(
            "A spec is begun from what is guessed, and --spec guesses nothing.",
            where="--write-spec",
            mend="leave one of the two out",
        )
    require_new_file(options.write_spec, overwrite=options.overwrite)


def _rules_of(preview: Preview, suggestion: Suggestion) -> ReadingRules:
    """The guesses as rules; a unit that nothing tells is assumed, a zone only for this look."""
    choices = suggestion.choices
    if "quantity" in choices.still_open:
        choices = dataclasses.replace(choices, named=ANY_VALUE)
    if "unit" in choices.still_open:
        choices = dataclasses.replace(choices, units=(UnitRange(unit=SPEED.unit),))
    if choices.zone and choices.zone == suggested_zone(preview, choices.time, choices.date):
        choices = dataclasses.replace(choices, zone="")  # the times of all rows tell more than the first ones
    rules = choices.rules(DEFAULT_UPPER_BOUND)
    return rules if rules.zone else dataclasses.replace(rules, zone=_zone_for(preview, rules))


def _zone_for(preview: Preview, rules: ReadingRules) -> str | None:
    """None where the offsets of the times tell the zone."""
    if not set(rules.mapping.time_columns) <= set(preview.columns):
        return None  # who reads the column says that it is not there
    return None if suggested_zone(preview, rules.mapping.time, rules.mapping.date) else _LOOKED_AT_IN


def _with_assumptions(parts: Sequence[GuessedPart], taken: FileFormat) -> list[GuessedPart]:
    """The parts with what this look assumes of open ones."""
    assumed = {
        "encoding": f"; {taken.encoding} is assumed",
        "sheet": f"; {taken.sheet} is used",
        "unit": f"; {SPEED.unit} is assumed" if all(part.key != UNIT_OF_OTHER for part in parts) else "",
        "zone": f"; {_LOOKED_AT_IN} is assumed",
    }
    return [
        dataclasses.replace(part, reason=part.reason + assumed.get(part.part, "")) if part.open else part
        for part in parts
    ]


def _hints(preview: Preview, choices: Choices, parts: Sequence[GuessedPart]) -> list[str]:
    """What should be looked at beside the parts."""
    hints = []
    if any(part.part == "date_order" and part.open for part in parts):
        cells = time_cells(preview, choices.time, choices.date)
        hints += [f"dates read as {reading.text}" for reading in date_readings(cells)]
    exchanged = exchanged_hint(check_positions(preview, choices, choices.decimal or "."), choices)
    return [*hints, exchanged] if exchanged else hints


def _hints_of_load(
    files: Sequence[Path], rules: ReadingRules, report: IngestReport, doubts: list[str]
) -> list[str]:
    """What should be looked at of what was read; doubts: those that the records tell."""
    hints = [*_unused(files, rules, report)]
    if report.files_empty or report.files_damaged:
        empty, damaged = (count_of(n, "file") for n in (report.files_empty, report.files_damaged))
        hints.append(f"passed over: {empty} without a record, {damaged} that cannot be read (skip_damaged)")
    if report.arrays_unread:
        unread = count_of(report.arrays_unread, "object that is", "objects that are")
        hints.append(f"lists of other things contain {unread}, not read")
    hints += doubts
    if report.ids_alike:
        hints.append(text_of(IDS_ALIKE, n=f"{report.ids_alike:,}"))
    if report.repeats_far:
        repeats = count_of(report.repeats_far, "repeat lies", "repeats lie")
        hints.append(
            f"{repeats} more than 200 m from the record of the same vehicle and instant that stayed: several "
            "vehicles share an id, such as those of two agencies, or all that send 0 or UNKNOWN"
        )
    return hints


def _unused(files: Sequence[Path], rules: ReadingRules, report: IngestReport) -> list[str]:
    """What is left out, and what should be looked at where that is many rows."""
    if not report.dropped:
        return []
    share = unused_share(report, rules)
    if share < MANY_UNUSED:
        why = _shown({reason: f"{count:,}" for reason, count in report.dropped.items()})
        return [f"{count_of(sum(report.dropped.values()), 'row is', 'rows are')} left out: {why}"]
    many_unread = report.dropped.get("unparsable", 0) >= MANY_UNUSED * report.rows_read
    unread = unread_cells(files, rules, progress_line) if many_unread else None
    return [unused_hint(share, unread, rules)]


def unused_hint(share: float, unread: UnreadCells | None, rules: ReadingRules) -> str:
    """share: of the rows, 0..1; unread: why, as far as they could not be read."""
    why = f"{share:.0%} of the rows are not used (see dropped)"
    if unread is None:
        return why
    why += f"; {unread.column} is not readable from {unread.file} on: cells like {unread.shape}"
    if not unread.other_mark:
        return why
    return (
        f'{why}, where the decimal mark is "{rules.format.decimal}"; write decimal = "{EITHER_MARK}" under '
        "[data.format] for numbers with either mark"
    )


def exchanged_hint(check: CoordinateCheck, choices: Choices) -> str:
    """The hint where latitude and longitude look swapped; empty where they do not."""
    why = {
        "off_earth": "beyond the poles as they are read",
        "zone": f"far from the zone {choices.zone} as they are read",
        "": "far from every place that is known as they are read" if check.home_if_swapped else "",
    }.get(check.swap_advised)
    if not why:
        return ""
    near = (
        [check.home_if_swapped] if check.home_if_swapped else [one.name for one, _ in check.nearest_zones()]
    )
    place = f", near {near[0]} if exchanged" if near else ""
    mend = (
        'position_order = "lat,lon"'
        if choices.one_column
        else f'latitude = "{choices.longitude}" and longitude = "{choices.latitude}"'
    )
    return f"latitude and longitude look swapped: {why}{place}; write {mend} under [data.mapping]"


def _still_open(preview: Preview, file: Path, spread: Preview | None) -> InputError:
    """All that is open, each with its key."""
    try:
        guess_mapping(preview, where=str(file), spread=spread)
    except InputError as error:
        return InputError(
            error.what, where=error.where, mend=f"{error.mend} (--write-spec FILE.toml begins one)"
        )
    raise InternalError("a part is open, and the guess of a mapping lacks nothing")


def _guessed(part: GuessedPart) -> str:
    """The reason as a separate text: with what was found, where no column tells it."""
    if part.open or part.found == NOT_NEEDED:
        return part.reason
    if part.part == "value" and part.key == DERIVED_KEY:
        return f"{part.reason}: {part.found}"
    return {
        "decimal": f'"{part.found}": {part.reason}',
        "date_order": f"{part.found}: {part.reason}",
        "pings": f"{part.found}: {part.reason}",
    }.get(part.part, part.reason)


def _on_local_clock(preview: Preview, choices: Choices) -> bool:
    """Whether the records tell their local dates and hours: not where instants are known and no zone."""
    if not choices.time:
        return False
    zone = choices.zone or not zone_to_look(preview, choices.time, choices.file_format, date=choices.date)
    return bool(zone)


def _begin(
    options: argparse.Namespace,
    suggestion: Suggestion,
    parts: Sequence[GuessedPart],
    loaded: Loaded | None,
    columns: Sequence[str],
) -> list[str]:
    """Write the spec; the keys that are blank in it. loaded: where it tells dates and hours."""
    begun = begin_spec(
        suggestion.choices,
        parts,
        other=suggestion.other,
        files=named_files(options.data, options.write_spec),
        relation=None if options.relation is None else Relation(options.relation),
        date_ranges=() if loaded is None else date_ranges_of(loaded.records),
        by_hour=() if loaded is None else records_by_hour(loaded.records).tolist(),
        named=public_columns(columns),
    )
    write_spec(options.write_spec, begun, overwrite=options.overwrite)
    return list(begun.blanks)


def _tell(options: argparse.Namespace, why: dict[str, Any], report: IngestReport | None) -> None:
    facts = report.to_json() if report else {}
    if options.json:
        print(json.dumps(why | facts, indent=2))
        return
    print(_CONFIDENTIAL)
    if "guesses" in why:
        print()
        _print_columns([("part", "found", "why", "key"), *map(_row, why["guesses"])])
    for hint in why.get("hints", ()):
        print(f"\nLook: {hint}")
    if facts:
        print()
        _print_columns([(name, _shown(value)) for name, value in facts.items()])
    if "blanks" in why:
        print(f"\nWritten: {options.write_spec}\nStill to be filled in there: " + ", ".join(why["blanks"]))


def _shown(value: object) -> str:
    """A value of the report for a person: parts with their names, entries one after the other."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(part)}" for name, part in value.items()) or "none"
    if isinstance(value, list):
        together = " " if value and isinstance(value[0], str) else ", "
        return together.join(map(_shown, value)) or "none"
    return str(value)


def _row(guess: dict[str, Any]) -> tuple[str, ...]:
    return guess["part"].replace("_", " "), guess["found"] or "?", guess["reason"], guess["key"]


def _print_columns(rows: Sequence[tuple[str, ...]]) -> None:
    """Rows with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip())
