"""The plan of two-step clipping against method 6 read word by word, user by user."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.mechanisms.base import NOISE
from core.mechanisms.clipping_plan import (
    CENTRE,
    SPREAD,
    WEIGHT,
    LinearPlan,
    TwoStepPlan,
    best_threshold,
    is_linear,
    linear_options,
    linear_terms,
    spread_guess,
    threshold_bias,
    two_step_budgets,
    whole_weights,
)
from core.mechanisms.two_step_clipping import MECHANISM, TwoStepClippingParams
from core.mechanisms.water_filling import group_counts
from core.values import FINE
from tests.core.mechanisms.test_water_filling import literal
from tests.strategies import U, counts

EPSILONS = st.sampled_from(("0.001", "0.123457", "0.5", "1", "2", "17.3", "100")).map(Decimal)
UPPER = U / 1000


def plan_for(
    sizes: NDArray[np.int64] | list[int], epsilon: Decimal | str, *, upper_bound: int = U, **params: Any
) -> LinearPlan | TwoStepPlan:
    return MECHANISM.plan(
        np.array(sizes, np.int64), Decimal(epsilon), upper_bound, TwoStepClippingParams(**params)
    )


def guess_of(sizes: NDArray[np.int64]) -> float:
    return spread_guess(group_counts(sizes), UPPER, vehicle_spread=4.0, record_spread=20.0)


def literal_linear(sizes: NDArray[np.int64], epsilon: float, spread: float) -> tuple[float, float]:
    """Smallest objective over the 25 caps, and the largest weight it uses; user by user."""
    shares = sizes / sizes.sum()
    least, most = 1 / sizes.size, max(1.0001 / sizes.size, float(shares.max()))
    v = 0.7 * spread
    found = []
    for k in range(25):
        weights = literal(sizes, least * (most / least) ** (k / 24))
        moved = [(a - w) * v for a, w in zip(weights, shares, strict=True)]
        bias = math.sqrt(2 / math.pi * sum(m * m for m in moved) + (0.2 * sum(map(abs, moved))) ** 2)
        found.append((UPPER * max(weights) / epsilon + bias, float(max(weights))))
    return min(found)


def literal_threshold(sizes: NDArray[np.int64], epsilon: float, spread: float) -> tuple[float, float]:
    """Smallest objective over the 56 thresholds, and its T in km/h; user by user."""
    shares = [float(size) / float(sizes.sum()) for size in sizes]
    widest = UPPER * max(shares)
    found = []
    for k in range(56):
        t_kmh = widest * 0.01 ** ((55 - k) / 55)
        first = second = 0.0
        for share in shares:
            sigma = 0.85 * spread * share
            t = t_kmh / sigma
            q = math.erfc(t / math.sqrt(2)) / 2
            phi = math.exp(-t * t / 2) / math.sqrt(2 * math.pi)
            first += max(0.0, 2 * sigma * (phi - t * q))
            second += max(0.0, 2 * sigma**2 * ((1 + t * t) * q - t * phi))
        noise = min(2 * t_kmh, widest) / epsilon
        found.append((noise + math.sqrt(2 / math.pi * second + first**2), t_kmh))
    return min(found)


def test_the_spread_guess_has_two_digits() -> None:
    """sqrt(16 + 400 * 3 / 30) = 7.4833; at U = 32.5 half of it, 3.7417."""
    groups = group_counts(np.array([20, 5, 5]))
    assert spread_guess(groups, 65.0, vehicle_spread=4.0, record_spread=20.0) == 7.5
    assert spread_guess(groups, 32.5, vehicle_spread=4.0, record_spread=20.0) == 3.7
    assert spread_guess(groups, 65_000.0, vehicle_spread=4.0, record_spread=20.0) == 7500.0


@pytest.mark.parametrize(
    ("users", "records", "epsilon", "linear"),
    [
        (90, 270, "1", False),
        (89, 270, "1", True),
        (90, 269, "1", True),
        (900, 2700, "0.1", False),
        (900, 2700, "0.099999", True),
        (1, 3, "90", False),
    ],
)
def test_small_hats_are_linear(users: int, records: int, epsilon: str, linear: bool) -> None:
    assert is_linear(users, records, Decimal(epsilon)) is linear


@pytest.mark.parametrize(
    ("users", "epsilon", "shares"),
    [
        (200, "1", ("0.2", "0.12", "0.68")),
        (100, "1", ("0.4", "0", "0.6")),
        (120, "1", ("0.333333333", "0.2", "0.466666667")),
        (1000, "2", ("0.2", "0.1", "1.7")),
        (90_000, "0.001", ("0.000444444", "0", "0.000555556")),
    ],
)
def test_budgets_are_those_of_the_spec(users: int, epsilon: str, shares: tuple[str, ...]) -> None:
    assert two_step_budgets(users, Decimal(epsilon)) == tuple(map(Decimal, shares))


@given(users=st.integers(1, 10**7), epsilon=st.integers(1, 10**8).map(lambda n: Decimal(n) / 10**6))
def test_budgets_sum_to_epsilon_exactly(users: int, epsilon: Decimal) -> None:
    if is_linear(users, 3 * users, epsilon):
        return
    first, second, last = two_step_budgets(users, epsilon)
    assert first + second + last == epsilon
    assert first > 0
    assert second >= 0
    assert last > epsilon / 3
    assert float(first) == pytest.approx(max(40 / users, float(epsilon) / 10), abs=1e-9)


@given(sizes=counts(most_users=20, most_records=60), epsilon=EPSILONS)
def test_the_linear_weights_are_the_best_of_25(sizes: NDArray[np.int64], epsilon: Decimal) -> None:
    guess = guess_of(sizes)
    weights, error = linear_options(group_counts(sizes), guess).best(float(epsilon), UPPER)
    best, _ = literal_linear(sizes, float(epsilon), guess)
    assert error == pytest.approx(best, rel=1e-6)
    assert weights.max() >= 1 / sizes.size * (1 - 1e-12)


def test_a_tie_goes_to_the_smallest_cap() -> None:
    """Equal counts: every cap gives the same weights."""
    weights, _ = linear_options(group_counts(np.array([4, 4, 4])), 5.0).best(1.0, UPPER)
    assert weights.tolist() == [1 / 3]


@given(sizes=counts(most_users=20, most_records=60), epsilon=EPSILONS, spread=st.floats(0.5, 30))
def test_the_threshold_is_the_best_of_56(sizes: NDArray[np.int64], epsilon: Decimal, spread: float) -> None:
    groups = group_counts(sizes)
    part, error = best_threshold(groups, float(epsilon), UPPER, threshold_bias(groups, UPPER, spread))
    best, threshold = literal_threshold(sizes, float(epsilon), spread)
    assert error == pytest.approx(best, rel=1e-9)
    assert part * UPPER * sizes[0] / sizes.sum() == pytest.approx(threshold) or error == pytest.approx(best)


@given(sizes=counts(most_users=30, most_records=60), upper_bound=st.integers(1, 1_000_000))
def test_whole_weights_sum_to_one_and_terms_fit(sizes: NDArray[np.int64], upper_bound: int) -> None:
    groups = group_counts(sizes)
    weights = whole_weights(groups, groups.shares)
    assert int(weights.sum()) == WEIGHT
    assert np.abs(weights / WEIGHT - sizes / sizes.sum()).max() <= 1.01 / WEIGHT
    terms = linear_terms(weights, np.full(sizes.size, upper_bound))
    exact = [
        (2 * int(weight) * upper_bound * FINE + WEIGHT * 1000) // (2 * WEIGHT * 1000) for weight in weights
    ]
    assert terms.tolist() == exact


@given(sizes=counts(most_users=12, most_records=30), upper_bound=st.sampled_from((1, 37, U, 64_999, 10**6)))
def test_two_step_choices_scale_with_the_bound(sizes: NDArray[np.int64], upper_bound: int) -> None:
    plan = plan_for(np.concatenate((sizes + 3, [3])), "100", upper_bound=upper_bound)
    assert isinstance(plan, TwoStepPlan)
    choice = plan.two_step
    assert choice.centres.size == 32
    assert choice.centres / 1000 == pytest.approx(np.arange(1, 64, 2) * upper_bound / 65_000, abs=0.0005)
    assert choice.reach == max(1, round(3 * upper_bound / 65))
    assert [name for name, _ in plan.budget_shares] == [CENTRE, SPREAD, NOISE]
    assert choice.spreads.size == 5
    assert choice.spreads / choice.spreads[3] == pytest.approx([0.125, 0.25, 0.5, 1, 2])
    assert plan.sensitivity == choice.sensitivities.max()
    assert (choice.thresholds >= 1).all()
    assert (choice.sensitivities <= 2 * choice.thresholds).all()


def test_without_a_share_for_the_spread_it_is_the_guess() -> None:
    plan = plan_for([4] * 100, "1")
    assert isinstance(plan, TwoStepPlan)
    assert [name for name, _ in plan.budget_shares] == [CENTRE, NOISE]
    assert plan.two_step.spreads.tolist() == [guess_of(np.full(100, 4))]


def test_parameters_move_the_guess_only() -> None:
    usual, other = plan_for([4] * 200, "1"), plan_for([4] * 200, "1", vehicle_spread=8.0, typical=30.0)
    assert isinstance(usual, TwoStepPlan)
    assert isinstance(other, TwoStepPlan)
    assert usual.two_step.spreads[3] == 11.0
    assert other.two_step.spreads[3] == 13.0
    assert usual.budget_shares == other.budget_shares
    assert other.typical == 30.0


@pytest.mark.parametrize("sizes", [[1], [3, 1], [2, 2, 1], [4, 2, 1]])
def test_the_linear_bias_bound_is_attained(sizes: list[int]) -> None:
    """Over users at 0 or U, nothing is worse, and something is just as bad."""
    plan = plan_for(sizes, "1")
    assert isinstance(plan, LinearPlan)
    errors = []
    for ends in itertools.product((0, U), repeat=len(sizes)):
        estimate = int(linear_terms(plan.linear.weights, np.array(ends)).sum()) / FINE
        errors.append(
            abs(estimate - sum(m * x for m, x in zip(sizes, ends, strict=True)) / sum(sizes) / 1000)
        )
    assert max(errors) <= plan.bias_bound <= max(errors) + 0.000501


@pytest.mark.parametrize("epsilon", ["0.001", "1", "100"])
def test_a_million_users_are_planned(epsilon: str) -> None:
    sizes = np.sort(np.random.default_rng(3).geometric(0.02, 1_000_000))[::-1]
    plan = plan_for(sizes, epsilon)
    assert isinstance(plan, TwoStepPlan)
    assert plan.noise_scale > 0
    assert np.isfinite(plan.expected_error)
