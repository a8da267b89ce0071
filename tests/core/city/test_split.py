"""Weights chosen with budgets: the gradient by differences, rows that cannot be exceeded, never worse."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.arrays import Floats
from core.city import split
from core.city.allocation import allocate, costs
from core.city.city_bias import city_bias, spread_squared
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.city.split import split_shares
from core.own_process import OwnProcess, in_this_process
from core.progress import Cancelled, Progress
from tests.count_tables import TOWN, Counts, count_tables, pairs_of
from tests.own_work import broken_here

UPPER = 65.0
EVERY_NOISE = pytest.mark.parametrize("noise", list(NoiseKind))
EVERY_BIAS = pytest.mark.parametrize("bounded", [False, True], ids=["modelled", "bounded"])
SEEDS = st.integers(0, 2**32)


def objective_of(pairs: CityPairs, noise: NoiseKind, bounded: bool, important: Floats) -> split._Objective:
    return split._Objective(
        pairs=pairs,
        noise=noise,
        amplitude=6.5,
        upper_kmh=UPPER,
        important=important,
        bounded=bounded,
        true_weights=pairs.shares,
        spread=spread_squared(pairs),
        dwell=pairs.dwell,
    )


def exact_shares(pairs: CityPairs, noise: NoiseKind) -> Floats:
    return costs(pairs, noise) * allocate(pairs, noise, 8).exactness[pairs.hat]


def expected_error(
    pairs: CityPairs, noise: NoiseKind, shares: Floats, bounded: bool, amplitude: float = 6.5
) -> float:
    """Mean over HATs of expected noise and bias, from shares and from `city_bias`."""
    taken = np.sqrt(shares) if noise.squared else shares
    total = pairs.by_hat(taken)
    bias = city_bias(pairs, taken / total[pairs.hat], UPPER)
    size = bias.at_worst if bounded else NoiseKind.GAUSS.mean_of_scale * bias.typical
    return float(np.mean(noise.mean_of_scale * amplitude / total + size))


@EVERY_NOISE
@EVERY_BIAS
@settings(max_examples=30)
@given(counts=count_tables(), seed=SEEDS)
def test_the_gradient_is_what_differences_give(
    noise: NoiseKind, bounded: bool, counts: Counts, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    pairs = pairs_of(counts, rng.integers(1, np.maximum(counts, 1), endpoint=True))
    objective = objective_of(pairs, noise, bounded, rng.uniform(0.2, 2.0, pairs.hats))
    logits = rng.normal(0, 1.5, pairs.hat.size)
    value, gradient = objective(logits)
    assert value > 0
    step = 1e-5
    for place in range(pairs.hat.size):
        moved = np.zeros(pairs.hat.size)
        moved[place] = step
        slope = (objective(logits + moved)[0] - objective(logits - moved)[0]) / (2 * step)
        assert gradient[place] == pytest.approx(slope, rel=1e-4, abs=1e-5)


@EVERY_NOISE
@EVERY_BIAS
@pytest.mark.parametrize("hat", range(4))
def test_a_stride_too_long_is_told_by_a_large_number(noise: NoiseKind, bounded: bool, hat: int) -> None:
    """Where all shares of a HAT come to nothing the search must be able to turn round."""
    pairs = pairs_of(TOWN, np.ones_like(np.array(TOWN)))
    objective = objective_of(pairs, noise, bounded, np.ones(pairs.hats))
    value, gradient = objective(np.where(pairs.hat == hat, -900.0, 300.0))
    assert 1e6 < value < np.inf
    assert np.isfinite(gradient).all()


@EVERY_NOISE
@EVERY_BIAS
@settings(max_examples=30)
@given(counts=count_tables())
@example(
    counts=np.array(
        [[1, 0, 2, 0, 6], [0, 1, 0, 0, 0], [0, 0, 4, 0, 0], [0, 0, 8, 3, 0], [0, 0, 1, 0, 9], [1, 0, 0, 8, 0]]
    )
)
def test_no_row_passes_one_and_nothing_gets_worse(noise: NoiseKind, bounded: bool, counts: Counts) -> None:
    pairs = pairs_of(counts)
    start = exact_shares(pairs, noise)
    found = split_shares(pairs, noise, start, 6.5, UPPER, bounded=bounded)
    assert (found >= 0).all()
    assert pairs.by_vehicle(found).max() <= 1 + 1e-9
    before = expected_error(pairs, noise, start, bounded)
    assert expected_error(pairs, noise, found, bounded) <= before * (1 + 1e-6) + 1e-3


@EVERY_NOISE
@EVERY_BIAS
def test_no_small_change_is_better(noise: NoiseKind, bounded: bool) -> None:
    """Random shares near what was found, within the budgets, expect as large an error at least."""
    pairs = pairs_of(TOWN)
    found = split_shares(pairs, noise, exact_shares(pairs, noise), 6.5, UPPER, bounded=bounded)
    best = expected_error(pairs, noise, found, bounded)
    rng = np.random.default_rng(3)
    for size in (0.003, 0.03, 0.3):
        for _ in range(100):
            tried = np.maximum(found, 1e-9) * rng.lognormal(0, size, found.size)
            tried /= np.maximum(1.0, pairs.by_vehicle(tried))[pairs.vehicle]
            assert expected_error(pairs, noise, tried, bounded) >= best - 2e-3


def test_much_noise_makes_weights_move_and_little_does_not() -> None:
    pairs = pairs_of(TOWN)
    start = exact_shares(pairs, NoiseKind.LAPLACE)
    moved = []
    for amplitude in (0.065, 6.5, 650.0):
        shares = split_shares(pairs, NoiseKind.LAPLACE, start, amplitude, UPPER, bounded=False)
        weights = shares / pairs.by_hat(shares)[pairs.hat]
        moved.append(float(np.abs(weights - pairs.shares).sum()))
    assert moved == sorted(moved)
    assert moved[0] < 0.5 * moved[2]


def test_a_start_that_cannot_be_improved_is_kept() -> None:
    """One vehicle alone has all its weight, and all its budget out."""
    pairs, whole = pairs_of([[4]]), np.ones(1)
    assert split_shares(pairs, NoiseKind.LAPLACE, whole, 6.5, UPPER, bounded=False) is whole


def test_a_hat_that_matters_more_gets_less_noise() -> None:
    pairs = pairs_of(TOWN)
    start = exact_shares(pairs, NoiseKind.LAPLACE)
    totals = [
        pairs.by_hat(split_shares(pairs, NoiseKind.LAPLACE, start, 6.5, UPPER, bounded=False, importance=om))
        for om in (np.ones(4), np.array([10.0, 1.0, 1.0, 1.0]))
    ]
    assert totals[1][0] > totals[0][0]
    assert totals[1][1:].sum() < totals[0][1:].sum()


def test_progress_rises_and_a_stop_is_taken() -> None:
    pairs, told = pairs_of(TOWN), []
    start = exact_shares(pairs, NoiseKind.GAUSS)
    split_shares(
        pairs, NoiseKind.GAUSS, start, 6.5, UPPER, bounded=False, progress=lambda done, _: told.append(done)
    )
    assert told == sorted(told)
    assert told[0] > 0
    assert told[-1] <= 1

    def stop(*_: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        split_shares(pairs, NoiseKind.GAUSS, start, 6.5, UPPER, bounded=False, progress=stop)


@pytest.mark.parametrize("counts", [[[9, 9, 2], [2, 1, 0], [0, 8, 1]], [[1, 30], [30, 1]]])
@pytest.mark.parametrize("total", [1e-2, 1e-5])
def test_a_search_that_takes_all_from_a_hat_stays_finite(counts: list[list[int]], total: float) -> None:
    """Where noise is beyond all measure against bias, some steps of the search empty a HAT."""
    pairs = pairs_of(np.array(counts))
    for noise in NoiseKind:
        start = costs(pairs, noise) * allocate(pairs, noise, 8).exactness[pairs.hat]
        for bounded in (False, True):
            shares = split_shares(pairs, noise, start, 65.0 / total, 65.0, bounded=bounded)
            assert np.isfinite(shares).all()
            assert (shares >= 0).all()
            assert pairs.by_vehicle(shares).max() <= 1 + 1e-9


def test_a_large_search_is_done_apart_and_comes_to_the_same_shares() -> None:
    """To the last bit; a small one stays here."""
    counts = np.random.default_rng(5).integers(1, 40, (200, 60))
    large, apart, asked = pairs_of(counts, np.maximum(counts // 3, 1)), OwnProcess(), list[int]()

    def noted(work: Callable[..., Any], *given: object, progress: Progress) -> Any:
        asked.append(len(given))
        return apart(broken_here, work, os.getpid(), *given, progress=progress)

    try:
        for noise in NoiseKind:
            start = exact_shares(large, noise)
            here, there = (
                split_shares(large, noise, start, 6.5, UPPER, bounded=False, iterations=4, apart=place)
                for place in (in_this_process, noted)
            )
            assert here is not start
            assert here.tobytes() == there.tobytes()
    finally:
        apart.close()
    assert len(asked) == len(NoiseKind)
    small = pairs_of(TOWN)
    split_shares(
        small, NoiseKind.GAUSS, exact_shares(small, NoiseKind.GAUSS), 6.5, UPPER, bounded=False, apart=noted
    )
    assert len(asked) == len(NoiseKind)
