"""Weights chosen with budgets: value and gradient of the formula, rows never exceeded, never worse."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.arrays import Floats
from core.city import split
from core.city.allocation import allocate, costs
from core.city.city_bias import city_bias, spread_squared
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.city.split import split_shares
from core.progress import Cancelled, silent
from tests.count_tables import TOWN, Counts, count_tables, pairs_of

UPPER = 65.0
EVERY_NOISE = pytest.mark.parametrize("noise", list(NoiseKind))
EVERY_BIAS = pytest.mark.parametrize("bounded", [False, True], ids=["modelled", "bounded"])
SEEDS = st.integers(0, 2**32)


def objective_of(
    pairs: CityPairs, noise: NoiseKind, bounded: bool, important: Floats | None = None, amplitude: float = 6.5
) -> split._Objective:
    return split._Objective.of(pairs, noise, amplitude, important, bounded=bounded)


def exact_shares(pairs: CityPairs, noise: NoiseKind) -> Floats:
    return costs(pairs, noise) * allocate(pairs, noise, 8).exactness[pairs.hat]


def expected_error(
    pairs: CityPairs, noise: NoiseKind, shares: Floats, bounded: bool, amplitude: float = 6.5
) -> float:
    """Mean over HATs of the expected error, from shares and from `city_bias`."""
    taken = np.sqrt(shares) if noise.squared else shares
    total = pairs.by_hat(taken)
    bias = city_bias(pairs, taken / total[pairs.hat], UPPER, lean=split.LEAN_CORRECTED)
    of_noise = noise.mean_of_scale * amplitude / total
    if bounded:
        return float(np.mean(of_noise + bias.at_worst))
    return float(np.mean(np.hypot(of_noise, 2.0 * NoiseKind.GAUSS.mean_of_scale * bias.typical)))


def written_out(
    objective: split._Objective, pairs: CityPairs, logarithms: NDArray[np.complex128]
) -> NDArray[np.complex128]:
    """The mean error at each column of logarithms of shares, shape (n, times).

    Its parts are analytic, so that a step along the imaginary axis tells the slope without a difference,
    however sharp the bias is bent at 0.
    """
    in_hat = pairs.hat == np.arange(pairs.hats)[:, None]
    shares = np.exp(logarithms)
    taken = np.sqrt(shares) if objective.noise.squared else shares
    total = in_hat @ taken
    moved = taken / total[pairs.hat] - pairs.shares[:, None]
    noise = objective.noise.mean_of_scale * objective.amplitude / total
    if objective.bounded:
        rounding = split._ROUND * pairs.shares[:, None]
        errors = noise + UPPER / 2 * (in_hat @ (np.sqrt(moved**2 + rounding**2) - rounding))
    else:
        square = in_hat @ (moved**2 * spread_squared(pairs)[:, None])
        if pairs.dwell is not None:
            square += (split.LEAN_CORRECTED * (in_hat @ (moved * pairs.dwell[:, None]))) ** 2
        errors = np.sqrt(noise**2 + 4.0 * 2.0 / np.pi * square)
    told: NDArray[np.complex128] = objective.important @ errors / pairs.hats
    return told


@EVERY_NOISE
@EVERY_BIAS
@given(counts=count_tables(), seed=SEEDS, block=st.integers(1, 12))
@example(
    counts=np.array([[1], [1]]), seed=5409, block=9
)  # next to the bend, where differences are off by 2e-4
def test_value_and_slope_are_those_of_the_formula_in_blocks_of_any_size(
    noise: NoiseKind, bounded: bool, counts: Counts, seed: int, block: int
) -> None:
    rng = np.random.default_rng(seed)
    pairs = pairs_of(counts, rng.integers(1, np.maximum(counts, 1), endpoint=True))
    objective = objective_of(pairs, noise, bounded, rng.uniform(0.2, 2.0, pairs.hats))
    logarithms = rng.normal(-1.0, 1.5, pairs.hat.size)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(split, "_BLOCK", block)
        value, slope = objective.at(np.exp(logarithms))
    step = 1e-30
    expected = written_out(objective, pairs, logarithms[:, None] + 1j * step * np.eye(logarithms.size))
    assert value == pytest.approx(expected.real, rel=1e-9)
    assert slope == pytest.approx(expected.imag / step, rel=1e-6, abs=1e-7)


@EVERY_NOISE
@EVERY_BIAS
@pytest.mark.parametrize("hat", range(4))
def test_a_stride_too_long_is_told_by_a_large_number(noise: NoiseKind, bounded: bool, hat: int) -> None:
    """Where all shares of a HAT come to nothing the search must be able to turn round."""
    pairs = pairs_of(TOWN, np.ones_like(np.array(TOWN)))
    objective = objective_of(pairs, noise, bounded)
    shares = split._shares_of(objective.vehicle, np.where(pairs.hat == hat, -900.0, 300.0))
    value, slope = objective.at(shares)
    assert 1e6 < value < np.inf
    assert np.isfinite(slope).all()


@EVERY_NOISE
@EVERY_BIAS
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


def lower_bound(pairs: CityPairs, shares: Floats, amplitude: float) -> float:
    """What no shares can come below with Gaussian noise (city-release 5).

    Each HAT at its best where budget has the prices that these shares put on it, less what all budgets are
    worth. At a given total its error is convex in the weights, and found by turns with the root's tangent.
    """
    price = np.maximum(
        -pairs.by_vehicle(objective_of(pairs, NoiseKind.GAUSS, False, None, amplitude).at(shares)[1]), 0
    )
    heed, lean = 2.0 * math.sqrt(2.0 / math.pi), split.LEAN_CORRECTED
    bound = -float(price.sum())
    for hat, total in enumerate(pairs.by_hat(np.sqrt(shares)).tolist()):
        rows = pairs.hat == hat
        true, spread = pairs.shares[rows], spread_squared(pairs)[rows]
        dwell = np.zeros(true.size) if pairs.dwell is None else pairs.dwell[rows]
        cheapest = math.inf
        for tried in total * np.exp(np.linspace(-2.0, 2.0, 101)):
            noise = heed / 2.0 * amplitude / tried
            error, tangent = noise + 1.0, math.inf
            while abs(error - tangent) > 1e-9 * error:
                tangent = error
                curve = heed**2 / (2.0 * tangent * pairs.hats)
                paid = tried**2 * price[pairs.vehicle[rows]]
                squares = np.diag(curve * spread + paid) + curve * lean**2 * np.outer(dwell, dwell)
                free, shift = np.linalg.solve(
                    squares, np.stack((curve * spread * true, np.ones(true.size)), axis=1)
                ).T
                weights = free + shift * (1.0 - free.sum()) / shift.sum()
                moved = weights - true
                error = math.hypot(noise, heed * math.sqrt(spread @ moved**2 + (lean * dwell @ moved) ** 2))
            cheapest = min(cheapest, error / pairs.hats + float(paid @ weights**2))
        bound += cheapest
    return bound


@pytest.mark.parametrize("amplitude", [6.5, 65.0])
@pytest.mark.parametrize("visits", [None, np.ones_like(np.array(TOWN))], ids=["", "visits"])
def test_with_gaussian_noise_prices_certify_what_is_found(amplitude: float, visits: Counts | None) -> None:
    pairs = pairs_of(TOWN, visits)
    start = exact_shares(pairs, NoiseKind.GAUSS)
    found = split_shares(pairs, NoiseKind.GAUSS, start, amplitude, UPPER, bounded=False)
    error = expected_error(pairs, NoiseKind.GAUSS, found, False, amplitude)
    bound = lower_bound(pairs, found, amplitude)
    assert bound * (1 - 1e-9) <= error <= bound * 1.001
    assert lower_bound(pairs, start, amplitude) <= error


@EVERY_NOISE
@given(counts=count_tables(), amplitude=st.sampled_from([0.65, 6.5, 65.0]))
def test_nothing_that_the_search_of_before_finds_is_better(
    noise: NoiseKind, counts: Counts, amplitude: float
) -> None:
    """200 iterations of L-BFGS from true weights, on the same error: it is a fifth worse in some cities."""
    pairs = pairs_of(counts)
    start = exact_shares(pairs, noise)
    found = split_shares(pairs, noise, start, amplitude, UPPER, bounded=False)
    before, _ = split._by_lbfgs(objective_of(pairs, noise, False, None, amplitude), start, 200, silent)
    assert expected_error(pairs, noise, found, False, amplitude) <= 1.01 * before
