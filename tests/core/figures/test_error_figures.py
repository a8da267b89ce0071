"""Error curves of the papers: what is compared in each, and that the claims are to be seen in them."""

from __future__ import annotations

import dataclasses

import pytest

from core.evaluate.scaling import FACTOR
from core.figures.error_figures import ErrorFigure, error_chart, of_grouping, replica_figures, stroke_of
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
    users, samples = (FIGURES[name].make().counts for name in ("user-scaling", "sample-scaling"))
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

    chart = error_chart(figure, note)
    assert (chart.x[0], chart.x[-1], len(chart.x)) == (0.5, 2.0, 16)
    assert (chart.up.label, chart.up.log) == ("mean absolute error (km/h)", True)
    assert heard == sorted(heard)
    keys = [curve.key for curve in chart.curves]
    assert keys == ["array_averaging_bestfit_mae_kmh", "baseline_mae_kmh"]
    arrays, baseline = (curve.y for curve in chart.curves)
    assert baseline[5] == pytest.approx(65 * 417 / 17_166, rel=0.05)
    assert all(low < high for low, high in zip(arrays, baseline, strict=True))


def test_the_claim_of_user_scaling_is_seen() -> None:
    """P1: FixedQuantile is the best of the papers' at epsilon 1, Array-Averaging with eq. 1 comes next."""
    figure = few(FIGURES["user-scaling"], "array-averaging", "fixed-quantile", "levy")
    at_one = {curve.title: curve.y[5] for curve in error_chart(figure, silent).curves}
    assert sorted(at_one, key=at_one.__getitem__) == [
        "FixedQuantile, BestFit",
        "Array-Averaging, BestFit",
        "Levy, BestFit",
    ]


def test_no_two_curves_of_a_figure_look_alike() -> None:
    for figure in FIGURES.values():
        strokes = [stroke_of(series) for series in figure.series]
        assert len({(one.colour, one.marker, one.dashed) for one in strokes}) == len(strokes)
