"""Errors against epsilon as the papers plot them: replicas, seeds, BestFit, captions (method 10.9)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from core.arrays import Floats
from core.charts.chart import PALETTE, Axis, Chart, Curve, Stroke
from core.charts.markers import MARKERS
from core.contributions import HatData
from core.evaluate.compared_curves import Series, all_series, epsilon_points
from core.evaluate.evaluation import DEFAULT_SEED, DEFAULT_TRIALS, evaluate
from core.evaluate.replica import replica, replica_with_dwell, replica_with_effects
from core.evaluate.scaling import FACTOR, sample_scaled, user_scaled
from core.grouping.groupings import BESTFIT, WRAPAROUND
from core.grouping.m_ub import SQRT
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_averaging import MECHANISM as ARRAY_AVERAGING
from core.mechanisms.baseline import MECHANISM as BASELINE
from core.mechanisms.epsilon_quantile import MECHANISM as EPSILON_QUANTILE
from core.mechanisms.fixed_quantile import MECHANISM as FIXED_QUANTILE
from core.mechanisms.levy import MECHANISM as LEVY
from core.mechanisms.registry import mechanisms_of
from core.privacy import Relation
from core.progress import Progress, part

EPSILONS = "0.5:2:16"
ERROR_EPSILONS = epsilon_points(EPSILONS, where="figures")
DATA_DRAWS = 20
"""Draws of the made-up data of error figures, from the seeds 0, 1 and so on: the same figures every time. In
a single draw mechanisms that are nearly as good may come in another order.
"""
MOST_DATA_DRAWS = 1000
GROUPING_TITLES = {BESTFIT: "BestFit", WRAPAROUND: "WrapAround"}
MADE_UP = (
    "Made-up data with the facts that the papers publish of their hexagon slot; contains no real records."
)
BY_TRIALS = f"{DEFAULT_TRIALS:,} trials of each point."
BY_FORMULA = "Expected errors, by simulation where no formula is known."
_NOT_THEIRS = "The papers have no such set."
_WIDEST, _NARROWER = 2.5, 0.12
_LARGEST, _SMALLER = 5.0, 0.2
"""Of strokes and marks: Opt-Array-Averaging lies on Baseline, and both are to be seen."""
_COMPARED_IN_BOTH = (ARRAY_AVERAGING.key, LEVY.key, FIXED_QUANTILE.key)
_OF_ONE_RECORD = {*_COMPARED_IN_BOTH, BASELINE.key, EPSILON_QUANTILE.key}


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorOptions:
    """What may be chosen of every comparison of mechanisms."""

    mechanisms: tuple[str, ...] | None = None
    """Keys; None: each figure's own."""
    epsilons: tuple[Decimal, ...] = ERROR_EPSILONS
    factor: int = FACTOR
    """How many times as large scaled sets are."""
    draws: int = DATA_DRAWS
    """Of made-up data."""


AS_IN_PAPERS = ErrorOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFigure:
    """One comparison of mechanisms."""

    name: str
    title: str
    note: str
    make: Callable[[int], HatData]
    """From a seed."""
    series: tuple[Series, ...]


def of_grouping(grouping: str, *, array_averaging_m_ub: str | None = None) -> tuple[Series, ...]:
    """Every mechanism with this grouping, or without any.

    array_averaging_m_ub: another rule for Array-Averaging than its own.
    """
    own = {} if array_averaging_m_ub is None else {"m_ub": array_averaging_m_ub}
    return tuple(
        series
        for key in mechanisms_of(Relation.VALUES)
        for series in all_series([key], given=own if key == ARRAY_AVERAGING.key else None)
        if series.grouping in (None, grouping)
    )


def event_figure(name: str, title: str, note: str, make: Callable[[int], HatData]) -> ErrorFigure:
    """Neighbours that differ in one record beside those that differ in one user."""
    of_users = [one for one in of_grouping(BESTFIT) if one.mechanism.key in _OF_ONE_RECORD]
    of_records = [dataclasses.replace(one, event_level=True) for one in of_users]
    return ErrorFigure(
        name=name,
        title=title,
        note="Dashed: neighbours differ in one record (TR I.E, event-level), which hides no vehicle and is "
        f"there to be compared. {note}",
        make=make,
        series=(*of_users, *of_records),
    )


