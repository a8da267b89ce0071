"""Least squares, its exact variance, and isotonic regression, against dense and library forms."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from core.statistics.cdf_consistency import isotonic, least_squares, to_curve
from core.statistics.cdf_design import KINDS, choose_tree
from core.statistics.cdf_tree import LevelTree, level_sums
from tests.core.statistics.cdf_reference import dense_prefixes, trees

VARIANCE = st.floats(0.1, 10.0)


@given(tree=trees(), data=st.data())
def test_prefix_sums_are_dense_weighted_least_squares(tree: LevelTree, data: st.DataObject) -> None:
    variances = tuple(data.draw(st.lists(VARIANCE, min_size=tree.height, max_size=tree.height)))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    noisy = [rng.integers(-50, 100, nodes) for nodes in tree.nodes]
    matrix, offset, covariance = dense_prefixes(tree, variances)
    estimator = least_squares(tree, variances)
    expected = matrix @ np.concatenate(noisy) + offset * 300
    assert estimator.prefix_sums(noisy, 300)[:-1] == pytest.approx(expected, abs=1e-8)
    assert estimator.prefix_sums(noisy, 300)[-1] == 300
    assert estimator.prefix_variances()[:-1] == pytest.approx(np.diag(covariance), rel=1e-9, abs=1e-12)
    assert estimator.prefix_variances()[-1] == 0


@given(tree=trees(), seed=st.integers(0, 2**32))
def test_without_noise_the_bins_come_back(tree: LevelTree, seed: int) -> None:
    leaves = np.random.default_rng(seed).integers(0, 1000, tree.bins)
    estimator = least_squares(tree, (1.0,) * tree.height)
    sums = estimator.prefix_sums(level_sums(tree, leaves), int(leaves.sum()))
    assert sums == pytest.approx(np.cumsum(leaves), abs=1e-8)


def test_many_trials_are_estimated_at_once() -> None:
    tree = LevelTree(bins=11, factors=(3, 2, 2))
    rng = np.random.default_rng(5)
    noisy = [rng.integers(0, 50, (4, nodes)) for nodes in tree.nodes]
    estimator = least_squares(tree, (1.0, 2.0, 3.0))
    together = estimator.prefix_sums(noisy, 100)
    for trial in range(4):
        assert np.array_equal(together[trial], estimator.prefix_sums([level[trial] for level in noisy], 100))


@given(values=st.lists(st.integers(-20, 20), min_size=1, max_size=40))
def test_isotonic_is_the_library_s(values: list[int]) -> None:
    ours = isotonic(np.array(values, np.float64))
    assert ours == pytest.approx(isotonic_regression(np.array(values, np.float64)).x, abs=1e-9)
    assert (np.diff(ours) >= -1e-12).all()


@given(values=st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=40), total=st.integers(1, 10**9))
def test_a_curve_increases_within_0_and_1_and_ends_at_1(values: list[float], total: int) -> None:
    curve = to_curve(np.array([*values, total]), total)
    assert (np.diff(curve) >= -1e-12).all()
    assert curve.min() >= 0
    assert curve[-1] == curve.max() == 1


@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_bins_take_milliseconds(kind: str) -> None:
    """Generous, as the machine may be busy: dense matrices of this size would need minutes."""
    tree = choose_tree(kind, 10_000)
    noisy = [np.random.default_rng(1).integers(0, 100, nodes) for nodes in tree.nodes]
    started = time.process_time()
    estimator = least_squares(tree, (3.0,) * tree.height)
    estimator.prefix_variances()
    curve = to_curve(estimator.prefix_sums(noisy, 500_000), 500_000)
    assert curve.size == 10_000
    assert time.process_time() - started < 0.25


def test_the_total_below_has_the_variance_that_is_told_and_is_no_neighbour_of_the_curve() -> None:
    """Over 20,000 draws; its noise is not correlated with that of prefixes of a known total."""
    tree, deviations = LevelTree(bins=7, factors=(3, 3)), (2.0, 5.0)
    estimator = least_squares(tree, tuple(one**2 for one in deviations))
    rng = np.random.default_rng(8)
    noisy = [
        np.rint(1_000 * rng.normal(0.0, one, (20_000, nodes))).astype(np.int64)
        for one, nodes in zip(deviations, tree.nodes, strict=True)
    ]
    totals = estimator.total_below(noisy) / 1_000
    assert totals.mean() == pytest.approx(0.0, abs=0.1)
    assert totals.var() == pytest.approx(estimator.total_variance, rel=0.05)
    prefixes = estimator.prefix_sums(noisy, 0)[:, :-1] / 1_000
    for prefix in prefixes.T:
        assert abs(np.corrcoef(totals, prefix)[0, 1]) < 0.04
