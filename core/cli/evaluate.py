"""`evaluate`: errors of the mechanisms on true values, confidential (method 10.2).

Who looks at errors of real vehicles learns what no epsilon pays for: their population is named, the look is
entered in its ledger before anything is shown, and its later releases say so. Replicas are no one's records.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
from pathlib import Path

from core.accounting.ledger import Ledger
from core.cli.consent import consents
from core.cli.home_option import add_home, home_of
from core.cli.progress_line import progress_line
from core.cli.reading_options import cache_of, rules_for
from core.contributions import HatData
from core.errors import InputError
from core.evaluate.compared_curves import all_series, epsilon_points
from core.evaluate.error_table import ErrorTable
from core.evaluate.evaluation import DEFAULT_TRIALS, evaluate
from core.evaluate.hat_csv import read_hat
from core.evaluate.loaded_hat import loaded_hat
from core.evaluate.replica import REPLICAS
from core.quantity import SPEED
from core.read.file_listing import expand
from core.spec import DEFAULT_UPPER_BOUND, load_spec, upper_bound_of
from core.store.load_records import load_records
from core.values import plain

_MOST_TRIALS = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("data", nargs="*", metavar="DATA", help="files or patterns, with --hat")
    parser.add_argument("--hat", help='one HAT of the data, for instance "20 8742d9d69ffffff"')
    parser.add_argument("--hat-csv", type=Path, metavar="FILE", help="one HAT as user,value rows")
    parser.add_argument(
        "--replica", nargs="?", const="replica", choices=list(REPLICAS), help="a bundled replica"
    )
    parser.add_argument("--eps", default="0.5:2:16", metavar="A:B:N", help="N epsilons from A to B")
    parser.add_argument("--trials", type=int, default=DEFAULT_TRIALS)
    parser.add_argument("--mechanisms", metavar="KEYS", help="some of the registry, by commas")
    parser.add_argument("--upper", type=float, metavar="U", help="upper bound in km/h (default: 65)")
    parser.add_argument("--spec", type=Path, help="take mapping, zone, bound and window from this spec")
    parser.add_argument(
        "--population", metavar="NAME", help="whose vehicles they are: its later releases will say so"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--json", action="store_true")


def run(options: argparse.Namespace) -> int:
    """Print bias and errors of each mechanism and epsilon; a population of vehicles is marked before."""
    keys = None if options.mechanisms is None else [key.strip() for key in options.mechanisms.split(",")]
    series = all_series(keys, where="--mechanisms")
    epsilons = epsilon_points(options.eps, where="--eps")
    if not 1 <= options.trials <= _MOST_TRIALS:
        raise InputError(
            "This number of trials is not offered.",
            where="--trials",
            mend=f"write a number from 1 to {_MOST_TRIALS}",
        )
    _check_source(options)
    population = None if options.replica else _population(options)
    if population is not None and not options.yes and not _agreed(population):
        print("Nothing was evaluated.")
        return 0
    source, hat, unit = _evaluated_hat(options)
    if population is not None:
        _mark_evaluated(options, population)
    table = evaluate(hat, series, epsilons, source=source, trials=options.trials, progress=progress_line)
    if options.json:
        print(json.dumps(table.to_json(), indent=2))
    else:
        _print_errors(table, unit)
    return 0


def _check_source(options: argparse.Namespace) -> None:
    """Raise InputError unless exactly one HAT is named."""
    named = (options.hat, options.hat_csv, options.replica)
    if sum(item is not None for item in named) != 1 or bool(options.data) != (options.hat is not None):
        raise InputError(
            "Evaluation needs one HAT.",
            where="evaluate",
            mend="write DATA with --hat, or --hat-csv FILE, or --replica",
        )
    if options.replica and options.population is not None:
        raise InputError(
            "A replica is no one's records.",
            where="--population",
            mend="leave --population out, or name loaded data with --hat or --hat-csv",
        )


def _evaluated_hat(options: argparse.Namespace) -> tuple[str, HatData, str]:
    """What the errors are measured on: its name, its values, and their unit."""
    upper = None if options.upper is None else _upper(options.upper)
    if options.replica:
        return *_replica(options.replica, upper), SPEED.unit
    if options.hat_csv is not None:
        return "hat-csv", read_hat(options.hat_csv, upper or DEFAULT_UPPER_BOUND), SPEED.unit
    files = expand(options.data, Path.cwd())
    rules, _ = rules_for(files, options.spec)
    if rules.value is not None and upper is not None:
        raise InputError(
            f"The bounds of the {rules.quantity.title} stand in the spec.",
            where="--upper",
            mend="leave --upper out",
        )
    window = load_spec(options.spec).window if options.spec is not None else None
    rules = rules if upper is None else dataclasses.replace(rules, upper_bound=upper)
    records = load_records(files, rules, progress_line, cache_of(options)).records
    hat = loaded_hat(records, options.hat, window=window, progress=progress_line)
    return options.hat, hat, rules.quantity.unit


def _population(options: argparse.Namespace) -> str:
    """Whose true values are looked at. Raises before any data are read where it cannot be marked."""
    if options.population is None:
        raise InputError(
            "Errors on true values are entered in the ledger of a population, and none is named.",
            where="--population",
            mend="add --population NAME, whose vehicles these are; a new name is created without a limit",
        )
    with Ledger.open(home_of(options).ledger) as ledger:
        ledger.was_evaluated(options.population)
    return str(options.population)


def _agreed(population: str) -> bool:
    return consents(
        f'Show errors on true values? The ledger keeps it for good; later releases of "{population}" say so.',
        what="An evaluation of true values",
        mend="read what it means (README, limits of the guarantee), then add --yes",
    )


def _mark_evaluated(options: argparse.Namespace, population: str) -> None:
    """Durably, before errors are computed."""
    with Ledger.open(home_of(options).ledger) as ledger:
        ledger.mark_evaluated(population)


def _upper(kmh: float) -> int:
    """U in thousandths; an infinite number or none is refused as 0 is."""
    return upper_bound_of(kmh if math.isfinite(kmh) else 0.0, where="--upper")


def _replica(key: str, upper: int | None) -> tuple[str, HatData]:
    """A bundled replica; its bound is a published fact."""
    hat = REPLICAS[key].make(0)
    if upper not in (None, hat.upper_bound):
        raise InputError("A replica has its own upper bound.", where="--upper", mend="leave --upper out")
    return key, hat


def _print_errors(table: ErrorTable, unit: str) -> None:
    print(f"{'mechanism':<22}{'grouping':<12}{'epsilon':>9}{'m_UB':>7}{'arrays':>8}{'scale':>9}", end="")
    print(f"{'bias':>9}{'MAE':>9}{'exact':>9}")
    for row in table.rows:
        exact = "" if row.mae_exact is None else f"{row.mae_exact:.4f}"
        print(
            f"{row.mechanism:<22}{row.grouping or '':<12}{plain(row.eps):>9}{row.m_ub or '':>7}"
            f"{row.arrays or '':>8}{row.noise_scale:>9.4f}{row.bias:>9.4f}{row.mae:>9.4f}{exact:>9}"
        )
    print(f"{unit}, {table.rows[0].trials} trials on {table.source}. Confidential: never beside a release.")
