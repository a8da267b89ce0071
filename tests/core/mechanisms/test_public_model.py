"""The public model of values: its formulas user by user, and its constants against draws."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.contributions import HatUsers
from core.grouping.groupings import GROUPINGS
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_averaging import MECHANISM as ARRAY_AVERAGING
from core.mechanisms.array_averaging import ArrayAveragingParams
from core.mechanisms.array_plan import array_bias
from core.mechanisms.baseline import MECHANISM as BASELINE
from core.mechanisms.baseline import BaselineParams
from core.mechanisms.public_model import (
    NO_BIAS,
    Bias,
    accuracy_of,
    scaled,
    weights_bias,
)
from core.noise.laplace_normal import half_width_95, mean_absolute
from tests.core.mechanisms.test_two_step_clipping_plan import literal_dwell
from tests.strategies import U, counts, hat_users

USERS = hat_users(counts(most_users=20, most_records=60))


def other_weights(users: HatUsers, seed: int) -> NDArray[np.float64]:
    """Any weights that sum to one, some of them 0."""
    weights = np.random.default_rng(seed).exponential(size=users.size)
    if users.size > 1:
        weights[seed % users.size] = 0.0
    return weights / weights.sum()


def literal_bias(
    users: HatUsers, weights: list[float], *, lean: float = 7.2, retained: list[int] | None = None
) -> tuple[float, float]:
    """B_typ and B_int at U = 65, as the text has them."""
    sizes, dwell = users.counts.tolist(), literal_dwell(users)
    d = [v - m / sum(sizes) for v, m in zip(weights, sizes, strict=True)]
    square = sum(di**2 * (5**2 + 18**2 / m) for di, m in zip(d, sizes, strict=True))
    square += (lean * sum(di * h for di, h in zip(d, dwell, strict=True))) ** 2
    alike = 6.0
    if retained is not None:
        alike = 8.0
        for v, r, m in zip(weights, retained, sizes, strict=True):
            square += v**2 * 14.1**2 * (1 / r - 1 / m) if r else 0.0
    shift = alike * sum(map(abs, d)) / 2
    return math.sqrt(square), math.sqrt(square + shift**2)


@given(users=USERS, seed=st.integers(0, 10**6), lean=st.sampled_from((4.0, 7.2)))
def test_the_bias_of_weights_is_the_sum_user_by_user(users: HatUsers, seed: int, lean: float) -> None:
    weights = other_weights(users, seed)
    bias = weights_bias(users, weights, 65.0, lean=lean)
    assert (bias.typical, bias.interval) == pytest.approx(
        literal_bias(users, weights.tolist(), lean=lean), abs=1e-9
    )
    double = weights_bias(users, weights, 130.0, lean=lean)
    assert (double.typical, double.interval) == pytest.approx((2 * bias.typical, 2 * bias.interval))


@given(users=USERS, gone=USERS, seed=st.integers(0, 10**6))
def test_users_who_left_weigh_nothing_and_are_part_of_the_truth(
    users: HatUsers, gone: HatUsers, seed: int
) -> None:
    """As if they were there with a weight of 0; visits tell nothing unless all of them are known."""
    weights = other_weights(users, seed)
    staying = HatUsers(counts=users.counts, visits=users.visits, suppressed=gone)
    bias = weights_bias(staying, weights, 65.0)
    literal = literal_bias(staying.everyone, [*weights.tolist(), *[0.0] * gone.size])
    assert (bias.typical, bias.interval) == pytest.approx(literal, abs=1e-9)
    assert bias.interval > weights_bias(users, users.shares, 65.0).interval


@given(users=USERS, grouping=st.sampled_from(list(GROUPINGS)), m_ub=st.integers(1, 60))
def test_the_bias_of_arrays_counts_what_they_drop(users: HatUsers, grouping: str, m_ub: int) -> None:
    params = ArrayAveragingParams(grouping=grouping, m_ub=m_ub)
    plan = ARRAY_AVERAGING.plan(users, Decimal(1), U, params, PlanCache())
    bias = array_bias(plan, users)
    literal = literal_bias(users, plan.user_weights().tolist(), retained=plan.retained_records().tolist())
    assert (bias.typical, bias.interval) == pytest.approx(literal, abs=1e-9)
    accuracy = ARRAY_AVERAGING.accuracy(plan, users, PlanCache())
    assert accuracy == accuracy_of(plan.noise_scale, bias, 65.0)


@given(users=USERS, seed=st.integers(0, 10**6))
def test_without_visits_nothing_leans(users: HatUsers, seed: int) -> None:
    weights = other_weights(users, seed)
    unseen = HatUsers(counts=users.counts)
    bias = weights_bias(unseen, weights, 65.0)
    assert bias == weights_bias(unseen, weights, 65.0, lean=0.0)
    assert bias.typical <= weights_bias(users, weights, 65.0).typical + 1e-12


@given(users=USERS)
def test_the_weights_of_the_records_have_no_bias(users: HatUsers) -> None:
    bias = weights_bias(users, users.shares, 65.0)
    assert (bias.typical, bias.interval) == (0.0, 0.0)
    plan = BASELINE.plan(users, Decimal(1), U, BaselineParams(), PlanCache())
    accuracy = BASELINE.accuracy(plan, users, PlanCache())
    assert accuracy.typical_error == pytest.approx(min(plan.noise_scale, 65.0))
    assert accuracy.half_width == pytest.approx(plan.noise_scale * math.log(20))


def test_two_users_by_hand() -> None:
    """Half each in place of 3/4 and 1/4: d = -1/4, 1/4. h = ln 3 and 0: z = -ln 3 / 4; TV = 1/4."""
    users = HatUsers(counts=np.array([3, 1]), visits=np.array([1, 1]))
    bias = weights_bias(users, np.array([0.5, 0.5]), 65.0)
    square = (25 + 108 + 25 + 324) / 16 + (7.2 * math.log(3) / 4) ** 2
    assert bias.typical == pytest.approx(math.sqrt(square))
    assert bias.interval == pytest.approx(math.sqrt(square + 1.5**2))


@given(noise=st.floats(0.001, 500), typical=st.floats(0, 30), more=st.floats(0, 30))
def test_accuracy_is_that_of_noise_and_a_normal_bias(noise: float, typical: float, more: float) -> None:
    accuracy = accuracy_of(noise, Bias(typical=typical, interval=typical + more), 65.0)
    assert accuracy.typical_error == min(mean_absolute(noise, typical), 65.0)
    assert accuracy.half_width == half_width_95(noise, typical + more)


def test_no_typical_error_exceeds_the_bound() -> None:
    assert accuracy_of(1_000.0, NO_BIAS, 65.0).typical_error == 65.0


def test_constants_are_for_65_and_scale_with_the_bound() -> None:
    assert (scaled(5.0, 65.0), scaled(5.0, 130.0), scaled(5.0, 6.5)) == (5.0, 10.0, 0.5)


def test_the_typical_bias_is_that_of_draws_of_the_model() -> None:
    """Vehicles' means by the model itself, without what leans: the sd of sum (v - w) X is B_typ."""
    rng = np.random.default_rng(2)
    sizes = np.sort(rng.geometric(0.05, 40))[::-1]
    users = HatUsers(counts=sizes)
    weights = np.full(40, 1 / 40)
    means = 22 + np.sqrt(25 + 324 / sizes) * rng.standard_normal((20_000, 40))
    biases = means @ (weights - users.shares)
    assert biases.std() == pytest.approx(weights_bias(users, weights, 65.0).typical, rel=0.02)


def test_dropping_records_by_the_model() -> None:
    """First records of each vehicle, with the spread that the model gives them: the same sd."""
    rng = np.random.default_rng(3)
    sizes = np.sort(rng.geometric(0.05, 40))[::-1]
    users, retained = HatUsers(counts=sizes), np.minimum(sizes, 10)
    weights = retained / retained.sum()
    means = 22 + np.sqrt(25 + 324 / sizes) * rng.standard_normal((20_000, 40))
    parts = means + 14.1 * np.sqrt(1 / retained - 1 / sizes) * rng.standard_normal((20_000, 40))
    biases = parts @ weights - means @ users.shares
    bias = weights_bias(users, weights, 65.0, retained=retained)
    assert biases.std() == pytest.approx(bias.typical, rel=0.02)
    assert bias.interval > bias.typical
