"""Percentiles from cumulated shares: where curves reach them, and intervals that end on edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.shares.percentiles import increasing, percentiles_of
from core.statistics.ranges import Ranges

K = 1000
RANGES = Ranges(((0, 10 * K), (10 * K, 20 * K), (20 * K, 40 * K), (40 * K, 65 * K)), 65 * K)
STANDING = Ranges(((0, K), (K, 20 * K), (20 * K, 65 * K)), 65 * K)
curves_of = st.lists(st.floats(-0.5, 1.5), min_size=3, max_size=3)


def found(
    ranges: Ranges, curve: list[float], low: list[float], high: list[float], *asked: float
) -> np.ndarray:
    one = percentiles_of(ranges, np.array([curve]), np.array([low]), np.array([high]), asked)
    return np.array((one.lows[0], one.values[0], one.highs[0])).T / K


def test_between_edges_a_curve_is_straight() -> None:
    curve = [0.2, 0.6, 0.9]
    values = found(RANGES, curve, curve, curve, 10, 20, 40, 75, 95)[:, 1]
    assert values.tolist() == pytest.approx([5, 10, 15, 30, 52.5])


def test_who_stands_has_the_lowest_value() -> None:
    curve = [0.3, 0.8]
    assert found(STANDING, curve, curve, curve, 15, 55)[:, 1].tolist() == pytest.approx([0, 10.5])


def test_an_interval_ends_where_the_first_test_says_nothing() -> None:
    """The median of a curve that is surely below a half at 10 and surely above it at 40."""
    interval = found(RANGES, [0.3, 0.5, 0.8], [0.1, 0.4, 0.6], [0.45, 0.6, 0.95], 50)
    assert interval[0].tolist() == [10, 20, 40]
    # an edge further up that would say something comes too late
    broken = found(RANGES, [0.3, 0.4, 0.8], [0.1, 0.2, 0.6], [0.6, 0.45, 0.95], 50)
    assert broken[0].tolist() == pytest.approx([0, 25, 40])
    assert found(RANGES, [0.3, 0.5, 0.8], [0.0] * 3, [1.0] * 3, 50)[0].tolist() == [0, 20, 65]


def test_an_end_that_is_the_share_itself_ends_a_row_from_below_and_not_from_above() -> None:
    """The percentile lies at or above an edge exactly where less lies below it."""
    assert found(RANGES, [0.4, 0.5, 0.8], [0.1, 0.2, 0.3], [0.5, 0.6, 0.9], 50)[0].tolist() == [0, 20, 65]
    assert found(RANGES, [0.4, 0.5, 0.8], [0.1, 0.5, 0.6], [0.49, 0.6, 0.9], 50)[0].tolist() == [10, 20, 20]


@given(curves_of)
def test_the_closest_curve_that_never_falls(curve: list[float]) -> None:
    (fitted,) = increasing(np.array([curve]))
    assert np.all(np.diff(fitted) >= 0)
    assert np.all((fitted >= 0) & (fitted <= 1))
    assert np.array_equal(increasing(fitted[None]), fitted[None].round(9)) or np.allclose(
        increasing(fitted[None]), fitted[None]
    )


@given(st.integers(0, 2**32))
def test_an_interval_misses_only_where_a_pointwise_one_does(seed: int) -> None:
    """Of any true curve whose shares all lie in their intervals, the percentiles do too."""
    rng = np.random.default_rng(seed)
    truth = np.sort(rng.random(3))
    low, high = truth - rng.random(3) * 0.5, truth + rng.random(3) * 0.5
    noisy = np.sort(rng.uniform(np.maximum(low, 0), np.minimum(high, 1)))
    exact = found(RANGES, truth.tolist(), truth.tolist(), truth.tolist(), 15, 50, 85)[:, 1]
    lows, _, highs = found(RANGES, noisy.tolist(), low.tolist(), high.tolist(), 15, 50, 85).T
    assert np.all((lows <= exact) & (exact <= highs))