def replica_figures(options: ErrorOptions = AS_IN_PAPERS) -> tuple[ErrorFigure, ...]:
    """Of the made-up data: what the papers show, and the sets that they do not have."""
    bestfit = of_grouping(BESTFIT)
    factor = options.factor
    figures = (
        ErrorFigure(
            name="replica-both-groupings",
            title="Both groupings on the replica of the papers' hexagon slot",
            note=f"As P3 Fig. 1. {MADE_UP}",
            make=replica,
            series=all_series(_COMPARED_IN_BOTH),
        ),
        ErrorFigure(
            name="replica-bestfit",
            title="Replica of the papers' hexagon slot, BestFit",
            note=f"As P1 Fig. 1, P2 Fig. 1 and P3 Fig. 2, with every mechanism. {MADE_UP}",
            make=replica,
            series=bestfit,
        ),
        ErrorFigure(
            name="replica-wraparound",
            title="Replica of the papers' hexagon slot, WrapAround",
            note=f"The same with the other grouping. {MADE_UP}",
            make=replica,
            series=of_grouping(WRAPAROUND),
        ),
        ErrorFigure(
            name="sample-scaling",
            title=f"Sample scaling x{factor}, BestFit",
            note=f"As P1 Fig. 2a, P2 Fig. 2a and P3 Fig. 3. {MADE_UP}",
            make=lambda seed: sample_scaled(replica(seed), seed, factor),
            series=bestfit,
        ),
        ErrorFigure(
            name="user-scaling",
            title=f"User scaling x{factor}, BestFit",
            note="As P1 Fig. 2b, P2 Fig. 2b and P3 Fig. 4: Array-Averaging takes m_UB by P1 eq. 1, as Levy "
            f"and the quantiles do. {MADE_UP}",
            make=lambda seed: user_scaled(replica(seed), seed, factor),
            series=of_grouping(BESTFIT, array_averaging_m_ub=SQRT),
        ),
        ErrorFigure(
            name="replica-effects",
            title="Replica with effects between vehicles, BestFit",
            note="Vehicles' means differ with sd 3 km/h, busier ones are slightly faster. "
            f"{_NOT_THEIRS} {MADE_UP}",
            make=replica_with_effects,
            series=bestfit,
        ),
        ErrorFigure(
            name="replica-dwell",
            title="Replica with dwell time, BestFit",
            note="Visits are known, and vehicles that stay long are slower, as in real feeds. "
            f"{_NOT_THEIRS} {MADE_UP}",
            make=replica_with_dwell,
            series=bestfit,
        ),
        event_figure(
            "replica-event-level",
            "One record or one vehicle: replica of the papers' hexagon slot, BestFit",
            MADE_UP,
            replica,
        ),
    )
    return reduced(figures, options)


def reduced(figures: Iterable[ErrorFigure], options: ErrorOptions) -> tuple[ErrorFigure, ...]:
    """The figures with the curves of the chosen mechanisms, without those that compare none of them."""
    found = (
        dataclasses.replace(
            figure,
            series=tuple(
                series
                for series in figure.series
                if options.mechanisms is None or series.mechanism.key in options.mechanisms
            ),
        )
        for figure in figures
    )
    return tuple(figure for figure in found if figure.series)


def error_chart(figure: ErrorFigure, progress: Progress, options: ErrorOptions = AS_IN_PAPERS) -> Chart:
    """Ten thousand trials of each mechanism at each epsilon, in each draw of the data."""
    errors = _errors(figure, progress, options)
    draws = len(errors)
    averaged, standard = "", np.empty((len(figure.series), 0))
    if draws > 1:
        averaged = f" Means over {draws} draws of the data; bars: one standard error on either side."
        standard = errors.std(axis=0, ddof=1) / math.sqrt(draws)
    return curves_chart(
        name=figure.name,
        title=figure.title,
        note=f"{figure.note} {BY_TRIALS}{averaged}",
        epsilons=[float(epsilon) for epsilon in options.epsilons],
        errors=list(zip(figure.series, errors.mean(axis=0).tolist(), standard.tolist(), strict=True)),
    )


def _errors(figure: ErrorFigure, progress: Progress, options: ErrorOptions) -> Floats:
    """Mean absolute errors, km/h, shape (draws, series, epsilons)."""
    cache = PlanCache()
    tables = [
        evaluate(
            figure.make(draw),
            figure.series,
            options.epsilons,
            source=figure.name,
            seed=DEFAULT_SEED + draw,
            exact=False,
            progress=part(progress, draw / options.draws, (draw + 1) / options.draws),
            cache=cache,
        )
        for draw in range(options.draws)
    ]
    errors = np.array([[row.mae for row in table.rows] for table in tables])
    return errors.reshape(options.draws, len(figure.series), len(options.epsilons))


def curves_chart(
    *,
    name: str,
    title: str,
    note: str,
    epsilons: Sequence[float],
    errors: Sequence[tuple[Series, Sequence[float], Sequence[float]]],
) -> Chart:
    """errors: of each curve the mean absolute error at each epsilon, km/h, above zero, and its standard
    error, empty where it is not known.
    """
    return Chart(
        name=name,
        title=title,
        note=note,
        across=Axis(label="epsilon", key="epsilon", from_zero=False),
        up=Axis(label="mean absolute error (km/h)", key="mae_kmh", log=True),
        x=tuple(epsilons),
        curves=tuple(
            Curve(
                key=_key(series),
                title=_title(series),
                y=tuple(y),
                stroke=stroke_of(series),
                standard_error=tuple(standard_error),
            )
            for series, y, standard_error in errors
        ),
    )


def stroke_of(series: Series) -> Stroke:
    """A colour and a mark for each mechanism; WrapAround and neighbours of a record are dashed, hollow."""
    number = list(mechanisms_of(Relation.VALUES)).index(series.mechanism.key)
    apart = series.grouping == WRAPAROUND or series.event_level
    return Stroke(
        colour=PALETTE[number % len(PALETTE)],
        marker=list(MARKERS)[number % len(MARKERS)],
        dashed=apart,
        hollow=apart,
        width=_WIDEST - number * _NARROWER,
        radius=_LARGEST - number * _SMALLER,
    )


def _key(series: Series) -> str:
    words = [series.mechanism.key, series.grouping or "", "event" if series.event_level else ""]
    return "_".join(filter(None, words)).replace("-", "_") + "_mae_kmh"


def _title(series: Series) -> str:
    if series.event_level:
        return f"{series.mechanism.title}, one record"
    title = series.mechanism.title
    return title if series.grouping is None else f"{title}, {GROUPING_TITLES[series.grouping]}"
