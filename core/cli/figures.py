"""`figures`: which of the papers' figures are drawn, of which data, in which formats (method 10.9).

On made-up data they are free to be passed on. Of loaded data there are counts, confidential; and with a
population errors on true values, entered in its ledger as `evaluate` does.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from core.console.city_grid import grid_of, minimum_of
from core.console.home_option import add_home
from core.console.number_option import number_typed
from core.console.progress_line import progress_line
from core.console.reading_options import cache_of, rules_for
from core.console.true_values import add_population, agreed_on, mark_evaluated, population_of
from core.contributions import EVALUATION_TIE_KEY, contributions_of, users_of
from core.counted import count_of
from core.errors import InputError
from core.evaluate.compared_curves import all_series, epsilon_points
from core.evaluate.loaded_hat import loaded_hat
from core.evaluate.scaling import FACTOR, MOST_FACTOR
from core.figures.error_figures import DATA_DRAWS, EPSILONS, MOST_DATA_DRAWS, ErrorOptions
from core.figures.figure_folder import PICTURE_FORMATS, Figure, require_new_folder, write_figures
from core.figures.figure_sets import (
    LoadedCity,
    count_figures,
    made_up_figures,
    question_to_suppress,
    true_error_charts,
)
from core.figures.window_words import window_words
from core.hats.record_dates import date_ranges_of
from core.hats.window import Window, build_window
from core.planning.resolution_table import resolution_row
from core.privacy import Unit
from core.read.file_listing import expand
from core.records.records import Records
from core.selection.base import SelectionRequest
from core.selection.registry import select
from core.spec import DEFAULT_THRESHOLD, SpecParts, default_of, load_parts
from core.store.load_records import load_records

COMPARED = (8, 7, 6)
"""Resolutions of the histograms: those of the report, in its order."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("data", nargs="*", metavar="DATA", help="files or patterns: figures of them too")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    parser.add_argument(
        "--spec", type=Path, help="take mapping, zone, window, hexagon slots and queries from this spec"
    )
    parser.add_argument(
        "--hat",
        help="with --population: whose true errors (default: the one with the median number of vehicles)",
    )
    add_population(parser)
    parser.add_argument(
        "--mechanisms",
        nargs="?",
        metavar="KEYS",
        help="error curves of these alone, some of the registry, separated by commas (default: every "
        "mechanism)",
    )
    parser.add_argument(
        "--eps", metavar="A:B:N", help=f"of error curves: N epsilons from A to B (default: {EPSILONS})"
    )
    parser.add_argument(
        "--factor", type=int, metavar="N", help=f"how many times as large scaled sets are (default: {FACTOR})"
    )
    parser.add_argument(
        "--draws",
        type=int,
        metavar="N",
        help=f"error curves are means over N draws of made-up data, with error bars (default: {DATA_DRAWS})",
    )
    parser.add_argument(
        "--format",
        metavar="KINDS",
        help=f"of pictures, separated by commas (default: {','.join(PICTURE_FORMATS)})",
    )


def run(options: argparse.Namespace) -> int:
    """Draw, and say what was written and which of it is confidential."""
    _check(options)
    errors = _error_options(options)
    formats = _formats(options.format)
    require_new_folder(options.out)
    population = None if options.population is None else population_of(options)
    if population is not None and not agreed_on(options, population):
        print("Nothing was drawn.")
        return 0
    figures: list[Figure] = []
    if options.data:
        figures += _of_loaded(options, population, errors)
    figures += made_up_figures(progress_line, errors)
    paths = write_figures(figures, options.out, progress_line, formats)
    print(
        f"Written: {count_of(len(figures), 'figure')} as {', '.join(formats).upper()} and CSV, "
        f"{count_of(len(paths), 'file')} in {options.out}"
    )
    if options.data:
        print("CONFIDENTIAL: those whose name begins so follow from the loaded records; never publish them.")
    return 0


