"""The command line (SPEC 15): one small function per command; only here does the core print."""

from __future__ import annotations

import argparse
import dataclasses
import datetime as dt
import getpass
import json
import math
import os
import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core import __version__
from core.accounting import ledger as ledgers
from core.accounting.ledger import Ledger
from core.assist.guess import guess_mapping
from core.assist.suggest import zone_to_look
from core.clean.mapping import ReadingRules
from core.contributions import HatData, contributions_of
from core.contributions.file_write import write_contributions
from core.errors import HexveilError, InputError
from core.evaluate.errors import ErrorTable
from core.evaluate.hat_csv import read_hat
from core.evaluate.loaded import loaded_hat
from core.evaluate.replica import REPLICAS
from core.evaluate.series import all_series, epsilon_points
from core.evaluate.table import DEFAULT_TRIALS, evaluate
from core.hats.days import date_ranges_of
from core.hats.window import Window, build_window
from core.mechanisms.registry import all_mechanisms
from core.params import declared
from core.paths import Home, find_home, program_name
from core.planning.resolution_table import (
    Histogram,
    ResolutionTable,
    require_resolutions,
    require_threshold,
    resolution_table,
)
from core.read.formats import reader_for
from core.read.input_files import unreadable_as_input_error
from core.read.listing import expand
from core.read.readers.base import Preview
from core.records.records import Records
from core.release.job import prepare, publish
from core.release.review import Review
from core.release.sign import generate_key, load_key
from core.release.verify import Verification, verify_bundle
from core.spec import (
    DEFAULT_THRESHOLD,
    DEFAULT_UPPER_BOUND,
    ReleaseSpec,
    load_spec,
    parse_data,
    read_toml,
    upper_bound_of,
)
from core.spec.section import Section
from core.store.cache import RecordCache
from core.store.load import load_records
from core.synthesize.job import SYNTHESIS_SEED, synthesize
from core.values import parse_epsilon, plain

