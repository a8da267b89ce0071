"""Error curves of the papers: what is compared in each, and that the claims are to be seen in them."""

from __future__ import annotations

import dataclasses
import statistics
from decimal import Decimal

import pytest

from core.charts.chart import Chart
from core.evaluate.evaluation import DEFAULT_SEED, evaluate
from core.evaluate.scaling import FACTOR
from core.figures.error_figures import (
    DATA_DRAWS,
    ErrorFigure,
    ErrorOptions,
    error_chart,
    of_grouping,
    replica_figures,
    stroke_of,
)
from core.grouping.groupings import BESTFIT, WRAPAROUND
from core.mechanisms.registry import mechanisms_of
from core.privacy import Relation
from core.progress import silent

FIGURES = {figure.name: figure for figure in replica_figures()}


def test_every_comparison_of_the_papers_is_there() -> None:
    assert list(FIGURES) == [
        "replica-both-groupings",
        "replica-bestfit",
        "replica-wraparound",
        "sample-scaling",
        "user-scaling",
        "replica-effects",
        "replica-dwell",
        "replica-event-level",
    ]
    for figure in FIGURES.values():
        assert "no real record" in figure.note


def test_one_grouping_has_every_mechanism_once() -> None:
    for grouping in (BESTFIT, WRAPAROUND):
        found = of_grouping(grouping)
        assert [series.mechanism.key for series in found] == list(mechanisms_of(Relation.VALUES))
        assert {series.grouping for series in found} <= {None, grouping}


def test_both_groupings_are_compared_as_in_the_paper() -> None:
    """P3 Fig. 1: three mechanisms that pack arrays, each with both."""
    found = [(one.mechanism.key, one.grouping) for one in FIGURES["replica-both-groupings"].series]
    keys = ("array-averaging", "levy", "fixed-quantile")
    assert found == [(key, grouping) for key in keys for grouping in (BESTFIT, WRAPAROUND)]


def test_user_scaling_has_the_papers_rule_and_no_other_figure_has() -> None:
    """P1 Sec. IV-C: m_UB by eq. 1 for Array-Averaging as well."""
    rules = {
        name: next(one.params.m_ub for one in figure.series if one.mechanism.key == "array-averaging")
        for name, figure in FIGURES.items()
    }
    assert {name for name, rule in rules.items() if rule == "sqrt"} == {"user-scaling"}
    assert set(rules.values()) == {"sqrt", "median"}


def test_scaled_sets_are_ten_times_as_large() -> None:
    users, samples = (FIGURES[name].make(0).counts for name in ("user-scaling", "sample-scaling"))
    assert users.size == FACTOR * 217
    assert samples.sum() == users.sum() == FACTOR * 17_166


def few(figure: ErrorFigure, *mechanisms: str) -> ErrorFigure:
    chosen = tuple(one for one in figure.series if one.mechanism.key in mechanisms)
    return dataclasses.replace(figure, series=chosen)


def test_a_chart_has_the_errors_of_each_series_in_its_row() -> None:
    figure = few(FIGURES["replica-bestfit"], "baseline", "array-averaging")
    heard: list[float] = []

    def note(done: float, text: str = "") -> None:
        assert text
        heard.append(done)

    chart = error_chart(figure, note, ErrorOptions(draws=2))
    assert (chart.x[0], chart.x[-1], len(chart.x)) == (0.5, 2.0, 16)
    assert (chart.up.label, chart.up.log) == ("mean absolute error (km/h)", True)
    assert heard == sorted(heard)
    keys = [curve.key for curve in chart.curves]
    assert keys == ["array_averaging_bestfit_mae_kmh", "baseline_mae_kmh"]
    arrays, baseline = (curve.y for curve in chart.curves)
    assert baseline[5] == pytest.approx(65 * 417 / 17_166, rel=0.05)
    assert all(low < high for low, high in zip(arrays, baseline, strict=True))


