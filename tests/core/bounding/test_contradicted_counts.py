"""What released weights say of the counts that they were planned on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.bounding.contradicted_counts import counts_factor, shown_weight
from core.city.noise_kind import NoiseKind

BOTH = list(NoiseKind)


def noise_of(kind: NoiseKind, size: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=size) if kind.squared else rng.laplace(size=size)


@pytest.mark.parametrize("kind", BOTH)
def test_the_law_of_what_is_shown_is_that_of_draws(kind: NoiseKind) -> None:
    weight, least = np.array([0.0, 3.0, 9.0]), np.array([2.0, 2.5, 2.0])
    drawn = np.maximum(weight + noise_of(kind, 600_000, 1).reshape(-1, 3), least)
    mean, variance = shown_weight(kind, weight, least)
    assert mean == pytest.approx(drawn.mean(axis=0), abs=0.01)
    assert variance == pytest.approx(drawn.var(axis=0), rel=0.03)


@given(st.sampled_from(BOTH), st.sampled_from([0.1, 0.2, 0.5, 2.0, 8.0]), st.integers(0, 50))
def test_the_factor_is_that_between_counts_and_truth(kind: NoiseKind, times: float, seed: int) -> None:
    expected, least = np.linspace(5.0, 60.0, 400), np.full(400, 3.0)
    seen = np.maximum(times * expected + noise_of(kind, 400, seed), least)
    found = counts_factor(kind, expected, seen, least)
    assert found is not None
    assert found.times == pytest.approx(1.0 / times, rel=0.25)
    assert not found.at_least


@given(st.sampled_from(BOTH), st.integers(0, 50))
def test_counts_that_are_right_are_not_contradicted(kind: NoiseKind, seed: int) -> None:
    expected, least = np.linspace(0.0, 9.0, 300), np.full(300, 4.0)
    seen = np.maximum(expected + noise_of(kind, 300, seed), least)
    assert counts_factor(kind, expected, seen, least) is None


@pytest.mark.parametrize("kind", BOTH)
def test_a_table_without_anybody_has_a_factor_that_it_supports(kind: NoiseKind) -> None:
    expected, least = np.full(100, 40.0), np.full(100, 5.0)
    found = counts_factor(kind, expected, least, least)
    assert found is not None
    assert 10.0 < found.times < 40.0
    mean, _ = shown_weight(kind, expected / found.times, least)
    empty = shown_weight(kind, np.zeros(100), least)
    assert mean.sum() == pytest.approx(empty[0].sum() + 4.0 * np.sqrt(empty[1].sum()))


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize(("weight", "shown"), [(1e6, 5.0), (1e6, 200.0), (10.0, 1e6)])
def test_what_noise_or_the_search_hides_of_the_factor_is_a_least_one(
    kind: NoiseKind, weight: float, shown: float
) -> None:
    found = counts_factor(kind, np.full(100, weight), np.full(100, shown), np.full(100, 5.0))
    assert found is not None
    assert found.at_least


def test_a_twentieth_is_not_named_however_sure_it_is() -> None:
    expected, least = np.full(5_000, 50.0), np.full(5_000, 1.0)
    assert counts_factor(NoiseKind.GAUSS, expected, 1.05 * expected, least) is None