def _check(options: argparse.Namespace) -> None:
    """Raise InputError for options that mean nothing without others."""
    for option, given in (("--spec", options.spec), ("--population", options.population)):
        if given is not None and not options.data:
            raise InputError(
                "Without DATA there are figures of made-up data alone.",
                where=option,
                mend=f"name the files before it, or leave {option} out",
            )
    if options.hat is not None and options.population is None:
        raise InputError(
            "The ledger of a population records views of errors on true values, and no population is given.",
            where="--hat",
            mend="add --population NAME, whose vehicles these are, or leave --hat out",
        )


def _error_options(options: argparse.Namespace) -> ErrorOptions:
    """Of the error curves. Raises InputError for what none of them could be drawn with."""
    keys = None if options.mechanisms is None else _listed(options.mechanisms)
    all_series(keys, where="--mechanisms")
    return ErrorOptions(
        mechanisms=keys,
        epsilons=epsilon_points(options.eps or EPSILONS, where="--eps"),
        factor=number_typed(options.factor, FACTOR, MOST_FACTOR, called="copies", where="--factor"),
        draws=number_typed(options.draws, DATA_DRAWS, MOST_DATA_DRAWS, called="draws", where="--draws"),
    )


def _formats(text: str | None) -> tuple[str, ...]:
    """Of the pictures. Raises InputError for another one."""
    kinds = tuple(PICTURE_FORMATS) if text is None else _listed(text.lower())
    if not set(kinds) <= set(PICTURE_FORMATS):
        raise InputError(
            "Figures are not drawn in this format.",
            where="--format",
            mend=f"write some of {','.join(PICTURE_FORMATS)}",
        )
    return kinds


def _listed(text: str) -> tuple[str, ...]:
    """What stands between the commas, each once."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",")))


def _of_loaded(options: argparse.Namespace, population: str | None, errors: ErrorOptions) -> list[Figure]:
    """Counts; and, for a population that is marked first, errors on the true values of a HAT."""
    spec = None if options.spec is None else load_parts(options.spec, "hats", "selection", "privacy", "query")
    files = expand(options.data, Path.cwd())
    rules, _ = rules_for(files, options.spec)
    records = load_records(files, rules, progress_line, cache_of(options)).records
    city = _city(records, spec)
    figures = list(count_figures(city, progress_line))
    if population is not None:
        if options.hat is None:
            name = city.contributions.hat_text(city.middle_hat)
            hat = city.users.hat_data(city.middle_hat)
        else:
            name = options.hat
            hat = loaded_hat(records, name, window=city.contributions.window, progress=progress_line)
        mark_evaluated(options, population)
        figures += true_error_charts(hat, name, progress_line, errors)
    return figures


def _city(records: Records, spec: SpecParts | None) -> LoadedCity:
    """Contributions, users and selection: of the spec, or with the defaults of a new one."""
    parts = spec or SpecParts()
    window = parts.window or _whole_window(records)
    resolution = parts.resolution or default_of("hats.resolution")
    indexed = {
        number: contributions_of(records, number, window, progress_line) for number in {*COMPARED, resolution}
    }
    request = parts.selection or SelectionRequest(rule="hat", threshold=DEFAULT_THRESHOLD)
    contributions = indexed[resolution]
    if parts.place.mixed:
        contributions = grid_of(parts, records).own_table(records)
    unit = parts.unit if parts.unit not in (None, Unit.VEHICLE_HAT_DAY) else Unit.VEHICLE
    return LoadedCity(
        contributions=contributions,
        users=users_of(contributions, unit, EVALUATION_TIE_KEY),
        selection=select(contributions, request),
        selected_by=request,
        minimum_vehicles=minimum_of(parts),
        question=question_to_suppress([query.question for query in parts.queries]),
        rows=tuple(resolution_row(indexed[number]) for number in COMPARED),
        over=window_words(window),
    )


def _whole_window(records: Records) -> Window:
    """Every date with records, at the hours and slots of a new spec."""
    return build_window(date_ranges_of(records), default_of("hats.hours"), default_of("hats.slot_minutes"))
