"""`plan`: what a total buys or an error costs, by resolutions and slots; refused options (method 10.6)."""

from __future__ import annotations

import argparse
import json
import math
from decimal import Decimal
from functools import partial
from pathlib import Path

from core.accounting.epsilon_rounding import plain
from core.accounting.zcdp import USUAL_DELTA
from core.advice.accuracy_first import FoundBudget, budget_for_error
from core.advice.city_advice import CityAdvice, GridOption, advise_city
from core.advice.delta_worth import advise_with_delta, totals_with_delta
from core.advice.knob_advice import slot_name
from core.cli.plan_user import EPILOG, PUBLIC_OPTIONS, add_public_counts, run_user
from core.console.city_grid import (
    GRID_TABLES,
    add_delta,
    delta_for,
    former_of,
    grid_of,
    joint_query,
    tie_key_for,
)
from core.console.home_option import add_home
from core.console.plain_output import speak_of
from core.console.progress_line import progress_line
from core.console.reading_options import cache_of, rules_for
from core.contributions import users_of
from core.draft.draft import USUAL_TOTAL
from core.errors import InputError
from core.mechanisms.public_model import FORETOLD_WITHIN
from core.planning.city_accuracy import ErrorGoal
from core.planning.counted_city import CountedCity
from core.planning.query_plan import Query
from core.privacy import Relation
from core.progress import part
from core.read.file_listing import expand
from core.records.records import Records
from core.release.prepare_publish import require_measured_values
from core.selection.registry import select
from core.spec import ReleaseSpec, SpecParts, load_data, load_parts, load_spec, relation_of
from core.statistics.error_figures import error_scale, unit_of_errors
from core.store.load_records import load_records
from core.subject import VEHICLE

SPEC_SUFFIX = ".toml"
_LOADING = 0.5
"""Part of the work of `plan` that is loading; the rest is planning."""
_EPILOG = """\
Without --error it compares resolutions 5 to 9, with slots of an hour, of four hours and of all hours, where
they keep three quarters of the records, and the zones, routes and periods of the spec. It compares the
typical error of a joint release (shares, or a mean by tokens) in the median hexagon slot at the total, and
names the finest useful grid, the most accurate one, and the recommended one between; for zones and routes
all three are of these. A spec that asks for neither is planned as a mean by tokens. With --error it shows the
smallest total that brings the error down to E (for shares in percentage points). Everything follows from
counts, never from values; what is printed is confidential all the same. Window, selection, unit and
parameters are the spec's; without one all dates and hours count, in slots of an hour, and hexagon slots with
at least 10 vehicles a day.

keys of --json:
  confidential, total
  unit          of the errors; those of shares are percentage points
  bound         what no release of the spec's grid can beat, before other weights and smoothing
  reason        what is recommended, and why
  total_needed  from which total on the spec's grid is better than a constant, where it does not; or null
  finest, balanced, most_exact  the three grids, and own the spec's; each null or with
    resolution (0: the spec's places), slot_minutes or periods, hours, noise, hats
    empty             share of the selected hexagon slots without a number, 0 to 1
    records           share of the window's records in the published hexagon slots, 0 to 1
    error_raw         typical error in the median hexagon slot
    error_smoothed    the same after smoothing, or null
    gain              how many times better than publishing one constant
    verdict           good, rough or no use
  with_delta    the recommended grid, the spec's or the finest, as the first whose error a delta of 1e-6 makes
    at least 5 % smaller would be then, and that delta; null without one, or where there is a delta
  grids         all that keep three quarters of the records, the finest first, the spec's places last
with --error: confidential, error, goal, smoothed, total; total_if_better, where the number is smoothed:
  enough if smoothing does as much better as it may; with_delta: the total that would do with a delta of
  1e-6, where it is at least 5 % smaller, and that delta; null without one, or where there is a delta
"""


