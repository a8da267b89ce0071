"""`ledger`: limits, deltas, linked and different populations, entries: an action each (method 13)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from decimal import ROUND_DOWN, Decimal

from core.accounting.epsilon_input import parse_delta, parse_epsilon
from core.accounting.epsilon_rounding import glance, plain
from core.accounting.ledger import AS_SET, AsSet, Ledger, check
from core.accounting.ledger_report import EntrySummary, PopulationSummary, export_json
from core.accounting.ledger_rules import LARGEST_DELTA, clean_name, delta_warning
from core.console.home_option import add_home, home_of

_NONE = "none"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions and what may follow each."""
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", required=True, parser_class=argparse.ArgumentParser
    )
    show = actions.add_parser("show", help="populations, limits and entries")
    add_home(show)
    show.add_argument("--json", action="store_true")
    add_home(actions.add_parser("check", help="look for damage"))
    add_home(actions.add_parser("export", help="all entries as JSON, without secrets"))
    limit = actions.add_parser("set-limit", help="name a population and its limits")
    add_home(limit)
    limit.add_argument("population")
    limit.add_argument("--per-vehicle", required=True, metavar="EPSILON")
    limit.add_argument(
        "--per-vehicle-day",
        metavar="EPSILON",
        help=f"{_NONE} removes it; left out, it stays as it is",
    )
    limit.add_argument(
        "--delta",
        metavar="DELTA",
        help="allows Gaussian noise, for instance 1e-6; 0 forbids it; left out, it stays as it is",
    )
    for name, text in (
        ("link", "allow two populations to share vehicles: what either releases counts against both limits"),
        ("different", "declare for good that two populations are different things whose ids look alike"),
    ):
        pair = actions.add_parser(name, help=text)
        add_home(pair)
        pair.add_argument("population")
        pair.add_argument("other")


def run(options: argparse.Namespace) -> int:
    """Do what the action says."""
    return ACTIONS[options.action](options)


def _show(options: argparse.Namespace) -> int:
    with Ledger(home_of(options).ledger) as ledger:
        populations = ledger.populations()
    if options.json:
        print(json.dumps(export_json(populations), indent=2))
        return 0
    for population in populations:
        fixed = f"relation {population.relation}" if population.relation else "relation not fixed yet"
        zone = f", zone {population.zone}" if population.zone else ""
        print(f"{population.name} ({fixed}{zone})")
        for line in _balance(population):
            print(f"    {line}")
        if population.evaluated_on is not None:
            print(f"    evaluated on true values since {population.evaluated_on}; later releases say so")
        for entry in population.entries:
            whose = "" if entry.population == population.name else f" ({entry.population})"
            print(
                f"    entry {entry.number}{whose} of {entry.reserved_on}: {_charged(entry)} "
                f"per vehicle, unit {entry.unit}, {', '.join(entry.mechanisms)}, {_became(entry)}"
            )
            for notice in entry.notices:
                by = f" by {notice.replaced_by}" if notice.replaced_by else ""
                print(f"        {notice.bundle} was {notice.notice}{by} on {notice.on}")
    return 0


def _became(entry: EntrySummary) -> str:
    """How far it has come, and the names and versions of what was published."""
    return f"{entry.state}: {', '.join(entry.bundles)}" if entry.bundles else str(entry.state)


def _charged(entry: EntrySummary) -> str:
    """Pure epsilon and rho side by side: what they come to depends on everything else that was spent."""
    rho = entry.charge.rho.per_vehicle
    return glance(entry.charge.per_vehicle) + (f" and rho {glance(rho)}" if rho else "")


def _balance(population: PopulationSummary) -> Iterator[str]:
    """What is spent and left, and of whom."""
    if population.per_vehicle is None:
        yield "no limit: nothing is released until one is set"
    elif population.delta_too_large:
        yield f"delta is above {LARGEST_DELTA}: nothing is released until it is lowered"
    elif population.lacks_delta():
        yield "Gaussian noise was spent and delta is 0: nothing is released until a delta is set"
    else:
        yield (
            f"per vehicle: spent {glance(population.spent)} of {plain(population.per_vehicle)}, "
            f"left {glance(population.left, rounding=ROUND_DOWN)}"
        )
    if population.loss.rho:
        yield (
            f"of Gaussian noise: pure epsilon {glance(population.loss.pure)} and rho "
            f"{glance(population.loss.rho)}, at delta {plain(population.shared_delta)}"
        )
    elif population.shared_delta:
        yield f"delta {plain(population.shared_delta)}"
    if population.linked:
        names = ", ".join(population.linked)
        yield f"linked to {names}: the sum of all, and the smallest limit"
    if population.different:
        yield f"different things from {', '.join(population.different)}, whatever their ids look like"
    if population.over_limit:
        yield "over the limit: nothing is released until it is raised"


def _check(options: argparse.Namespace) -> int:
    findings = check(home_of(options).ledger)
    for finding in findings:
        print(f"FAILED {finding}", file=sys.stderr)
    if not findings:
        print("The ledger is sound.")
    return 1 if findings else 0


def _export(options: argparse.Namespace) -> int:
    with Ledger.open(home_of(options).ledger) as ledger:
        print(json.dumps(ledger.export(), indent=2))
    return 0


def _set_limit(options: argparse.Namespace) -> int:
    per_day, delta = options.per_vehicle_day, options.delta
    day_limit: Decimal | AsSet | None = AS_SET
    if per_day is not None:
        day_limit = None if per_day == _NONE else parse_epsilon(per_day, where="--per-vehicle-day")
    with Ledger.open(home_of(options).ledger) as ledger:
        ledger.set_limit(
            options.population,
            per_vehicle=parse_epsilon(options.per_vehicle, where="--per-vehicle"),
            per_vehicle_day=day_limit,
            delta=AS_SET if delta is None else parse_delta(delta, where="--delta"),
        )
        (found,) = [one for one in ledger.populations() if one.name == clean_name(options.population)]
    day = _NONE if found.own_per_vehicle_day is None else plain(found.own_per_vehicle_day)
    print(
        f"The limits of {options.population!r}: {options.per_vehicle} per vehicle, {day} per vehicle "
        f"and day, delta {plain(found.delta)}."
    )
    if found.delta_too_large:
        print(f"Its delta is above {LARGEST_DELTA}: nothing is released until it is lowered (--delta).")
    elif warning := delta_warning(found.delta, found.vehicles):
        print(warning, file=sys.stderr)
    if found.lacks_delta():
        print("Gaussian noise was spent: nothing is released until a delta is set (--delta).")
    return 0


def _link(options: argparse.Namespace) -> int:
    with Ledger.open(home_of(options).ledger) as ledger:
        ledger.link(options.population, options.other)
        (found,) = [one for one in ledger.populations() if one.name == clean_name(options.population)]
    print(
        f"{options.population!r} and {options.other!r} are linked: all that either released or will release "
        "counts against both limits."
    )
    for line in _balance(found):
        print(line)
    return 0


def _different(options: argparse.Namespace) -> int:
    with Ledger.open(home_of(options).ledger) as ledger:
        ledger.mark_different(options.population, options.other)
    print(
        f"{options.population!r} and {options.other!r} are different things: releases are no longer refused "
        "because ids look alike."
    )
    return 0


ACTIONS: dict[str, Callable[[argparse.Namespace], int]] = {
    "show": _show,
    "check": _check,
    "export": _export,
    "set-limit": _set_limit,
    "link": _link,
    "different": _different,
}
