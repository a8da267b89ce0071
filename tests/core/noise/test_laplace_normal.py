"""Laplace noise plus a normal error: the closed forms against integrals and printed values."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, special, stats

from core.noise.laplace_normal import LN_20, erfcx, half_width_95, mean_absolute, tail

SCALES = st.floats(1e-3, 1e3)
PRINTED = {0.3: 3.040732, 1.0: 3.495132, 5.0: 10.188962}
"""95 % quantiles at b = 1, by the normal's deviation."""


def integrated_tail(t: float, scale: float, deviation: float) -> float:
    """P(|Lap + N| > t): the normal's tails, averaged over the density of the Laplace variable."""

    def beyond(x: float) -> float:
        outside = stats.norm.sf((t - x) / deviation) + stats.norm.cdf((-t - x) / deviation)
        return float(outside * math.exp(-abs(x) / scale) / (2 * scale))

    points = sorted({-t, 0.0, t, *(sign * (t + k * deviation) for sign in (-1, 1) for k in (-8, -2, 2, 8))})
    ends = [min(points[0], 0) - 40 * scale, *points, max(points[-1], 0) + 40 * scale]
    return sum(
        integrate.quad(beyond, low, high, epsabs=1e-13, epsrel=1e-11, limit=200)[0]
        for low, high in itertools.pairwise(ends)
    )


def integrated_size(scale: float, deviation: float) -> float:
    """E|Lap + N|: the size of a shifted normal, averaged over the density of the Laplace variable."""

    def size(x: float) -> float:
        z = x / deviation
        mean = deviation * math.sqrt(2 / math.pi) * math.exp(-z * z / 2) + x * (1 - 2 * stats.norm.sf(z))
        return float(mean * math.exp(-x / scale) / scale)

    ends = sorted({0.0, deviation, 5 * deviation, scale, 40 * scale})
    return sum(
        integrate.quad(size, low, high, epsabs=1e-13, epsrel=1e-11, limit=200)[0]
        for low, high in itertools.pairwise(ends)
    )


@pytest.mark.parametrize(("deviation", "half_width"), PRINTED.items())
def test_quantiles_are_the_printed_ones(deviation: float, half_width: float) -> None:
    assert half_width_95(1.0, deviation) == pytest.approx(half_width, abs=5e-7)


def test_the_mean_size_is_the_printed_one() -> None:
    assert mean_absolute(1.0, 1.0) == pytest.approx(1.321041, abs=5e-7)


@given(st.floats(0.0, 1e4))
def test_the_scaled_erfc_is_that_of_scipy(x: float) -> None:
    assert erfcx(x) == pytest.approx(float(special.erfcx(x)), rel=1e-10)


def test_the_scaled_erfc_is_smooth_where_the_series_begins() -> None:
    below, at = erfcx(math.nextafter(25.0, 0.0)), erfcx(25.0)
    assert below == pytest.approx(at, rel=1e-10)


@pytest.mark.parametrize("deviation", [0.01, 0.3, 1.0, 5.0, 60.0])
@pytest.mark.parametrize("t", [0.0, 0.1, 1.0, 3.0, 10.0, 100.0])
def test_the_tail_is_its_integral(deviation: float, t: float) -> None:
    assert tail(t, 1.0, deviation) == pytest.approx(integrated_tail(t, 1.0, deviation), rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("deviation", [0.003, 0.3, 1.0, 5.0, 400.0])
def test_the_mean_size_is_its_integral(deviation: float) -> None:
    assert mean_absolute(1.0, deviation) == pytest.approx(integrated_size(1.0, deviation), rel=1e-8)


@given(scale=SCALES, deviation=SCALES)
def test_the_mean_size_is_the_integral_of_the_tail(scale: float, deviation: float) -> None:
    """Whatever the unit, and both ways round."""
    grid = np.linspace(0.0, 45 * scale + 10 * deviation, 1_001)
    tails = [tail(t, scale, deviation) for t in grid.tolist()]
    assert mean_absolute(scale, deviation) == pytest.approx(float(integrate.simpson(tails, x=grid)), rel=2e-3)


@given(scale=SCALES, deviation=SCALES)
def test_the_half_width_is_where_five_percent_are_left(scale: float, deviation: float) -> None:
    half_width = half_width_95(scale, deviation)
    assert tail(half_width, scale, deviation) == pytest.approx(0.05, rel=1e-7)
    assert half_width >= max(scale * LN_20, 1.959964 * deviation)
    assert half_width_95(10 * scale, 10 * deviation) == pytest.approx(10 * half_width)


@given(t=st.floats(0.0, 1e6), scale=st.floats(0.0, 1e6), deviation=st.floats(0.0, 1e6))
def test_tails_are_probabilities_that_fall(t: float, scale: float, deviation: float) -> None:
    """Also at the extremes of either part: no overflow, and nothing below 0 but a float's last digit."""
    nearer, further = tail(t, scale, deviation), tail(1.5 * t + 1.0, scale, deviation)
    assert -1e-12 <= further <= nearer + 1e-12 <= 1.0 + 2e-12
    assert math.isfinite(half_width_95(scale, deviation))
    assert math.isfinite(mean_absolute(scale, deviation))


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_either_part_may_be_missing(size: float) -> None:
    assert half_width_95(size, 0.0) == pytest.approx(size * math.log(20))
    assert half_width_95(0.0, size) == pytest.approx(size * float(stats.norm.ppf(0.975)), rel=1e-6)
    assert half_width_95(0.0, 0.0) == 0.0
    assert mean_absolute(size, 0.0) == pytest.approx(size)
    assert mean_absolute(0.0, size) == pytest.approx(size * math.sqrt(2 / math.pi))
    assert mean_absolute(0.0, 0.0) == 0.0
    assert tail(size, size, 0.0) == pytest.approx(math.exp(-1))
    assert tail(size, 0.0, size) == pytest.approx(2 * float(stats.norm.sf(1)))
    assert tail(0.0, 0.0, 0.0) == 0.0


def test_draws_stay_within_the_half_width_as_often_as_it_says() -> None:
    rng, trials = np.random.default_rng(5), 200_000
    drawn = np.abs(rng.laplace(0.0, 2.0, trials) + 3.0 * rng.standard_normal(trials))
    assert (drawn <= half_width_95(2.0, 3.0)).mean() == pytest.approx(0.95, abs=0.002)
    assert drawn.mean() == pytest.approx(mean_absolute(2.0, 3.0), rel=0.005)
