"""Which tree: exact errors, the 16.8 of the paper, and the best integer factors by exhaustive search."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from core.accounting.epsilon_rounding import floor_epsilon
from core.noise.simulated import SimulatedNoise
from core.statistics.cdf_consistency import least_squares
from core.statistics.cdf_design import (
    BINARY,
    FLAT,
    KINDS,
    MIXED,
    UNIFORM,
    choose_tree,
    laplace_variance,
    plain_error,
    tight_trees,
    tree_error,
    uniform_trees,
)
from core.statistics.cdf_tree import LevelTree, level_sums
from tests.core.statistics.cdf_reference import dense_prefixes, trees


def ordered_factors(bins: int) -> Iterator[tuple[int, ...]]:
    """Every order of every factors of which the top ones cannot be fewer: all different trees but no-ops."""
    for height in range(1, (bins - 1).bit_length() + 1):
        for below in itertools.product(range(2, bins), repeat=height - 1):
            if (reach := math.prod(below)) < bins:
                yield (-(-bins // reach), *below)


def test_the_optimal_branching_of_the_paper() -> None:
    """P4: 16.8, the least point of (n - 1) / ln^3 n."""
    least = minimize_scalar(lambda x: (x - 1) / math.log(x) ** 3, bounds=(3, 100), method="bounded")
    n = float(least.x)
    assert n * math.log(n) == pytest.approx(3 * (n - 1), rel=1e-4)
    assert round(n, 1) == 16.8


@pytest.mark.parametrize("height", [2, 3, 4])
def test_plain_error_of_full_uniform_trees_is_the_paper_s(height: int) -> None:
    """Each of h levels gives (n - 1) / 2 nodes of variance 2 h^2 on average: h^3 (n - 1)."""
    for n in (2, 5, 16):
        tree = LevelTree(bins=n**height, factors=(n,) * height)
        assert plain_error(tree) == pytest.approx(height**3 * (n - 1))


def test_seventeen_is_the_best_equal_integer_factor_where_powers_fit() -> None:
    """Error per (ln N)^3 of full trees: 17 is next to 16.8."""
    error = {
        n: plain_error(LevelTree(bins=n * n, factors=(n, n))) / math.log(n * n) ** 3 for n in range(2, 60)
    }
    assert min(error, key=error.__getitem__) == 17


@given(tree=trees())
def test_exact_error_is_that_of_dense_least_squares(tree: LevelTree) -> None:
    variance = laplace_variance(1 / tree.height)
    _, _, covariance = dense_prefixes(tree, (variance,) * tree.height)
    assert tree_error(tree) == pytest.approx(np.trace(covariance) / tree.bins)
    assert tree_error(tree) <= plain_error(tree) * (1 + 1e-9)


def test_exact_errors_are_what_simulated_noise_gives() -> None:
    """Of both forms, for a ragged tree, at epsilon 1 and a sensitivity of 2^20 units."""
    tree, unit, trials = LevelTree(bins=50, factors=(4, 3, 5)), 1 << 20, 20_000
    noise = SimulatedNoise(7, trials)
    leaves = np.arange(50) * unit
    budget = floor_epsilon(Decimal(1) / tree.height)
    noisy = [noise.laplace_vector(level, unit, spend=budget) for level in level_sums(tree, leaves)]
    truth = np.cumsum(leaves)
    estimator = least_squares(tree, (laplace_variance(float(budget)),) * tree.height)
    errors = ((estimator.prefix_sums(noisy, int(leaves.sum())) - truth) / unit) ** 2
    assert errors.mean(axis=0)[:-1] == pytest.approx(estimator.prefix_variances()[:-1], rel=0.06)
    assert errors.mean() == pytest.approx(tree_error(tree), rel=0.03)
    digits = [
        [bins // span % factor for span, factor in zip(tree.spans, tree.factors, strict=True)]
        for bins in range(50)
    ]
    plain = 0.0
    for prefix, digit in enumerate(digits):
        total, start = np.zeros(trials), 0
        for level, (span, taken) in enumerate(zip(tree.spans, digit, strict=True)):
            node = start // span
            total += noisy[level][:, node : node + taken].sum(axis=1)
            start += taken * span
        plain += float(((total - truth[prefix - 1] * (prefix > 0)) ** 2).mean()) / unit**2
    assert plain / 50 == pytest.approx(plain_error(tree), rel=0.03)


@given(bins=st.integers(2, 700))
def test_richer_families_are_never_worse(bins: int) -> None:
    error = {kind: tree_error(choose_tree(kind, bins)) for kind in KINDS}
    assert error[MIXED] <= error[UNIFORM] <= min(error[BINARY], error[FLAT])


@pytest.mark.parametrize("bins", [2, 3, 17, 64, 65, 650, 1_000, 10_000])
def test_richer_families_are_never_worse_at_chosen_sizes(bins: int) -> None:
    error = {kind: tree_error(choose_tree(kind, bins)) for kind in KINDS}
    assert error[MIXED] <= error[UNIFORM] <= min(error[BINARY], error[FLAT])


@pytest.mark.parametrize("bins", [*range(2, 19), 24])
def test_the_mixed_tree_is_the_best_of_all_orders_of_all_factors(bins: int) -> None:
    best = min(tree_error(LevelTree(bins=bins, factors=factors)) for factors in ordered_factors(bins))
    assert tree_error(choose_tree(MIXED, bins)) == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize(("bins", "worse"), [(64, 0.0), (100, 0.01), (130, 0.01)])
def test_the_mixed_tree_is_near_the_best_of_up_to_three_levels(bins: int, worse: float) -> None:
    best = min(tree_error(LevelTree(bins=bins, factors=factors)) for factors in ordered_up_to_three(bins))
    assert tree_error(choose_tree(MIXED, bins)) <= best * (1 + worse) * (1 + 1e-9)


def ordered_up_to_three(bins: int) -> Iterator[tuple[int, ...]]:
    yield (bins,)
    for low in range(2, bins):
        above = -(-bins // low)
        if above >= 2:
            yield (above, low)
        for middle in range(2, above):
            yield (-(-above // middle), middle, low)


@pytest.mark.parametrize("bins", [37, 100, 650])
def test_the_shortlist_holds_the_best_tight_tree(bins: int) -> None:
    best = min(tree_error(tree) for tree in tight_trees(bins))
    assert tree_error(choose_tree(MIXED, bins)) <= best


def test_the_trees_of_the_default() -> None:
    """650 bins of 0.1 km/h."""
    assert choose_tree(FLAT, 650).factors == (650,)
    assert choose_tree(BINARY, 650).factors == (2,) * 10
    assert choose_tree(UNIFORM, 650).factors == (26, 26)
    assert choose_tree(MIXED, 650).factors == (26, 25)


@given(bins=st.integers(2, 3_000))
def test_tight_trees_cannot_lose_a_branch(bins: int) -> None:
    seen = {tree.factors for tree in itertools.islice(tight_trees(bins), 200)}
    for factors in seen:
        assert list(factors) == sorted(factors, reverse=True)
        assert math.prod(factors) // factors[0] * (factors[0] - 1) < bins <= math.prod(factors)


@given(bins=st.integers(2, 10_000))
def test_uniform_trees_have_the_least_factor_of_each_height(bins: int) -> None:
    found = uniform_trees(bins)
    assert found[0].factors == (bins,)
    assert set(found[-1].factors) == {2}
    for tree in found:
        assert (tree.factors[0] - 1) ** tree.height < bins <= tree.factors[0] ** tree.height


def test_a_tree_of_ten_thousand_bins_is_chosen_in_a_second() -> None:
    choose_tree.cache_clear()
    started = time.process_time()
    assert choose_tree(MIXED, 10_000).height in (3, 4)
    assert time.process_time() - started < 2.0
