"""`evaluate`: errors on true values of one HAT, a file or a replica, and refused options (method 10.7).

Who looks at errors of real vehicles learns what no epsilon pays for: their population is named, the look is
entered in its ledger before anything is shown, and its later releases say so. Replicas are no one's records.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import sys
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from core.accounting.epsilon_input import parse_delta
from core.accounting.epsilon_rounding import plain
from core.accounting.zcdp import USUAL_DELTA
from core.cli.evaluate_city import CITY_TOTALS, evaluate_city
from core.console.city_grid import add_delta
from core.console.home_option import add_home
from core.console.number_option import number_typed
from core.console.plain_output import speak_of
from core.console.progress_line import progress_line
from core.console.reading_options import cache_of, rules_for
from core.console.true_values import (
    add_population,
    agreed_on,
    mark_evaluated,
    population_of,
)
from core.contributions import HatData
from core.counted import count_of
from core.errors import InputError
from core.evaluate.city_comparison import METHODS, RELEASES
from core.evaluate.compared_curves import SharedTotal, all_series, epsilon_points
from core.evaluate.error_table import ErrorRow, ErrorTable
from core.evaluate.evaluation import DEFAULT_TRIALS, evaluate
from core.evaluate.hat_csv import read_hat
from core.evaluate.loaded_hat import loaded_hat
from core.evaluate.replica import REPLICAS
from core.evaluate.scaling import FACTOR, MOST_FACTOR, SCALINGS
from core.grouping.m_ub import beyond_m_star
from core.mechanisms.tokens import LAPLACE
from core.privacy import Relation
from core.quantity import SPEED
from core.read.file_listing import expand
from core.spec import DEFAULT_UPPER_BOUND, load_parts, relation_of, subject_named, upper_bound_of
from core.store.load_records import load_records
from core.subject import VEHICLE
from core.system.paths import program_name

_MOST_TRIALS = 1_000_000
_EPSILONS = "0.5:2:16"
_MOST_HATS = 1_000_000
_WIDTH = 28
"""Characters of the column of mechanisms that `evaluate` prints."""
_ONE_RECORD = "one record"
_SEED = 0
"""Of the replicas that `evaluate` makes: the same command tells the same figures."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("data", nargs="*", metavar="DATA", help="files or patterns, with --hat or --city")
    parser.add_argument("--hat", help='one hexagon slot of the data, for instance "20 8742d9d69ffffff"')
    parser.add_argument(
        "--city", action="store_true", help="every hexagon slot of the data, by each way to spend one total"
    )
    parser.add_argument("--hat-csv", type=Path, metavar="FILE", help="one hexagon slot as user,value rows")
    parser.add_argument(
        "--replica", nargs="?", const="replica", choices=list(REPLICAS), help="a bundled replica"
    )
    parser.add_argument(
        "--scale", choices=list(SCALINGS), help="with --replica: more records of each user, or more users"
    )
    parser.add_argument(
        "--factor", type=int, metavar="N", help=f"how many times, with --scale (default: {FACTOR})"
    )
    parser.add_argument("--m-ub", metavar="RULE", help="records per user: a rule by name, or a number")
    parser.add_argument("--gamma", metavar="G", help="gamma of Levy")
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any parameter, for the mechanisms that have it (again for another)",
    )
    parser.add_argument(
        "--eps",
        metavar="A:B:N",
        help=f"N epsilons from A to B (default: {_EPSILONS}; with --city totals: {CITY_TOTALS})",
    )
    parser.add_argument(
        "--trials", type=int, help=f"default: {DEFAULT_TRIALS}; with --city releases: {RELEASES}"
    )
    parser.add_argument(
        "--mechanisms",
        metavar="KEYS",
        help="some of the registry, separated by commas; with --city "
        "some of " + ",".join(one.key for one in METHODS),
    )
    parser.add_argument(
        "--hats",
        type=int,
        metavar="N",
        help="with --delta: Gaussian noise too, of one hexagon slot of N under a total of N epsilons",
    )
    add_delta(parser)
    parser.add_argument(
        "--event-level",
        action="store_true",
        help="also with neighbours that differ in one record, for comparison: no release protects so little",
    )
    parser.add_argument("--upper", type=float, metavar="U", help="upper bound in km/h (default: 65)")
    parser.add_argument("--spec", type=Path, help="take mapping, zone, bound and window from this spec")
    add_population(parser)
    parser.add_argument("--json", action="store_true")


