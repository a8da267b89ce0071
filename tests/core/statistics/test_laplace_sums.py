"""Tails of sums of discrete Laplace variables against convolution, simulation and limits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm

from core.statistics.laplace_sums import expected_size, half_width, upper_tail

SCALES = (0.05, 0.334, 1.0, 4.0, 30.0)
TERMS = (1, 2, 3, 7)
each_case = pytest.mark.parametrize(
    ("terms", "scale"), [(terms, scale) for terms in TERMS for scale in SCALES]
)


def law(terms: int, scale: float, reach: int) -> np.ndarray:
    """P(sum = k) for |k| <= terms * reach, by convolution of the definition."""
    decay = math.exp(-1 / scale)
    one = (1 - decay) / (1 + decay) * decay ** np.abs(np.arange(-reach, reach + 1))
    whole = np.ones(1)
    for _ in range(terms):
        whole = np.convolve(whole, one)
    return whole


@each_case
def test_tails_are_those_of_the_convolution(terms: int, scale: float) -> None:
    reach = math.ceil(40 * scale) + 2
    whole = law(terms, scale, reach)
    for least in {1, 2, 3, math.ceil(scale), math.ceil(3 * scale)}:
        wanted = whole[terms * reach + least :].sum()
        assert upper_tail(terms, scale, least) == pytest.approx(wanted, rel=1e-9, abs=1e-14)


@each_case
def test_the_half_width_is_the_least_that_is_enough(terms: int, scale: float) -> None:
    reach = math.ceil(40 * scale) + 2
    whole, width = law(terms, scale, reach), half_width(terms, scale)
    middle = terms * reach
    assert whole[middle - width : middle + width + 1].sum() >= 0.95 - 1e-12
    if width:
        assert whole[middle - width + 1 : middle + width].sum() < 0.95


@pytest.mark.parametrize(("terms", "scale"), [(1, 0.334), (3, 2.0), (5, 400.0)])
def test_simulated_sums_stay_within_as_often_as_claimed(terms: int, scale: float) -> None:
    rng, trials = np.random.default_rng(terms), 20_000
    waits = np.floor(rng.exponential(scale, (2, trials, terms))).sum(axis=2)
    inside = int((np.abs(waits[0] - waits[1]) <= half_width(terms, scale)).sum())
    assert inside >= binom.ppf(1e-6, trials, 0.95)


def test_a_single_variable_of_a_fine_unit_has_the_half_width_of_the_continuous_one() -> None:
    assert half_width(1, 1e9) == pytest.approx(1e9 * math.log(20), rel=1e-8)


def test_many_variables_approach_the_normal_law() -> None:
    assert half_width(400, 1e5) == pytest.approx(norm.ppf(0.975) * 1e5 * math.sqrt(800), rel=0.003)


def test_the_scale_times_ln_20_is_not_enough_for_coarse_units() -> None:
    """At scale 0.333 it is 0.998: a continuous interval would hold no integer but the middle one."""
    assert 0.333 * math.log(20) < 1
    assert 2 * upper_tail(1, 0.333, 1) > 0.09
    assert half_width(1, 0.333) == 1


def test_almost_no_noise_has_no_width() -> None:
    assert half_width(3, 1e-6) == 0


@given(st.integers(1, 8), st.floats(0.01, 1e12), st.floats(1.0, 3.0))
def test_more_noise_is_never_narrower(terms: int, scale: float, factor: float) -> None:
    assert half_width(terms, scale) <= half_width(terms, scale * factor) + 1e-9 * scale
    assert half_width(terms, scale) <= half_width(terms + 1, scale)


@each_case
def test_the_expected_size_bounds_the_mean_and_meets_it_for_fine_units(terms: int, scale: float) -> None:
    reach = math.ceil(40 * scale) + 2
    mean = float((law(terms, scale, reach) * np.abs(np.arange(-terms * reach, terms * reach + 1))).sum())
    assert mean <= expected_size(terms, scale) * (1 + 1e-12)
    if scale >= 30:
        assert mean == pytest.approx(expected_size(terms, scale), rel=1e-3)


def test_expected_sizes_by_hand() -> None:
    """E|Laplace| is its scale; of two the density (1 + |x|) e^-|x| / 4 gives 3/2."""
    assert expected_size(1, 2.0) == 2.0
    assert expected_size(2, 2.0) == 3.0
    assert expected_size(2_000, 1.0) == pytest.approx(math.sqrt(4_000) * math.sqrt(2 / math.pi), rel=1e-3)
