"""Total epsilon against the median error of a city: a curve for each way to spend it (city-release 12)."""

from __future__ import annotations

from decimal import Decimal

from core.accounting.zcdp import USUAL_DELTA
from core.charts.chart import PALETTE, Axis, Chart, Curve, Stroke
from core.contributions import EVALUATION_TIE_KEY, contributions_of, users_of
from core.evaluate.city_comparison import CityErrors, compare_city, methods_for
from core.progress import Progress, part, silent
from core.selection.registry import select
from core.spec import load_spec
from core.statistics.registry import require_statistic
from core.store.load_records import load_records
from core.system.paths import resources

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


def city_totals_chart(progress: Progress = silent) -> Chart:
    """On the bundled synthetic sample, with the HATs of its spec: nobody's records.

    Raises what `progress` raises.
    """
    spec = load_spec(resources() / "sample" / "sample.toml")
    records = load_records(spec.data.paths(), spec.data.rules, part(progress, 0.0, 0.2)).records
    table = contributions_of(records, spec.resolution, spec.window)
    rows = compare_city(
        table,
        users_of(table, spec.unit, EVALUATION_TIE_KEY),
        select(table, spec.selection),
        require_statistic("mean"),
        CITY_FIGURE_TOTALS,
        methods_for(_DELTA, tuple(dict.fromkeys(key for key, *_ in _CURVES)), where="figures"),
        minimum_vehicles=spec.minimum_vehicles,
        delta=_DELTA,
        releases=_RELEASES,
        progress=part(progress, 0.2, 1.0),
    )
    found = {(row.method.key, row.smoothed, row.total): row for row in rows}
    return Chart(
        name="city-totals",
        title="A whole city under one total: the bundled synthetic sample",
        note=f"Median over HATs of the mean absolute error, {_RELEASES} simulated releases; unit vehicle, "
        f"delta {USUAL_DELTA}. Both axes are logarithmic.",
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