def run(options: argparse.Namespace) -> int:
    """Print bias and errors of each mechanism and epsilon; a population of vehicles is marked before."""
    _require_values(options)
    speak_of(VEHICLE if options.spec is None else subject_named(options.spec))
    if options.city:
        _check_source(options)
        _refuse_of_one_hat(options)
        return evaluate_city(options)
    keys = None if options.mechanisms is None else [key.strip() for key in options.mechanisms.split(",")]
    given = _given(options)
    epsilons = epsilon_points(options.eps or _EPSILONS, where="--eps")
    shared = _shared_total(options, epsilons[0])
    series = all_series(keys, where="--mechanisms", given=given, shared=shared)
    if options.event_level:
        series += tuple(dataclasses.replace(one, event_level=True) for one in series)
    trials = number_typed(options.trials, DEFAULT_TRIALS, _MOST_TRIALS, called="trials", where="--trials")
    _check_source(options)
    population = None if options.replica else population_of(options)
    if population is not None and not agreed_on(options, population):
        print("Nothing was evaluated.")
        return 0
    source, hat, unit = _evaluated_hat(options)
    if population is not None:
        mark_evaluated(options, population)
    table = evaluate(hat, series, epsilons, source=source, trials=trials, progress=progress_line)
    if options.json:
        print(json.dumps(table.to_json(), indent=2))
    else:
        _print_errors(table, unit, shared)
    _tell_cut(given, hat)
    return 0


def _given(options: argparse.Namespace) -> dict[str, str]:
    """Name -> text of the parameters. Raises InputError for what is no name and value, or given twice."""
    pairs = [("m_ub", options.m_ub), ("gamma", options.gamma)]
    for text in options.param:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(
                "This is not a parameter with a value.",
                where="--param",
                mend="write for instance --param gamma=0.1",
            )
        pairs.append((name.strip().replace("-", "_"), value.strip()))
    given: dict[str, str] = {}
    for name, value in pairs:
        if value is None:
            continue
        if name in given:
            raise InputError(f"The parameter {name!r} is given twice.", where="--param", mend="leave one out")
        given[name] = value
    return given


def _shared_total(options: argparse.Namespace, least: Decimal) -> SharedTotal | None:
    """What Gaussian noise is bought by; least: of the epsilons.

    Raises InputError where it is to be had for none of them: nothing has been looked at by then.
    """
    if options.hats is None:
        return None
    if not 1 <= options.hats <= _MOST_HATS:
        raise InputError(
            "A total cannot be shared by so many hexagon slots.",
            where="--hats",
            mend=f"write a number from 1 to {_MOST_HATS}",
        )
    if options.delta is None:
        raise InputError(
            "Gaussian noise needs a delta.", where="--delta", mend=f"write for instance --delta {USUAL_DELTA}"
        )
    shared = SharedTotal(hats=options.hats, delta=parse_delta(options.delta, where="--delta"))
    shared.rho(least)
    return shared


def _refuse_of_one_hat(options: argparse.Namespace) -> None:
    if options.event_level:
        raise InputError(
            "The ways to spend one total of a city protect vehicles.",
            where="--event-level",
            mend="leave it out, or name one hexagon slot",
        )
    if options.hats is not None:
        raise InputError(
            "A city has its own hexagon slots.",
            where="--hats",
            mend="leave it out: --delta allows Gaussian noise",
        )


def _tell_cut(given: Mapping[str, str], hat: HatData) -> None:
    """Rule (e) of method 6.2: a number above m* counts as m*."""
    text, most = given.get("m_ub", ""), int(hat.counts[0])
    if text.isdecimal() and beyond_m_star(int(text), hat.counts):
        print(
            f"m_UB {text}: no user has more than {count_of(most, 'record')}, so {most} is taken.",
            file=sys.stderr,
        )


def _require_values(options: argparse.Namespace) -> None:
    """Raise InputError for a spec of relation `user`: no method that is compared could release it."""
    if options.spec is not None and relation_of(options.spec) is Relation.USER:
        raise InputError(
            "The compared methods use exact counts, which relation user protects.",
            where="privacy.relation",
            mend=f"run `{program_name()} plan` with the spec: typical errors follow from public counts",
        )


