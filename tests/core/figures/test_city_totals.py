"""core.figures.city_totals: errors fall with the total, and every new step lies below the one before."""

from __future__ import annotations

from tests.city_figure import TOTALS, DrawnSample


def test_curves_fall_and_tokens_lie_below_what_came_before(drawn_sample: DrawnSample) -> None:
    *_, chart = drawn_sample.figures
    assert chart.x == tuple(map(float, TOTALS))
    curves = {curve.key: curve.y for curve in chart.curves}
    assert len(curves) == 7
    for y in curves.values():
        assert y[0] > y[-1] > 0.0
    at_ten = {key: y[1] for key, y in curves.items()}
    assert at_ten["split_laplace"] < at_ten["tokens_laplace"] < at_ten["equal_mean"]
    assert at_ten["split_laplace_smoothed"] < at_ten["split_laplace"]
    assert "confidential" not in chart.name


def test_progress_rises_from_start_to_end(drawn_sample: DrawnSample) -> None:
    heard = drawn_sample.heard
    done = [part for part, _ in heard]
    assert done == sorted(done)
    assert (done[0] < 0.1, done[-1]) == (True, 1.0)
    assert all(text for _, text in heard)
