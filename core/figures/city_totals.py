"""Total epsilon against the median error of a city, by each way to spend it, on the bundled sample."""

from __future__ import annotations

from decimal import Decimal

from core.accounting.zcdp import USUAL_DELTA
from core.charts.chart import PALETTE, Axis, Chart, Curve, Stroke
from core.contributions import Contributions, UserTable
from core.evaluate.city_comparison import CityErrors, compare_city, methods_for
from core.planning.counted_city import CountedCity
from core.progress import Progress, silent
from core.selection.base import Selection
from core.statistics.registry import require_statistic

CITY_FIGURE_TOTALS = tuple(map(Decimal, (1, 2, 5, 10, 20, 50, 100)))
_DELTA = Decimal(USUAL_DELTA)
_RELEASES = 20
_CURVES = (
    ("equal-mean", False, "equal budgets, plain mean", Stroke(colour=PALETTE[0], dashed=True)),
    ("equal-arrays", False, "equal budgets, Array-Averaging", Stroke(colour=PALETTE[1], dashed=True)),
    ("suppression", False, "user suppression, Array-Averaging", Stroke(colour=PALETTE[5], dashed=True)),
    ("tokens-laplace", False, "tokens, Laplace", Stroke(colour=PALETTE[2], marker="disc")),
    ("split-laplace", False, "tokens split, Laplace", Stroke(colour=PALETTE[3], marker="disc")),
    ("split-laplace", True, "tokens split, Laplace, smoothed", Stroke(colour=PALETTE[4], width=2.4)),
    ("zoom-gauss", True, "tokens split and zoom, Gaussian, smoothed", Stroke(colour=PALETTE[8], width=2.4)),
)
"""Method, smoothed, words in the legend, and how the curve looks."""


def city_totals_chart(
    table: Contributions,
    users: UserTable,
    selection: Selection,
    minimum_vehicles: int,
    progress: Progress = silent,
) -> Chart:
    """Of the bundled synthetic sample. Raises what `progress` raises."""
    rows = compare_city(
        CountedCity(table, users, selection, minimum_vehicles=minimum_vehicles, delta=_DELTA),
        require_statistic("mean"),
        CITY_FIGURE_TOTALS,
        methods_for(_DELTA, tuple(dict.fromkeys(key for key, *_ in _CURVES)), where="figures"),
        releases=_RELEASES,
        progress=progress,
    )
    found = {(row.method.key, row.smoothed, row.total): row for row in rows}
    return Chart(
        name="city-totals",
        title="A whole city under one total: the bundled synthetic sample",
        note=f"Median over hexagon slots of the mean absolute error, {_RELEASES} simulated releases; unit "
        f"vehicle, delta {USUAL_DELTA}. Both axes are logarithmic.",
        across=Axis(label="total epsilon per vehicle", key="total_epsilon", log=True),
        up=Axis(label="median error, km/h", key="median_error_kmh", log=True),
        x=tuple(map(float, CITY_FIGURE_TOTALS)),
        curves=tuple(
            Curve(
                key=key.replace("-", "_") + ("_smoothed" if smoothed else ""),
                title=title,
                y=tuple(_median(found[key, smoothed, total]) for total in CITY_FIGURE_TOTALS),
                stroke=stroke,
            )
            for key, smoothed, title, stroke in _CURVES
        ),
    )


def _median(row: CityErrors) -> float:
    assert row.median is not None
    return row.median