_MOST_TRIALS = 1_000_000
_DEFAULT_HOURS = ("09:00", "21:00")
_DEFAULT_SLOT = 60
_TABLE_HELP = """\
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

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code (SPEC 15)."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except HexveilError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # whoever read our output has gone: what is still to be printed goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program_name(), description="Publish traffic statistics under differential privacy."
    )
    parser.add_argument("--version", action="version", version=f"Hexveil {__version__}")
    home = argparse.ArgumentParser(add_help=False)
    home.add_argument("--home", type=Path, help="folder of ledger, keys and settings (or HEXVEIL_HOME)")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for add in (_add_inspect, _add_table, _add_mechanisms, _add_evaluate, _add_contributions):
        add(commands, home)
    _add_release(commands, home)
    _add_verify(commands, home)
    _add_ledger(commands, home)
    _add_keygen(commands, home)
    _add_synthesize(commands, home)
    return parser


def _add_inspect(commands: Commands, home: argparse.ArgumentParser) -> None:
    command = commands.add_parser("inspect", parents=[home], help="guess the mapping, report what is usable")
    command.add_argument("data", nargs="+", metavar="DATA", help="files or patterns")
    command.add_argument("--spec", type=Path, help="take the mapping, zone and bound from this spec")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=_inspect)


def _add_table(commands: Commands, home: argparse.ArgumentParser) -> None:
    command = commands.add_parser(
        "table",
        parents=[home],
        help="compare H3 resolutions (confidential)",
        epilog=_TABLE_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("data", nargs="+", metavar="DATA", help="files or patterns")
    command.add_argument(
        "--resolutions", default="6,7,8", metavar="R,R", help="from 5 to 10 (default: 6,7,8)"
    )
    command.add_argument("--spec", type=Path, help="take mapping, zone, window and threshold from this spec")
    command.add_argument(
        "--threshold", type=int, metavar="N", help="vehicles a day in every slot (default: 10)"
    )
    command.add_argument("--hours", metavar="HH:MM-HH:MM", help="hours of the day (default: 09:00-21:00)")
    command.add_argument("--slot-minutes", type=int, metavar="M", help="15, 30, 60 or 120 (default: 60)")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=_table)


def _add_mechanisms(commands: Commands, home: argparse.ArgumentParser) -> None:
    command = commands.add_parser("mechanisms", parents=[home], help="list the mechanisms")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=_mechanisms)


def _add_evaluate(commands: Commands, home: argparse.ArgumentParser) -> None:
    command = commands.add_parser(
        "evaluate", parents=[home], help="errors of the mechanisms on true values (confidential)"
    )
    command.add_argument("data", nargs="*", metavar="DATA", help="files or patterns, with --hat")
    command.add_argument("--hat", help='one HAT of the data, for instance "20 8742d9d69ffffff"')
    command.add_argument("--hat-csv", type=Path, metavar="FILE", help="one HAT as user,value rows")
    command.add_argument(
        "--replica", nargs="?", const="replica", choices=list(REPLICAS), help="a bundled replica"
    )
    command.add_argument("--eps", default="0.5:2:16", metavar="A:B:N", help="N epsilons from A to B")
    command.add_argument("--trials", type=int, default=DEFAULT_TRIALS)
    command.add_argument("--mechanisms", metavar="KEYS", help="some of the registry, by commas")
    command.add_argument("--upper", type=float, metavar="U", help="upper bound in km/h (default: 65)")
    command.add_argument("--spec", type=Path, help="take mapping, zone, bound and window from this spec")
    command.add_argument("--population", metavar="NAME", help="with --hat: its later releases will say so")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=_evaluate)


def _add_contributions(commands: Commands, home: argparse.ArgumentParser) -> None:
    command = commands.add_parser(
        "contributions", parents=[home], help="write the contribution table as Parquet (confidential)"
    )
    command.add_argument("data", nargs="+", metavar="DATA", help="files or patterns")
    command.add_argument(
        "--spec", type=Path, required=True, help="take mapping, zone, bound, HATs and window from this spec"
    )
    command.add_argument("--out", type=Path, required=True, metavar="FILE.parquet")
    command.set_defaults(run=_contributions)


def _add_release(commands: Commands, home: argparse.ArgumentParser) -> None:
    command = commands.add_parser("release", parents=[home], help="release a signed bundle from a spec")
    command.add_argument("spec", type=Path, metavar="SPEC.toml")
    command.add_argument("--out", type=Path, required=True, help="folder that receives the bundle")
    command.add_argument("--key", type=Path, help="signing key (default: the home's)")
    command.add_argument("--passphrase-file", metavar="FILE|-", help="or HEXVEIL_PASSPHRASE")
    command.add_argument("--yes", action="store_true", help="do not ask")
    command.set_defaults(run=_release)


def _add_verify(commands: Commands, home: argparse.ArgumentParser) -> None:
    command = commands.add_parser("verify", parents=[home], help="check a bundle")
    command.add_argument("bundle", type=Path)
    command.add_argument("--public-key", metavar="KEY", help="the publisher's key: its text or a .pub file")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=_verify)


def _add_ledger(commands: Commands, home: argparse.ArgumentParser) -> None:
    command = commands.add_parser("ledger", help="what was spent, and the limits")
    actions = command.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", parents=[home], help="populations, limits and entries")
    show.add_argument("--json", action="store_true")
    show.set_defaults(run=_ledger_show)
    actions.add_parser("check", parents=[home], help="look for damage").set_defaults(run=_ledger_check)
    actions.add_parser("export", parents=[home], help="all entries as JSON, without secrets").set_defaults(
        run=_ledger_export
    )
    limit = actions.add_parser("set-limit", parents=[home], help="name a population and its limits")
    limit.add_argument("population")
    limit.add_argument("--per-vehicle", required=True, metavar="EPSILON")
    limit.add_argument("--per-vehicle-day", metavar="EPSILON")
    limit.add_argument("--delta", default="0", metavar="DELTA")
    limit.set_defaults(run=_ledger_set_limit)
    link = actions.add_parser("link", parents=[home], help="allow two populations to share vehicles")
    link.add_argument("population")
    link.add_argument("other")
    link.set_defaults(run=_ledger_link)


def _add_keygen(commands: Commands, home: argparse.ArgumentParser) -> None:
    command = commands.add_parser("keygen", parents=[home], help="make a signing key")
    command.add_argument("--out", type=Path, metavar="STEM", help="writes STEM.pem and STEM.pub")
    command.add_argument("--passphrase-file", metavar="FILE|-", help="or HEXVEIL_PASSPHRASE")
    command.set_defaults(run=_keygen)


def _add_synthesize(commands: Commands, home: argparse.ArgumentParser) -> None:
    command = commands.add_parser("synthesize", parents=[home], help="write ITMS-like synthetic records")
    command.add_argument("--records", type=int, required=True)
    command.add_argument("--out", type=Path, required=True, help=".csv, .csv.gz, .parquet, .json or .jsonl")
    command.add_argument("--seed", type=int, default=SYNTHESIS_SEED)
    command.set_defaults(run=_synthesize)


def _inspect(options: argparse.Namespace) -> int:
    files = expand(options.data, Path.cwd())
    rules, reasons = _rules(files, options.spec)
    if options.spec is None and (zone := zone_to_look(_preview(files[0]), rules.mapping.time)):
        rules = dataclasses.replace(rules, zone=zone)
        reasons |= {"zone": f"the times do not tell; {zone} is assumed"}
    loaded = load_records(files, rules, _progress, _cache(options))
    facts = loaded.report.to_json()
    if options.json:
        print(json.dumps(facts | ({"guessed": reasons} if reasons else {}), indent=2))
        return 0
    _print_facts(facts | {f"guessed {part}": reason for part, reason in reasons.items()})
    return 0


def _rules(files: Sequence[Path], spec: Path | None) -> tuple[ReadingRules, dict[str, str]]:
    """How to read the files: by a spec's [data], or guessed from the first file, with reasons."""
    if spec is not None:
        section = Section("data", read_toml(spec).get("data", {}))
        return parse_data(section, spec.absolute().parent, zone_required=False).rules, {}
    guess = guess_mapping(_preview(files[0]), where=str(files[0]))
    rules = ReadingRules(
        mapping=guess.mapping, zone=None, upper_bound=DEFAULT_UPPER_BOUND, format=guess.file_format
    )
    return rules, guess.reasons


