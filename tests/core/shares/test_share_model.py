"""What is expected of shares, and what weights may miss of them."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
from numpy.testing import assert_allclose

from core.shares.share_model import bias_of_shares, constant_error_of_shares, expected_shares
from core.statistics.ranges import Ranges
from tests.count_tables import TOWN, pairs_of
from tests.strategies import U

K = 1000


def test_expected_shares_are_masses_of_the_cut_normal_law() -> None:
    ranges = Ranges(((0, 10 * K), (10 * K, 40 * K), (40 * K, U)), U)
    values = np.clip(22 + np.hypot(12, 18) * scipy.stats.norm.ppf((np.arange(10**5) + 0.5) / 10**5), 0, 65)
    counted = [float(((low <= values) & (values < high)).mean()) for low, high in ((0, 10), (10, 40))]
    assert expected_shares(ranges)[:2] == pytest.approx(counted, abs=1e-4)
    assert expected_shares(ranges).sum() == pytest.approx(1)
    doubled = Ranges(tuple((2 * low, 2 * high) for low, high in ranges.listed), 2 * U)
    assert_allclose(expected_shares(doubled), expected_shares(ranges))


def test_true_weights_miss_nothing_and_others_what_is_modelled() -> None:
    pairs = pairs_of(TOWN, np.minimum(TOWN, 1))
    shares, lowest = np.array([0.3, 0.2]), np.array([True, False])
    none = bias_of_shares(pairs, pairs.shares, shares, lowest, corrected=True)
    assert not none.interval.any()
    equal = 1.0 / pairs.by_hat(np.ones(pairs.hat.size))[pairs.hat]
    found = bias_of_shares(pairs, equal, shares, lowest, corrected=True)
    moved = equal - pairs.shares
    alone = pairs.by_hat(moved**2 * (0.1 + 0.9 / pairs.records))
    lean = 4 / 22 * pairs.by_hat(moved * pairs.dwell)
    assert_allclose(found.typical[:, 0], np.sqrt(0.21 * alone + (0.7 * lean) ** 2))
    assert_allclose(found.typical[:, 1], np.sqrt(0.16 * alone + (0.2 * lean) ** 2))
    shifted = (0.3 * pairs.by_hat(np.abs(moved)) / 2) ** 2
    assert_allclose(found.interval**2 - found.typical**2, np.outer(shifted, [0.21, 0.16]))


def test_a_constant_misses_what_the_model_spreads_hexagon_slots_by() -> None:
    """By drawing: of several ranges the one whose share is nearest to a half."""
    below = Ranges(((0, 10 * K),), U)
    expected = float(expected_shares(below)[0])
    spread = float(np.linalg.norm([0.30, 0.11, 0.15, 0.19])) * np.sqrt(expected * (1 - expected))
    drawn = np.clip(np.random.default_rng(5).normal(expected, spread, 10**6), 0, 1)
    assert constant_error_of_shares(below) == pytest.approx(np.abs(drawn - expected).mean(), rel=3e-3)
    both = Ranges(((0, 1 * K), (0, 10 * K)), U)
    assert constant_error_of_shares(both) == constant_error_of_shares(below)
