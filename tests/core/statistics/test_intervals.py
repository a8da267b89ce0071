"""The interval of Laplace noise: its share, its centre, its cut."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.intervals import LN_20, noise_interval


@given(st.integers(0, 10**6), st.floats(0.001, 1e6), st.none() | st.just(10**6))
def test_it_holds_the_value_and_stays_possible(value: int, scale: float, largest: int | None) -> None:
    low, high = noise_interval(value, scale, largest=largest)
    assert 0 <= low <= value <= high
    assert largest is None or high <= largest
    half_width = math.ceil(scale * LN_20)
    assert low == max(0, value - half_width)
    assert high == value + half_width or high == largest


def test_it_covers_the_truth_in_95_percent_of_draws() -> None:
    """P(|X| <= b ln 20) = 1 - 1/20 for Laplace noise of scale b."""
    truth, scale, trials = 500_000, 1_000.0, 20_000
    noise = np.random.default_rng(4).laplace(0.0, scale, trials)
    ends = [noise_interval(round(truth + one), scale, largest=None) for one in noise]
    covered = sum(low <= truth <= high for low, high in ends) / trials
    assert covered == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / trials))


def test_what_pulled_the_value_widens_the_interval_on_both_sides() -> None:
    low, high = noise_interval(5_000, 100.0, largest=None, moved=250)
    plain_low, plain_high = noise_interval(5_000, 100.0, largest=None)
    assert (plain_low - low, high - plain_high) == (250, 250)