def _preview(file: Path) -> Preview:
    return reader_for(file).preview(file)


def _table(options: argparse.Namespace) -> int:
    resolutions = _resolutions(options.resolutions)
    spec = None if options.spec is None else load_spec(options.spec)
    threshold = (spec.selection.threshold if spec else None) or DEFAULT_THRESHOLD
    if options.threshold is not None:
        threshold = require_threshold(options.threshold, where="--threshold")
    files = expand(options.data, Path.cwd())
    rules, _ = _rules(files, options.spec)
    records = load_records(files, rules, _progress, _cache(options)).records
    window = _table_window(options, records, spec)
    table = resolution_table(records, resolutions, window, threshold, _progress)
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


def _mechanisms(options: argparse.Namespace) -> int:
    listed: list[dict[str, Any]] = [
        {
            "key": mechanism.key,
            "title": mechanism.title,
            "reference": mechanism.reference,
            "summary": mechanism.summary,
            "relations": sorted(mechanism.relations),
            "parameters": {item.name: item.allowed() for item in declared(mechanism.Params)},
        }
        for mechanism in all_mechanisms().values()
    ]
    if options.json:
        print(json.dumps(listed, indent=2))
        return 0
    for mechanism in listed:
        print(f"{mechanism['key']}: {mechanism['title']} ({mechanism['reference']})")
        print(f"    {mechanism['summary']}")
        for name, allowed in mechanism["parameters"].items():
            print(f"    {name}: {allowed}")
    return 0