_NOT_JOINT = "The spec asks for no joint release: these figures are of a mean by tokens, not of its query."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    parser.epilog = _EPILOG + EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add_home(parser)
    parser.add_argument(
        "data",
        nargs="*",
        metavar="DATA",
        help="files or patterns; or a spec alone, with its files",
    )
    parser.add_argument("--spec", type=Path, help="take mapping, window, selection and query from this spec")
    parser.add_argument("--total", metavar="X", help=f"epsilon per vehicle (default: {USUAL_TOTAL})")
    parser.add_argument("--error", type=float, metavar="E", help="the largest acceptable typical error")
    parser.add_argument(
        "--goal", choices=[goal.value for goal in ErrorGoal], default="median", help="of which hexagon slot"
    )
    parser.add_argument("--raw", action="store_true", help="with --error: of the numbers before smoothing")
    add_delta(parser)
    add_public_counts(parser)
    parser.add_argument("--json", action="store_true")


def run(options: argparse.Namespace) -> int:
    """Print the list or the total, or their JSON."""
    path = _spec_path(options)
    whole: ReleaseSpec | None = None
    if path is not None and relation_of(path) is Relation.USER:
        _refuse_data(options)
        whole = load_spec(path, progress_line)
    spec = None if path is None or whole is not None else load_parts(path, *GRID_TABLES)
    asked_of = whole or spec
    subject = whole.quantity.subject if whole else spec.subject if spec else VEHICLE
    speak_of(subject, hexagons=asked_of is None or asked_of.place.hexagons)
    if options.error is not None and not 0.0 < options.error < math.inf:
        raise InputError("This is not an error.", where="--error", mend="write for instance --error 2")
    if options.error is not None and options.total is not None:
        raise InputError("An error asks for the total.", where="--total", mend="leave one of the two out")
    if whole is not None:
        return run_user(options, whole)
    _refuse_public_counts(options)
    delta, tie_key = delta_for(options, spec), tie_key_for(options, spec)
    files = _files(options, path)
    rules, _ = rules_for(files, path)
    require_measured_values(rules.mapping, Relation.VALUES)
    query = joint_query(options, spec, options.total, rules.quantity)
    if spec and spec.queries and not options.json and not any(one.question.joint for one in spec.queries):
        print(_NOT_JOINT)
    loading = part(progress_line, 0.0, _LOADING)
    records = load_records(files, rules, loading, cache_of(options)).records
    if options.error is not None:
        _tell_total(options, spec, records, query, delta, tie_key)
        _print_foretold(options, spec, query)
        return 0
    asked = grid_of(spec, records)
    compare = partial(
        advise_city,
        lambda resolution, window: asked.table(records, resolution, window),
        request=asked.selection,
        query=query,
        unit=asked.unit,
        minimum_vehicles=asked.minimum_vehicles,
        tie_key=tie_key,
    )
    advice = advise_with_delta(
        compare,
        asked.compared_as,
        asked.window,
        delta=delta,
        given=options.delta is not None,
        progress=part(progress_line, _LOADING, 1.0),
    )
    if not (advice.grids or advice.own):
        asked.own_table(records)  # says so where the window contains no record
    if options.json:
        print(json.dumps(advice.to_json(), indent=2))
    else:
        _print_advice(advice)
        _print_foretold(options, spec, query)
    return 0


def _spec_path(options: argparse.Namespace) -> Path | None:
    """The spec, by its option or as all that is named."""
    if options.spec is None and len(options.data) == 1 and options.data[0].endswith(SPEC_SUFFIX):
        return Path(options.data[0])
    named: Path | None = options.spec
    return named


def _files(options: argparse.Namespace, path: Path | None) -> tuple[Path, ...]:
    """The data that are named, otherwise those of the spec."""
    if options.data and not (options.spec is None and path is not None):
        return expand(options.data, Path.cwd())
    data = None if path is None else load_data(path)
    if data is None or not data.files:
        raise InputError("No data are named.", where="DATA", mend="name files, or a spec of records")
    return data.paths()


def _refuse_data(options: argparse.Namespace) -> None:
    if options.data and options.spec is not None:
        raise InputError(
            "In relation user no record may choose a constant or a budget.",
            where="DATA",
            mend="name the spec alone: it is planned from public counts",
        )


def _refuse_public_counts(options: argparse.Namespace) -> None:
    named = [name for name in PUBLIC_OPTIONS if getattr(options, name) is not None]
    if named:
        raise InputError(
            "In relation values counts are those of the data.",
            where=f"--{named[0].replace('_', '-')}",
            mend='leave it out, or plan a spec with relation = "user"',
        )


