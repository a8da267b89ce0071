"""Figures of a chart as CSV."""

from __future__ import annotations

from core.charts.chart_csv import chart_csv
from tests.core.charts.examples import BARS, LINES


def test_curves_share_their_axis_and_standard_errors_stand_beside() -> None:
    assert chart_csv(LINES).decode() == (
        "epsilon,one,two,two_standard_error\n0.5,4,0.4,0.1\n1,2,0.2,0.1\n2,1,0.1,0.2\n"
    )


def test_bars_say_from_where_to_where() -> None:
    assert chart_csv(BARS).decode().splitlines()[:2] == ["vehicles_from,vehicles_to,hats_and_days", "1,2,30"]