def _evaluate(options: argparse.Namespace) -> int:
    keys = None if options.mechanisms is None else [key.strip() for key in options.mechanisms.split(",")]
    series = all_series(keys, where="--mechanisms")
    epsilons = epsilon_points(options.eps, where="--eps")
    if not 1 <= options.trials <= _MOST_TRIALS:
        raise InputError(
            "This number of trials is not offered.",
            where="--trials",
            mend=f"write a number from 1 to {_MOST_TRIALS}",
        )
    source, hat = _evaluated_hat(options)
    _mark_evaluated(options)
    table = evaluate(hat, series, epsilons, source=source, trials=options.trials, progress=_progress)
    if options.json:
        print(json.dumps(table.to_json(), indent=2))
    else:
        _print_errors(table)
    return 0


def _evaluated_hat(options: argparse.Namespace) -> tuple[str, HatData]:
    """What the errors are measured on, and its name."""
    named = (options.hat, options.hat_csv, options.replica)
    if sum(item is not None for item in named) != 1 or bool(options.data) != (options.hat is not None):
        raise InputError(
            "Evaluation needs one HAT.",
            where="evaluate",
            mend="write DATA with --hat, or --hat-csv FILE, or --replica",
        )
    _check_population(options)
    upper = None if options.upper is None else _upper(options.upper)
    if options.replica:
        return _replica(options.replica, upper)
    if options.hat_csv is not None:
        return "hat-csv", read_hat(options.hat_csv, upper or DEFAULT_UPPER_BOUND)
    files = expand(options.data, Path.cwd())
    rules, _ = _rules(files, options.spec)
    window = load_spec(options.spec).window if options.spec is not None else None
    rules = rules if upper is None else dataclasses.replace(rules, upper_bound=upper)
    records = load_records(files, rules, _progress, _cache(options)).records
    return options.hat, loaded_hat(records, options.hat, window=window, progress=_progress)


def _check_population(options: argparse.Namespace) -> None:
    """Refuse a population that cannot be marked before any data are read."""
    if options.population is None:
        return
    if options.hat is None:
        raise InputError(
            "Only loaded data belong to a population.",
            where="--population",
            mend="leave --population out, or write DATA with --hat",
        )
    with Ledger.open(_home(options).ledger) as ledger:
        ledger.was_evaluated(options.population)


def _mark_evaluated(options: argparse.Namespace) -> None:
    """Durably, before errors are computed."""
    if options.population is not None:
        with Ledger.open(_home(options).ledger) as ledger:
            ledger.mark_evaluated(options.population)


def _upper(kmh: float) -> int:
    """U in thousandths; an infinite number or none is refused as 0 is."""
    return upper_bound_of(kmh if math.isfinite(kmh) else 0.0, where="--upper")


def _replica(key: str, upper: int | None) -> tuple[str, HatData]:
    """A bundled replica; its bound is a published fact."""
    hat = REPLICAS[key].make(0)
    if upper not in (None, hat.upper_bound):
        raise InputError("A replica has its own upper bound.", where="--upper", mend="leave --upper out")
    return key, hat


def _print_errors(table: ErrorTable) -> None:
    print(f"{'mechanism':<22}{'grouping':<12}{'epsilon':>9}{'m_UB':>7}{'arrays':>8}{'scale':>9}", end="")
    print(f"{'bias':>9}{'MAE':>9}{'exact':>9}")
    for row in table.rows:
        exact = "" if row.mae_exact is None else f"{row.mae_exact:.4f}"
        print(
            f"{row.mechanism:<22}{row.grouping or '':<12}{plain(row.eps):>9}{row.m_ub or '':>7}"
            f"{row.arrays or '':>8}{row.noise_scale:>9.4f}{row.bias:>9.4f}{row.mae:>9.4f}{exact:>9}"
        )
    print(f"km/h, {table.rows[0].trials} trials on {table.source}. Confidential: never beside a release.")


