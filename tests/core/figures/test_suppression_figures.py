"""Total epsilon with and without suppression: the heavy hitter of P4's second experiment."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts.chart import Chart
from core.figures.suppression_figures import (
    HEAVY_HATS,
    SUPPRESSION_EPSILONS,
    heavy_hitter,
    heavy_hitter_chart,
)
from core.progress import Cancelled


@pytest.fixture(scope="module")
def chart() -> Chart:
    heard: list[float] = []

    def note(done: float, text: str = "") -> None:
        assert text
        heard.append(done)

    drawn = heavy_hitter_chart(note)
    assert heard == sorted(heard)
    return drawn


def test_one_user_is_everywhere_and_the_others_in_two_hats() -> None:
    occupancy = heavy_hitter()
    hats = np.bincount(occupancy.user)
    assert hats[0] == HEAVY_HATS
    assert set(hats[1:].tolist()) == {2}
    assert occupancy.counts[occupancy.user == 0].min() > 4 * occupancy.counts[occupancy.user > 0].max()


def test_small_epsilons_gain_and_the_cap_holds_back(chart: Chart) -> None:
    y = {curve.key: np.array(curve.y) for curve in chart.curves}
    epsilon = np.array(chart.x)
    assert chart.x == tuple(float(step) for step in SUPPRESSION_EPSILONS)
    assert y["total_before"] == pytest.approx(HEAVY_HATS * epsilon)
    assert np.all(y["total_after"] <= y["total_before"])
    assert np.all(y["total_after_without_cap"] <= y["total_after"])
    share = y["total_after"] / y["total_before"]
    assert share[epsilon == 1.0] < 0.25
    assert share[-1] > share[epsilon == 1.0], "gains are at small epsilons"
    assert share[0] == 1.0, "where every hexagon slot is worse than a constant nobody leaves"
    assert y["total_after_without_cap"][0] < y["total_after"][0]


def test_the_line_without_the_cap_is_the_thinnest(chart: Chart) -> None:
    widths = {curve.key: curve.stroke.width for curve in chart.curves}
    assert min(widths, key=widths.__getitem__) == "total_after_without_cap"


def test_it_can_be_stopped() -> None:
    def stop(done: float, text: str = "") -> None:  # noqa: ARG001 - one shape for every progress
        raise Cancelled

    with pytest.raises(Cancelled):
        heavy_hitter_chart(stop)