def _tell_total(
    options: argparse.Namespace,
    spec: SpecParts | None,
    records: Records,
    query: Query,
    delta: Decimal,
    tie_key: bytes,
) -> None:
    asked, measure = grid_of(spec, records), query.question.statistic.measures[0]
    table = asked.own_table(records)
    city = CountedCity(
        table,
        users_of(table, asked.unit, tie_key),
        select(table, asked.selection),
        minimum_vehicles=asked.minimum_vehicles,
        delta=delta,
    )
    given = bool(delta) or options.delta is not None
    found, then = totals_with_delta(
        partial(
            budget_for_error,
            query=query,
            wanted=options.error / error_scale(measure),
            goal=ErrorGoal(options.goal),
            smoothed=not options.raw,
        ),
        city,
        given=given,
        progress=part(progress_line, _LOADING, 1.0),
    )
    if options.json:
        print(json.dumps(_total_json(options, found, then), indent=2))
    else:
        _print_total(options, unit_of_errors(measure), found, then)


def _total_json(
    options: argparse.Namespace, found: FoundBudget, then: FoundBudget | None
) -> dict[str, object]:
    less = {} if found.if_better is None else {"total_if_better": f"{found.if_better:f}"}
    return {
        "confidential": True,
        "error": options.error,
        "goal": options.goal,
        "smoothed": bool(less),
        "total": f"{found.budget.amount:f}",
        **less,
        "with_delta": then and {"delta": USUAL_DELTA, "total": f"{then.budget.amount:f}"},
    }


def _print_total(
    options: argparse.Namespace, unit: str, found: FoundBudget, then: FoundBudget | None
) -> None:
    total, less = f"{found.budget.amount:f}", found.if_better
    kind = "raw" if less is None else "smoothed"
    whose = f"{options.goal} hexagon slot's {kind} number"
    print(f"A total of {total} per vehicle: the {whose} will typically be off")
    print(f"by {options.error:g} {unit} at most, based on public counts; confidential until it is decided.")
    if less is not None:
        print(f"A smoothed error is predicted to a factor of {FORETOLD_WITHIN:g}, so between {less:f}")
        print(f"and {total} may be enough.")
    if then is not None:
        print(f"With a delta of {USUAL_DELTA} and Gaussian noise a total of {then.budget.amount:f} would do.")
        print(f"Allow it with ledger set-limit --delta {USUAL_DELTA}.")


def _print_foretold(options: argparse.Namespace, spec: SpecParts | None, query: Query) -> None:
    """Why errors are others than before the population's newest release."""
    if not options.json and (said := former_of(options, spec).sentence_of(query)):
        print(said)


def _print_advice(advice: CityAdvice) -> None:
    print("CONFIDENTIAL: counts of the loaded records, for your eyes only; never publish them.")
    unit = unit_of_errors(advice.measure)
    print(f"Total epsilon {plain(advice.total)} per vehicle; typical errors in {unit}\n")
    print_grids(advice)
    print("\n".join(text for text in (advice.bound, advice.reason) if text))


def print_grids(advice: CityAdvice) -> None:
    """The three grids, and the one that was asked about, a line each; nothing without any."""
    if not advice.options:
        return
    rows = {
        "finest": advice.finest,
        "balanced, recommended": advice.balanced,
        "most exact": advice.most_exact,
        "asked about": advice.own,
    }
    heads = ("", "resolution", "slots", "noise", "hexagon slots", "records", "raw", "smoothed", "verdict")
    scale = error_scale(advice.measure)
    listed = [*rows.items(), *(("further", option) for option in advice.further)]
    lines = [heads, *(_line(name, option, scale) for name, option in listed if option is not None)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(f"{text:>{width}}" for text, width in zip(line, widths, strict=True)))
    print()


def _line(name: str, option: GridOption, scale: int) -> tuple[str, ...]:
    smoothed = "" if option.smoothed_error is None else f"{scale * option.smoothed_error:.2f}"
    window = option.window
    return (
        name,
        str(option.resolution or "places"),
        slot_name(window.slot_length),
        option.noise.value,
        str(option.hats),
        f"{option.records:.0%}",
        f"{scale * option.raw_error:.2f}",
        smoothed,
        option.usefulness.value,
    )