def _contributions(options: argparse.Namespace) -> int:
    spec = load_spec(options.spec)
    files = expand(options.data, Path.cwd())
    records = load_records(files, spec.data.rules, _progress, _cache(options)).records
    table = contributions_of(records, spec.resolution, spec.window, _progress)
    write_contributions(table, options.out, _progress)
    print(f"Written: {options.out}")
    print(f"{table.hat.size:,} rows of {table.hats:,} HATs, {len(table.values):,} values.")
    if table.derived:
        print("The speeds are derived from positions: a release of relation values refuses this table.")
    print("CONFIDENTIAL: true values and vehicle ids; readable by you only, and never beside a release.")
    return 0


def _release(options: argparse.Namespace) -> int:
    spec = load_spec(options.spec)
    home = _home(options)
    key = load_key(options.key or home.default_key, _passphrase(options.passphrase_file))
    with Ledger.open(home.ledger) as ledger:
        prepared = prepare(spec, ledger, out=options.out, progress=_progress, cache=_cache(options))
        _print_review(prepared.review)
        if not options.yes and not _agreed():
            print("Nothing was released.")
            return 0
        published = publish(prepared, ledger, key=key, out=options.out, now=dt.datetime.now(dt.UTC))
    print(f"Published: {published.bundle}")
    print(f"Key:       {key.fingerprint}")
    if published.repeated:
        print("The same release was drawn before: its stored values were published, nothing was spent.")
    return 0


def _agreed() -> bool:
    if not sys.stdin.isatty():
        raise InputError(
            "A release needs your consent.", where="standard input", mend="read the review, then add --yes"
        )
    return input("Release this? It cannot be undone. Type yes: ").strip().lower() == "yes"


def _verify(options: argparse.Namespace) -> int:
    verification = verify_bundle(options.bundle, options.public_key)
    if options.json:
        print(json.dumps(_verification_json(verification), indent=2))
    else:
        for check in verification.checks:
            print(f"{'ok    ' if check.passed else 'FAILED'} {check.name}: {check.detail}")
        print("The bundle holds." if verification.ok else "The bundle does NOT hold.")
    return 0 if verification.ok else 1


def _verification_json(verification: Verification) -> dict[str, object]:
    return {
        "ok": verification.ok,
        "trusted": verification.trusted,
        "key_id": verification.key_id,
        "checks": [
            {"name": check.name, "passed": check.passed, "detail": check.detail}
            for check in verification.checks
        ],
    }


def _ledger_show(options: argparse.Namespace) -> int:
    with Ledger.open(_home(options).ledger) as ledger:
        shown = ledger.export()
        populations = ledger.populations()
    if options.json:
        print(json.dumps(shown, indent=2))
        return 0
    for population in populations:
        print(f"{population.name} (relation {population.relation or 'not fixed yet'})")
        print(
            f"    per vehicle: spent {plain(population.spent)} of {plain(population.per_vehicle)}, "
            f"left {plain(population.left)}"
        )
        if population.evaluated_on is not None:
            print(f"    evaluated on true values since {population.evaluated_on}; later releases say so")
        for entry in population.entries:
            print(
                f"    entry {entry.number} of {entry.reserved_on}: {plain(entry.charge.per_vehicle)} "
                f"per vehicle, unit {entry.unit}, {', '.join(entry.mechanisms)}, {entry.state}"
            )
    return 0


def _ledger_check(options: argparse.Namespace) -> int:
    findings = ledgers.check(_home(options).ledger)
    for finding in findings:
        print(f"FAILED {finding}", file=sys.stderr)
    if not findings:
        print("The ledger is sound.")
    return 1 if findings else 0


