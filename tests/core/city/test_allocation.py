"""The allocation against other solvers, closed forms and its own certificate."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog, minimize

from core.arrays import Floats
from core.city import allocation
from core.city.allocation import LARGEST_GAP, Allocation, allocate, costs
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.errors import InternalError
from core.progress import Cancelled
from tests.count_tables import TOWN, Counts, count_tables, large_city, pairs_of

EVERY_NOISE = pytest.mark.parametrize("noise", list(NoiseKind))
EVERY_POWER = pytest.mark.parametrize("power", [1, 8])


def matrix(counts: Counts, noise: NoiseKind) -> NDArray[np.float64]:
    """D, dense, shape (L, G), from the counts themselves."""
    shares = counts / counts.sum(axis=0)
    return shares**2 / 2 if noise is NoiseKind.GAUSS else shares


def minimised(exactness: Floats, noise: NoiseKind, power: int, importance: Floats | None = None) -> float:
    """What the allocation minimises, shape (G,) -> one number."""
    p = power / 2 if noise is NoiseKind.GAUSS else power
    weights = np.ones(exactness.size) if importance is None else importance / importance.mean()
    return float(weights @ exactness**-p)


def by_slsqp(counts: Counts, noise: NoiseKind, power: int) -> Floats:
    """The same problem for another solver, in logarithms of x."""
    load = matrix(counts, noise)
    p = power / 2 if noise is NoiseKind.GAUSS else power
    start = np.full(counts.shape[1], -np.log(load.sum(axis=1).max()))
    found = minimize(
        lambda logs: float(np.log(np.mean(np.exp(-p * logs))) / p),
        start,
        method="SLSQP",
        constraints={"type": "ineq", "fun": lambda logs: 1 - load @ np.exp(logs)},
        options={"maxiter": 500, "ftol": 1e-12},
    )
    x = np.exp(found.x)
    return x / max(1.0, float((load @ x).max()))


@EVERY_NOISE
@EVERY_POWER
@given(counts=count_tables())
def test_it_is_as_good_as_another_solver_finds(noise: NoiseKind, power: int, counts: Counts) -> None:
    found = allocate(pairs_of(counts), noise, power)
    other = minimised(by_slsqp(counts, noise, power), noise, power)
    assert minimised(found.exactness, noise, power) <= other * (1 + LARGEST_GAP) * (1 + 1e-9)
    # the certificate: nothing that fits is better by more than the gap
    assert other >= minimised(found.exactness, noise, power) / (1 + found.gap) * (1 - 1e-9)


@EVERY_NOISE
@EVERY_POWER
@given(counts=count_tables(), seed=st.integers(0, 2**32), weighted=st.booleans())
def test_no_vehicle_is_overspent_and_the_certificate_holds_against_anything(
    noise: NoiseKind, power: int, counts: Counts, seed: int, weighted: bool
) -> None:
    rng = np.random.default_rng(seed)
    importance = rng.uniform(0.1, 10, counts.shape[1]) if weighted else None
    found = allocate(pairs_of(counts), noise, power, importance)
    load = matrix(counts, noise)
    assert (load @ found.exactness).max() <= 1 + 1e-12
    assert 0 <= found.gap <= LARGEST_GAP
    reached = minimised(found.exactness, noise, power, importance)
    for _ in range(5):
        tried = found.exactness * rng.lognormal(0, rng.choice([0.01, 0.1, 1]), counts.shape[1])
        tried /= (load @ tried).max()
        assert minimised(tried, noise, power, importance) >= reached / (1 + found.gap) * (1 - 1e-9)


@EVERY_NOISE
@given(counts=count_tables())
def test_the_busiest_vehicle_spends_everything_and_each_hat_touches_a_full_one(
    noise: NoiseKind, counts: Counts
) -> None:
    """No HAT could have more: in each of them some vehicle has spent nearly all it has."""
    x = allocate(pairs_of(counts), noise, 8).exactness
    spent = matrix(counts, noise) @ x
    assert spent.max() == pytest.approx(1.0, abs=1e-9)
    for hat in range(counts.shape[1]):
        assert spent[counts[:, hat] > 0].max() > 0.9


@EVERY_NOISE
@EVERY_POWER
@pytest.mark.parametrize("hats", [1, 2, 7, 300])
def test_equal_hats_and_one_vehicle_in_all_share_its_budget_equally(
    noise: NoiseKind, power: int, hats: int
) -> None:
    """x = eps / (G D): the vehicle has half of each HAT, which it shares with one of its own."""
    counts = np.concatenate((np.full((1, hats), 3), 3 * np.eye(hats, dtype=np.int64)))
    cost = 0.5**2 / 2 if noise is NoiseKind.GAUSS else 0.5
    assert allocate(pairs_of(counts), noise, power).exactness == pytest.approx(1 / (hats * cost), rel=1e-9)


@EVERY_NOISE
@EVERY_POWER
@given(hats=st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=4), min_size=1, max_size=6))
def test_disjoint_vehicles_leave_each_hat_to_its_busiest(
    noise: NoiseKind, power: int, hats: list[list[int]]
) -> None:
    """x_g = eps / max_l D_lg."""
    counts = np.zeros((sum(map(len, hats)), len(hats)), np.int64)
    places = [(hat, number) for hat, inside in enumerate(hats) for number in inside]
    for vehicle, (hat, number) in enumerate(places):
        counts[vehicle, hat] = number
    wanted = 1 / matrix(counts, noise).max(axis=0)
    assert allocate(pairs_of(counts), noise, power).exactness == pytest.approx(wanted, rel=1e-9)


@EVERY_NOISE
@pytest.mark.parametrize("power", [32, 100])
def test_a_large_power_comes_to_the_closed_form_of_the_largest_noise(noise: NoiseKind, power: int) -> None:
    """x = cap / max_l sum_g D_lg for every HAT; a linear program finds the same."""
    counts = np.array(TOWN)
    load = matrix(counts, noise)
    hats = counts.shape[1]
    largest = linprog(
        c=[0] * hats + [-1],
        A_ub=np.block([[load, np.zeros((len(load), 1))], [-np.eye(hats), np.ones((hats, 1))]]),
        b_ub=[1] * len(load) + [0] * hats,
    )
    closed = 1 / load.sum(axis=1).max()
    assert -largest.fun == pytest.approx(closed, rel=1e-9)
    smallest = float(allocate(pairs_of(counts), noise, power).exactness.min())
    p = power / 2 if noise is NoiseKind.GAUSS else power
    assert smallest <= closed * (1 + 1e-12)
    # the largest term alone is no more than the sum at the closed form: G closed^-p
    assert smallest >= closed * (hats * (1 + LARGEST_GAP)) ** (-1 / p)


@EVERY_NOISE
def test_the_higher_power_gives_the_smaller_worst_and_the_larger_mean(noise: NoiseKind) -> None:
    pairs = large_city(60, 200, 3_000)
    mean, worst = (allocate(pairs, noise, power).exactness for power in (1, 8))
    root = 2 if noise is NoiseKind.GAUSS else 1
    noises = [x ** (-1 / root) for x in (mean, worst)]
    assert noises[0].mean() < noises[1].mean()
    assert noises[0].max() > noises[1].max()


@EVERY_NOISE
@given(counts=count_tables(), seed=st.integers(0, 2**32))
def test_the_order_of_vehicles_changes_next_to_nothing(noise: NoiseKind, counts: Counts, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(counts.shape[0])
    here, there = (allocate(pairs_of(table), noise, 8).exactness for table in (counts, counts[order]))
    assert here == pytest.approx(there, rel=1e-7)


@EVERY_NOISE
@given(counts=count_tables(), times=st.integers(2, 1000))
def test_only_shares_of_records_count(noise: NoiseKind, counts: Counts, times: int) -> None:
    assert allocate(pairs_of(counts), noise, 8).exactness == pytest.approx(
        allocate(pairs_of(counts * times), noise, 8).exactness, rel=1e-7
    )


def test_importance_is_relative_and_moves_budget() -> None:
    pairs = pairs_of(np.full((2, 3), 4))
    even = allocate(pairs, NoiseKind.LAPLACE, 1).exactness
    told = allocate(pairs, NoiseKind.LAPLACE, 1, np.array([4.0, 1.0, 1.0])).exactness
    scaled = allocate(pairs, NoiseKind.LAPLACE, 1, np.array([0.4, 0.1, 0.1])).exactness
    assert even == pytest.approx(2 / 3, rel=1e-9)
    # minimise sum om / x where sum x / 2 <= 1: x goes with the root of om
    assert told == pytest.approx([1.0, 0.5, 0.5], rel=1e-2)
    assert scaled == pytest.approx(told, rel=1e-12)


@pytest.mark.parametrize(
    ("pairs", "name"),
    [
        (pairs_of([[1]]), "one vehicle in one hexagon slot"),
        (pairs_of([[1] * 400]), "one vehicle alone in every hexagon slot"),
        (pairs_of(np.ones((50, 50), np.int64)), "everyone everywhere"),
        (pairs_of(np.eye(300, dtype=np.int64)), "everyone alone"),
        (pairs_of([[10**6, 1], [1, 10**6]]), "very uneven shares"),
        (pairs_of([[10**9] + [1] * 30, *([[1] * 31] * 3)]), "a giant"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
@EVERY_NOISE
@EVERY_POWER
def test_odd_cities_are_solved(noise: NoiseKind, power: int, pairs: CityPairs, name: str) -> None:
    found = allocate(pairs, noise, power)
    load = pairs.by_vehicle(costs(pairs, noise) * found.exactness[pairs.hat])
    assert found.gap <= LARGEST_GAP, name
    assert found.exactness.min() > 0
    assert load.max() == pytest.approx(1.0, abs=1e-9)


def test_progress_rises_to_the_end_and_a_stop_is_taken() -> None:
    pairs, told = large_city(60, 200, 3_000), []
    solved = allocate(pairs, NoiseKind.LAPLACE, 8, progress=lambda done, _: told.append(done))
    assert len(told) == solved.iterations - 1
    assert all(0 < done < 1 for done in told)

    def stop(*_: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        allocate(pairs, NoiseKind.LAPLACE, 8, progress=stop)


def test_a_gap_that_stays_open_is_told_not_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allocation, "_MOST_ITERATIONS", 1)
    with pytest.raises(InternalError, match="not found"):
        allocate(large_city(60, 200, 3_000), NoiseKind.LAPLACE, 8)


@EVERY_NOISE
def test_twenty_thousand_hats_are_solved(noise: NoiseKind) -> None:
    pairs = large_city(1_500, 20_000, 150_000)
    since = time.process_time()
    found: Allocation = allocate(pairs, noise, 8)
    assert found.gap <= LARGEST_GAP
    assert pairs.hats == 20_000
    assert time.process_time() - since < 10
