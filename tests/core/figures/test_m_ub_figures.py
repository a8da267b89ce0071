"""m_UB against epsilon: P4's properties are to be seen."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts.chart import Chart
from core.evaluate.replica import replica_counts
from core.figures.m_ub_figures import EVERY_TENTH, made_up_m_ub_charts

ALL, FEW = made_up_m_ub_charts()


def curves(chart: Chart) -> dict[str, np.ndarray]:
    return {curve.key: np.array(curve.y) for curve in chart.curves}


@pytest.mark.parametrize("chart", [ALL, FEW], ids=lambda chart: chart.name)
def test_the_optimum_is_a_count_and_never_falls(chart: Chart) -> None:
    counts = replica_counts()
    for key in ("m_ub_optimal", "m_ub_optimal_p4"):
        y = curves(chart)[key]
        assert set(y.tolist()) <= set(counts.tolist())
        assert np.all(np.diff(y) >= 0)
        assert np.unique(y).size > 10, "it moves"


def test_with_few_vehicles_it_moves_at_the_papers_epsilons() -> None:
    x = np.array(FEW.x)
    y = curves(FEW)["m_ub_optimal"][(x >= 0.5) & (x <= 2)]
    assert y[0] < y[-1] == replica_counts()[::EVERY_TENTH][0]


def test_other_rules_see_no_epsilon_and_are_dashed() -> None:
    for curve in ALL.curves:
        seen = curve.key in ("m_ub_optimal", "m_ub_optimal_p4")
        assert (len(set(curve.y)) > 1) is seen
        assert curve.stroke.dashed is not seen
    flat = {key: y[0] for key, y in curves(ALL).items()}
    assert (flat["m_ub_median"], flat["m_ub_sqrt"], flat["m_ub_all"]) == (46, 56, 417)
