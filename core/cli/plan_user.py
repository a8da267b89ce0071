"""`plan` in relation `user`, no record read: regions, constants, totals by public counts (method 12.9)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from core.accounting.epsilon_input import parse_epsilon
from core.accounting.epsilon_rounding import plain
from core.advice.enforced_choice import EnforcedChoice
from core.advice.region_offer import offered_regions
from core.advice.user_advice import (
    TIMES,
    PublicPicture,
    UserAdvice,
    advise_user,
    public_picture,
    total_for_user_error,
    typed_hats,
)
from core.bounding.constants import BoundingConstants
from core.bounding.plan_and_enforce import USUAL_SHARE
from core.bundle.public_constants import constants_of
from core.console.city_grid import delta_for
from core.console.progress_line import progress_line
from core.counted import count_of
from core.errors import InputError
from core.mechanisms.enforced_mean import EnforcedMeanParams
from core.mechanisms.tokens import AUTO
from core.planning.bounded_query import require_region_params
from core.planning.city_accuracy import ErrorGoal, no_total_for_regions
from core.planning.constant_choice import ConstantChoice, noises_of
from core.planning.query_plan import Query
from core.prior.public_source import read_public_counts
from core.spec import ReleaseSpec
from core.statistics.mean import MeanQuestion

EPILOG = """\

In relation user no data are given, and none are read: `plan SPEC.toml` shows the typical error as a function
of C (hexagon slots per vehicle) and total, for a bounded mean and for plan and enforce. It uses public
figures: the spec's public counts and typed numbers, or those of these options. With --error it shows the
smallest total for the spec's mechanism, and its C.

keys of --json in relation user:
  relation, unit, total, delta, goal
  source          what public counts were read from
  candidates, listed             hexagon slots, and those where public counts expect somebody
  hats_per_vehicle               C of the spec
  hats_expected                  how many listed hexagon slots one unit visits
  bounded         for each C that is tried and each total: total, hats_per_vehicle, noise, error
  best            of each total the C with the smallest error
  enforced        of each total plan and enforce: total, noise, error
  gaussian_from   from how many hexagon slots per unit Gaussian noise is smaller at the total, or null
  reason          what is recommended, and why
of a spec with regions = true, instead of bounded, best, enforced and gaussian_from:
  promised_error
  regions         of each total that buys any: total, noise, regions, record_share, kept_error