def _ledger_export(options: argparse.Namespace) -> int:
    with Ledger.open(_home(options).ledger) as ledger:
        print(json.dumps(ledger.export(), indent=2))
    return 0


def _ledger_set_limit(options: argparse.Namespace) -> int:
    per_day = options.per_vehicle_day
    with Ledger.open(_home(options).ledger) as ledger:
        ledger.set_limit(
            options.population,
            per_vehicle=parse_epsilon(options.per_vehicle, where="--per-vehicle"),
            per_vehicle_day=parse_epsilon(per_day, where="--per-vehicle-day") if per_day else None,
            delta=_delta(options.delta),
        )
    print(f"The limit of {options.population!r} is {options.per_vehicle} per vehicle.")
    return 0


def _delta(text: str) -> Decimal:
    """A delta: 0, or an exact decimal below 1."""
    try:
        value = Decimal(text)
    except ArithmeticError:
        value = Decimal("NaN")
    if not value.is_finite() or not 0 <= value < 1:
        raise InputError(
            "A delta is a number from 0 to below 1.", where="--delta", mend="write 0 or 0.000001"
        )
    return value


def _ledger_link(options: argparse.Namespace) -> int:
    with Ledger.open(_home(options).ledger) as ledger:
        ledger.link(options.population, options.other)
    print(f"{options.population!r} and {options.other!r} are linked: both limits are charged from now on.")
    return 0


def _keygen(options: argparse.Namespace) -> int:
    home = _home(options)
    if options.out is None:
        home.create()
    stem = options.out or home.default_key.with_suffix("")
    key = generate_key(stem, _passphrase(options.passphrase_file, new=True))
    print(f"Private key: {stem}.pem (keep it, and its passphrase)")
    print(f"Public key:  {stem}.pub")
    print(f"Publish this key on your own site: {key.public_text}")
    print(f"Its fingerprint: {key.fingerprint}")
    return 0


def _synthesize(options: argparse.Namespace) -> int:
    synthesize(options.out, records=options.records, seed=options.seed, progress=_progress)
    print(f"Wrote {options.records} synthetic records to {options.out}")
    return 0


def _home(options: argparse.Namespace) -> Home:
    return find_home(options.home)


def _cache(options: argparse.Namespace) -> RecordCache:
    """Loaded records of earlier commands, so that the same files are read once."""
    return RecordCache(_home(options).cache)


def _passphrase(file: str | None, *, new: bool = False) -> str:
    """The key's passphrase from a file, standard input, the environment, or a prompt."""
    if file == "-":
        return sys.stdin.readline().rstrip("\r\n")
    if file:
        with unreadable_as_input_error(Path(file)):
            return Path(file).read_text("utf-8").rstrip("\r\n")
    if "HEXVEIL_PASSPHRASE" in os.environ:
        return os.environ["HEXVEIL_PASSPHRASE"]
    if not sys.stdin.isatty():
        raise InputError(
            "The key's passphrase is missing.",
            where="--passphrase-file",
            mend="name a file that holds it, or set HEXVEIL_PASSPHRASE",
        )
    first = getpass.getpass("Passphrase: ")
    if new and getpass.getpass("Again: ") != first:
        raise InputError("The two passphrases differ.", where="prompt", mend="run the command again")
    return first


def _print_review(review: Review) -> None:
    width = max(len(label) for label, _ in review.lines())
    for label, text in review.lines():
        print(f"{label:<{width}}  {text}")
    print(review.sentence)


def _print_facts(facts: dict[str, object]) -> None:
    width = max(map(len, facts))
    for name, value in facts.items():
        print(f"{name:<{width}}  {value}")


def _progress(done: float, text: str = "") -> None:
    """One line on a terminal, nothing elsewhere."""
    if sys.stderr.isatty():
        print(f"\r{text[:60]:<60} {done:4.0%}", end="\n" if done >= 1 else "", file=sys.stderr)
