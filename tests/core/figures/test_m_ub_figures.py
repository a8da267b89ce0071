"""m_UB, worst-case error and gain against epsilon: P4's properties are to be seen."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts.chart import Chart
from core.evaluate.replica import replica_counts
from core.figures.m_ub_figures import EVERY_TENTH, made_up_m_ub_charts

ALL, ERROR, GAIN, FEW, FEW_ERROR, FEW_GAIN = made_up_m_ub_charts()


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


def by_hand(counts: list[int], m: int) -> tuple[int, int, int]:
    """Records retained and all records, in plain integers, and m."""
    return sum(min(count, m) for count in counts), sum(counts), m


@pytest.mark.parametrize("chart", [ERROR, FEW_ERROR], ids=lambda chart: chart.name)
def test_the_least_worst_case_error_is_that_of_all_m_tried_one_by_one(chart: Chart) -> None:
    """P4: `E(eps) = min over m of U (1 - n / M) + U m / (eps n)`, here over every integer from 1 to m*."""
    counts = replica_counts()[:: 1 if chart is ERROR else EVERY_TENTH].tolist()
    tried = [by_hand(counts, m) for m in range(1, counts[0] + 1)]
    y = curves(chart)
    for place in range(0, len(chart.x), 40):
        least = min(1 - n / records + m / (chart.x[place] * n) for n, records, m in tried)
        assert y["worst_error_optimal_p4"][place] == pytest.approx(least, rel=1e-4)
    assert all(np.all(y["worst_error_optimal_p4"] <= other * (1 + 1e-9)) for other in y.values())


def test_gains_are_those_of_the_papers_figures() -> None:
    """P1: K = 160 arrays, full ones by eq. 1, so a gain of 417 x 160 / 17,166, and OPT = m* L / M."""
    gains = {key: y[0] for key, y in curves(GAIN).items()}
    assert gains["gain_sqrt"] == pytest.approx(417 * 160 / 17_166)
    retained, records, _ = by_hand(replica_counts().tolist(), 46)
    assert gains["gain_median"] == pytest.approx(417 * retained / (46 * records))
    assert gains["gain_all"] == 1.0
    assert max(max(curve.y) for curve in GAIN.curves) <= 417 * 217 / 17_166
    assert "OPT = m* L / M = 5.271" in GAIN.note
    few = curves(FEW_GAIN)["gain_optimal"]
    assert np.all(np.diff(few) <= 0), "a larger epsilon asks for more records, not for more gain"
