"""`evaluate --city`: what each way to spend one total misses over a whole city (method 10.7)."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.accounting.epsilon_rounding import plain
from core.console.city_grid import GRID_TABLES, delta_for, grid_of, tie_key_for
from core.console.number_option import number_typed
from core.console.progress_line import progress_line
from core.console.reading_options import cache_of, rules_for
from core.console.true_values import agreed_on, mark_evaluated, population_of
from core.contributions import users_of
from core.errors import InputError
from core.evaluate.city_comparison import RELEASES, CityErrors, compare_city, methods_for
from core.evaluate.compared_curves import epsilon_points
from core.planning.counted_city import CountedCity
from core.progress import part
from core.read.file_listing import expand
from core.selection.registry import select
from core.spec import load_parts
from core.statistics.registry import require_statistic
from core.store.load_records import load_records

CITY_TOTALS = "10:100:2"
"""Totals that are compared where none are named."""
_MOST_RELEASES = 1_000
_LOADING = 0.1
_OF_ONE_HAT = {"m_ub": "--m-ub", "gamma": "--gamma", "upper": "--upper"}


def evaluate_city(options: argparse.Namespace) -> int:
    """Print predicted and true errors of every method; the population is marked before any is computed."""
    for name, flag in _OF_ONE_HAT.items():
        if getattr(options, name) is not None:
            raise InputError(
                "This belongs to one hexagon slot.",
                where=flag,
                mend="leave it out, or name a hexagon slot by --hat",
            )
    if options.param:
        raise InputError("This belongs to one hexagon slot.", where="--param", mend="leave it out")
    totals = epsilon_points(options.eps or CITY_TOTALS, where="--eps")
    releases = number_typed(options.trials, RELEASES, _MOST_RELEASES, called="releases", where="--trials")
    keys = None if options.mechanisms is None else [key.strip() for key in options.mechanisms.split(",")]
    spec = None if options.spec is None else load_parts(options.spec, *GRID_TABLES)
    population = population_of(options)
    delta = delta_for(options, spec, population)
    methods = methods_for(delta, keys, where="--mechanisms")
    if not agreed_on(options, population):
        print("Nothing was evaluated.")
        return 0
    files = expand(options.data, Path.cwd())
    rules, _ = rules_for(files, options.spec)
    records = load_records(files, rules, part(progress_line, 0.0, _LOADING), cache_of(options)).records
    grid = grid_of(spec, records)
    table = grid.own_table(records)
    selection = select(table, grid.selection)
    mark_evaluated(options, population)
    users = users_of(table, grid.unit, tie_key_for(options, spec, population))  # a new one has its key now
    rows = compare_city(
        CountedCity(table, users, selection, minimum_vehicles=grid.minimum_vehicles, delta=delta),
        require_statistic("mean").of(rules.quantity),
        totals,
        methods,
        releases=releases,
        progress=part(progress_line, _LOADING, 1.0),
    )
    if options.json:
        print(json.dumps({"confidential": True, "results": [row.to_json() for row in rows]}, indent=2))
    else:
        _print_rows(rows, rules.quantity.unit)
    return 0


def _print_rows(rows: tuple[CityErrors, ...], unit: str) -> None:
    print(f"{'method':<42}{'total':>8}{'slots':>7}{'predicted':>11}{'median':>9}{'mean':>9}")
    for row in rows:
        title = row.method.title + (", smoothed" if row.smoothed else "")
        print(
            f"{title:<42}{plain(row.total):>8}{row.hats:>7}{_figure(row.predicted):>11}"
            f"{_figure(row.median):>9}{_figure(row.mean):>9}"
        )
    print(f"{unit}, absolute errors over hexagon slots. Confidential: never publish it.")


def _figure(number: float | None) -> str:
    return "" if number is None else f"{number:.3f}"