@pytest.fixture(scope="module")
def user_scaling() -> tuple[list[str], Chart]:
    """At epsilon 1: mechanisms from the best on in the mean of draws, and the chart."""
    figure = few(FIGURES["user-scaling"], "array-averaging", "fixed-quantile", "levy", "baseline")
    chart = error_chart(figure, silent, ErrorOptions(epsilons=(Decimal(1),)))
    at_one = {curve.title: curve.y[0] for curve in chart.curves}
    return sorted(at_one, key=at_one.__getitem__), chart


def test_the_claim_of_user_scaling_is_seen_in_the_mean_of_draws(
    user_scaling: tuple[list[str], Chart],
) -> None:
    """P1: FixedQuantile is the best of the papers' at epsilon 1, Array-Averaging with eq. 1 comes next."""
    order, _ = user_scaling
    assert order == ["FixedQuantile, BestFit", "Array-Averaging, BestFit", "Levy, BestFit", "Baseline"]


def test_a_mean_is_that_of_the_draws_and_its_bar_one_standard_error(
    user_scaling: tuple[list[str], Chart],
) -> None:
    """By hand, from single draws; of Baseline also from the papers' own formula, U m* / (eps M)."""
    _, chart = user_scaling
    figure = few(FIGURES["user-scaling"], "fixed-quantile")
    single = [
        evaluate(
            figure.make(draw), figure.series, (Decimal(1),), source="", exact=False, seed=DEFAULT_SEED + draw
        )
        for draw in range(DATA_DRAWS)
    ]
    errors = [table.rows[0].mae for table in single]
    found = next(curve for curve in chart.curves if curve.key == "fixed_quantile_bestfit_mae_kmh")
    assert found.y[0] == pytest.approx(statistics.mean(errors))
    assert found.standard_error[0] == pytest.approx(statistics.stdev(errors) / DATA_DRAWS**0.5)
    baseline = next(curve for curve in chart.curves if curve.key == "baseline_mae_kmh")
    assert baseline.y[0] == pytest.approx(65 * 417 / (FACTOR * 17_166), rel=0.01)
    assert f"{DATA_DRAWS} draws" in chart.note


def test_one_draw_has_no_bars_and_is_the_first() -> None:
    figure = few(FIGURES["replica-bestfit"], "baseline")
    chart = error_chart(figure, silent, ErrorOptions(draws=1, epsilons=(Decimal(1),)))
    assert chart.curves[0].standard_error == ()
    assert "bars" not in chart.note


def test_mechanisms_and_factor_may_be_chosen() -> None:
    figures = {one.name: one for one in replica_figures(ErrorOptions(mechanisms=("baseline",), factor=3))}
    assert "replica-both-groupings" not in figures, "it compares none of them"
    assert {one.mechanism.key for figure in figures.values() for one in figure.series} == {"baseline"}
    assert figures["user-scaling"].title == "User scaling x3, BestFit"
    assert figures["user-scaling"].make(0).counts.size == 3 * 217


def test_one_record_is_compared_with_one_vehicle() -> None:
    """Baseline by the papers' own formulas: U m* / (eps M) of a vehicle, U / (eps M) of a record."""
    figure = few(FIGURES["replica-event-level"], "baseline")
    chart = error_chart(figure, silent, ErrorOptions(draws=1, epsilons=(Decimal(1),)))
    found = {curve.key: curve.y[0] for curve in chart.curves}
    assert found == pytest.approx(
        {"baseline_mae_kmh": 65 * 417 / 17_166, "baseline_event_mae_kmh": 65 / 17_166}, rel=0.05
    )
    assert "event-level" in chart.note


def test_no_two_curves_of_a_figure_look_alike() -> None:
    for figure in FIGURES.values():
        strokes = [stroke_of(series) for series in figure.series]
        assert len({(one.colour, one.marker, one.dashed) for one in strokes}) == len(strokes)