with --error: relation, error, goal, mechanism, total, noise, hats_per_vehicle (null: plan and enforce)
"""


PUBLIC_OPTIONS = ("public_counts", "seconds_per_ping", "public_key", "fleet", "vehicles", "records")
"""What only relation `user` takes."""


def add_public_counts(parser: argparse.ArgumentParser) -> None:
    """Add the options that tell what is publicly known of the city."""
    known = parser.add_argument_group("relation user")
    known.add_argument(
        "--public-counts", type=Path, metavar="PATH", help="CSV file, timetable or older release"
    )
    known.add_argument("--seconds-per-ping", type=int, metavar="S", help="of a timetable")
    known.add_argument("--public-key", metavar="KEY", help="of an older release's publisher")
    known.add_argument("--fleet", type=int, metavar="N", help="vehicles in all")
    known.add_argument("--vehicles", type=int, metavar="N", help="of a hexagon slot, without a file")
    known.add_argument("--records", type=int, metavar="N", help="of one vehicle in a hexagon slot")


def run_user(options: argparse.Namespace, spec: ReleaseSpec) -> int:
    """Print the table or the total, or their JSON. Raises InputError."""
    if options.raw:
        raise InputError(
            "What smoothing gains in relation user depends on the released numbers.",
            where="--raw",
            mend="leave it out: errors are of the numbers before smoothing",
        )
    query = _mean_of(spec)
    constants, delta = constants_of(spec), delta_for(options, spec)
    picture, source_text = _picture(options, spec, query, constants)
    noise, goal = getattr(query.question.params, "noise", AUTO), ErrorGoal(options.goal)
    unit = query.question.statistic.quantity.unit
    if query.question.by_region:
        return _run_regions(options, query, constants, picture, source_text, delta)
    if options.error is not None:
        enforced = isinstance(query.question.params, EnforcedMeanParams)
        choice = total_for_user_error(
            picture,
            constants,
            options.error,
            enforced=enforced,
            noise=noise,
            delta=delta,
            goal=goal,
            progress=progress_line,
        )
        hats = choice.hats_per_vehicle if isinstance(choice, ConstantChoice) else None
        if options.json:
            answer = {"relation": "user", "error": options.error, "goal": goal.value, "source": source_text}
            answer |= {"mechanism": query.question.key, "total": plain(choice.total)}
            print(json.dumps(answer | {"noise": choice.noise.value, "hats_per_vehicle": hats}, indent=2))
            return 0
        constant = "" if hats is None else f" and at most {count_of(hats, 'hexagon slot')}"
        print(f"Public counts: {source_text}")
        print(
            f"A total of {plain(choice.total)}{constant} per {constants.unit} with {choice.noise.value} "
            f"noise: the {goal} hexagon slot will typically miss {choice.error_kmh:.3g} {unit}."
        )
        return 0
    advice = advise_user(
        picture,
        constants,
        _total(options, query),
        noise=noise,
        delta=delta,
        goal=goal,
        progress=progress_line,
    )
    if options.json:
        print(json.dumps({"source": source_text} | advice.to_json(), indent=2))
    else:
        _print(advice, source_text, unit)
    return 0


def _run_regions(
    options: argparse.Namespace,
    query: Query,
    constants: BoundingConstants,
    picture: PublicPicture,
    source_text: str,
    delta: Decimal,
) -> int:
    """Which regions the total buys, and parts and multiples of it. Raises InputError."""
    if options.error is not None:
        raise no_total_for_regions(query.id)
    total, params = _total(options, query), query.question.params
    require_region_params(params)
    totals = [total * times for times in TIMES]
    noises, promised = noises_of(params.noise, delta), params.promised_error
    offers = offered_regions(picture.listed, noises, totals, promised, delta=delta, progress=progress_line)
    if options.json:
        answer = {
            "source": source_text,
            "relation": "user",
            "unit": str(constants.unit),
            "total": plain(total),
        }
        answer |= {"delta": f"{delta:f}", "promised_error": promised}
        print(json.dumps(answer | {"regions": [one.to_json() for one in offers]}, indent=2))
        return 0
    unit = query.question.statistic.quantity.unit
    print("From constants and public counts alone: no record was read.")
    print(f"Public counts: {source_text}")
    print(f"Regions that keep an error of {promised:g} {unit} if public counts are right:\n")
    lines = [("total", "regions", "records in them", "noise", "misses at most")]
    lines += [
        (
            plain(one.total),
            str(one.regions),
            f"{one.record_share:.1%}",
            one.noise.value,
            f"{one.largest_error:.3g}",
        )
        for one in offers
    ]
    _print_columns(lines)
    return 0


def _mean_of(spec: ReleaseSpec) -> Query:
    found = next((one for one in spec.queries if isinstance(one.question, MeanQuestion)), None)
    if found is None:
        raise InputError(
            "Constants are chosen for a mean, and this spec has none.",
            where="query.statistic",
            mend='add a query with statistic = "mean"',
        )
    return found


def _total(options: argparse.Namespace, query: Query) -> Decimal:
    if options.total is not None:
        return parse_epsilon(options.total, where="--total")
    if query.budget.total is None:
        raise InputError("There is no total to plan for.", where="query.total", mend="add --total 10")
    return query.budget.total


def _picture(
    options: argparse.Namespace, spec: ReleaseSpec, query: Query, constants: BoundingConstants
) -> tuple[PublicPicture, str]:
    """What is publicly known, and a sentence on it; options go before the spec."""
    params = query.question.params
    typed = params if isinstance(params, EnforcedMeanParams) else EnforcedMeanParams()
    fleet = typed.fleet if options.fleet is None else options.fleet
    vehicles = typed.vehicles if options.vehicles is None else options.vehicles
    records = typed.records if options.records is None else options.records
    share = Decimal(str(typed.share)) if typed is params else USUAL_SHARE
    if options.public_counts is not None:
        source = read_public_counts(
            options.public_counts,
            constants.cells,
            constants.window,
            spec.resolution,
            constants.unit,
            seconds_per_ping=query.source.seconds_per_ping
            if options.seconds_per_ping is None
            else options.seconds_per_ping,
            records=records,
            public_key=options.public_key or "",
            places=constants.places,
            progress=progress_line,
        )
        hats, source_text = source.hats, source.description
        fleet = fleet if options.fleet is not None else source.fleet or fleet
    elif query.public_counts and options.vehicles is None:
        hats, fleet = query.public_counts, fleet or query.public_fleet
        source_text = f"{query.source.path}, {count_of(len(hats), 'hexagon slot')}"
    else:
        hats = typed_hats(constants, vehicles=vehicles, records=records)
        source_text = (
            f"{count_of(vehicles, 'vehicle')} with {count_of(records, 'record')} each in every slot, as typed"
        )
    return public_picture(constants, hats, fleet, share), source_text


def _print(advice: UserAdvice, source_text: str, unit: str) -> None:
    print("From constants and public counts alone: no record was read.")
    print(f"Public counts: {source_text}")
    print(
        f"{advice.listed} of {count_of(advice.constants.candidates, 'candidate hexagon slot')}; one "
        f"{advice.constants.unit} "
        f"visits about {advice.hats_of_one:.3g} of them"
    )
    print(
        f"Typical error of the {advice.goal} hexagon slot, {unit}, for totals per {advice.constants.unit}:\n"
    )
    lines = [
        ("C", *(plain(total) for total in advice.totals)),
        *((str(row[0].hats_per_vehicle), *map(_cell, row)) for row in advice.bounded),
        ("best C", *(str(one.hats_per_vehicle) for one in advice.best)),
        ("plan and enforce", *map(_cell, advice.enforced)),
    ]
    _print_columns(lines)
    print("\n" + "\n".join((advice.on_constant, advice.on_mechanism, advice.on_noise)))


def _print_columns(lines: Sequence[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(f"{text:>{width}}" for text, width in zip(line, widths, strict=True)))


def _cell(choice: ConstantChoice | EnforcedChoice) -> str:
    return f"{choice.error_kmh:.2f} {choice.noise.value}"