def _check_source(options: argparse.Namespace) -> None:
    """Raise InputError unless exactly one HAT is named."""
    named = (options.hat, options.hat_csv, options.replica)
    of_data = options.hat is not None or options.city
    if sum(item is not None for item in named) + options.city != 1 or bool(options.data) != of_data:
        raise InputError(
            "Evaluation needs one hexagon slot or a whole city.",
            where="evaluate",
            mend="write DATA with --hat or --city, or --hat-csv FILE, or --replica",
        )
    if options.replica and options.population is not None:
        raise InputError(
            "A replica has no real vehicles.",
            where="--population",
            mend="leave --population out, or name loaded data with --hat or --hat-csv",
        )
    _check_scale(options)


def _check_scale(options: argparse.Namespace) -> None:
    if options.scale and not options.replica:
        raise InputError("Only a replica is scaled.", where="--scale", mend="add --replica, or leave it out")
    if options.factor is not None and not options.scale:
        raise InputError(
            "A factor needs a kind of scaling.", where="--factor", mend="add --scale sample or user"
        )
    _factor(options)


def _factor(options: argparse.Namespace) -> int:
    return number_typed(options.factor, FACTOR, MOST_FACTOR, called="copies", where="--factor")


def _evaluated_hat(options: argparse.Namespace) -> tuple[str, HatData, str]:
    """What the errors are measured on: its name, its values, and their unit."""
    upper = None if options.upper is None else _upper(options.upper)
    if options.replica:
        return *_replica(options, upper), SPEED.unit
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
    window = load_parts(options.spec, "hats").window if options.spec is not None else None
    rules = rules if upper is None else dataclasses.replace(rules, upper_bound=upper)
    records = load_records(files, rules, progress_line, cache_of(options)).records
    hat = loaded_hat(records, options.hat, window=window, progress=progress_line)
    return options.hat, hat, rules.quantity.unit


def _upper(kmh: float) -> int:
    """U in thousandths; an infinite number or none is refused as 0 is."""
    return upper_bound_of(kmh if math.isfinite(kmh) else 0.0, where="--upper")


def _replica(options: argparse.Namespace, upper: int | None) -> tuple[str, HatData]:
    """A bundled replica, scaled where that is asked for; its bound is a published fact."""
    hat = REPLICAS[options.replica].make(_SEED)
    if upper not in (None, hat.upper_bound):
        raise InputError("A replica has its own upper bound.", where="--upper", mend="leave --upper out")
    if options.scale is None:
        return options.replica, hat
    factor = _factor(options)
    return f"{options.replica}, {options.scale} scaling x{factor}", SCALINGS[options.scale](
        hat, _SEED, factor
    )


def _print_errors(table: ErrorTable, unit: str, shared: SharedTotal | None) -> None:
    print(
        f"{'mechanism':<{_WIDTH}}{'grouping':<12}{'epsilon':>9}{'m_UB':>7}{'arrays':>8}{'scale':>9}", end=""
    )
    print(f"{'bias':>9}{'MAE':>9}{'exact':>9}")
    for row in table.rows:
        exact = "" if row.mae_exact is None else f"{row.mae_exact:.4f}"
        print(
            f"{_named(row):<{_WIDTH}}{row.grouping or '':<12}{plain(row.eps):>9}{row.m_ub or '':>7}"
            f"{row.arrays or '':>8}{row.noise_scale:>9.4f}{row.bias:>9.4f}{row.mae:>9.4f}{exact:>9}"
        )
    noise = "Laplace noise"
    if shared is not None:
        noise += f" or Gaussian noise of one hexagon slot of {shared.hats} at delta {plain(shared.delta)}"
    made = f"{unit}, {noise}, {count_of(table.rows[0].trials, 'trial')} on {table.source}"
    print(f"{made}. Confidential: never publish it.")
    if table.rows[-1].event_level:
        print(
            f"Rows of {_ONE_RECORD} hide one record from somebody who knows all others, not a vehicle. They "
            "are for comparison: no release protects so little."
        )


def _named(row: ErrorRow) -> str:
    words = [row.mechanism]
    if row.noise != LAPLACE:
        words.append(row.noise)
    if row.event_level:
        words.append(_ONE_RECORD)
    return ", ".join(words)
