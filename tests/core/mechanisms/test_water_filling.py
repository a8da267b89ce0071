"""Water filling: against bisection on theta, and at its ends (method 6)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.mechanisms.water_filling import group_counts, water_filled
from tests.strategies import counts


def literal(sizes: NDArray[np.int64], cap: float) -> NDArray[np.float64]:
    """`min(c, theta w)` user by user, theta found by halving until it sums to 1; shape (L,)."""
    shares = sizes / sizes.sum()
    if cap * sizes.size <= 1.0:
        return np.full(sizes.size, 1.0 / sizes.size)
    low, high = 0.0, 1.0 / float(shares.min())
    for _ in range(200):
        theta = (low + high) / 2.0
        if np.minimum(cap, theta * shares).sum() < 1.0:
            low = theta
        else:
            high = theta
    filled: NDArray[np.float64] = np.minimum(cap, high * shares)
    return filled


def per_user(sizes: NDArray[np.int64], cap: float) -> NDArray[np.float64]:
    groups = group_counts(sizes)
    return np.repeat(water_filled(groups, np.array([cap]))[0], groups.users)


@given(sizes=counts(most_users=20, most_records=50))
def test_groups_hold_every_user_in_order(sizes: NDArray[np.int64]) -> None:
    groups = group_counts(sizes)
    assert np.repeat(groups.counts, groups.users).tolist() == sizes.tolist()
    assert np.repeat(groups.shares, groups.users) == pytest.approx(sizes / sizes.sum())


@given(sizes=counts(most_users=20, most_records=50), position=st.floats(0, 1))
def test_weights_are_those_of_bisection(sizes: NDArray[np.int64], position: float) -> None:
    least, most = 1.0 / sizes.size, float(sizes[0]) / float(sizes.sum())
    cap = least + position * (most - least)
    assert per_user(sizes, cap) == pytest.approx(literal(sizes, cap), abs=1e-9)


@given(sizes=counts(most_users=20, most_records=50), factor=st.floats(1, 5))
def test_weights_sum_to_one_and_keep_the_cap(sizes: NDArray[np.int64], factor: float) -> None:
    cap = factor / sizes.size
    weights = per_user(sizes, cap)
    assert weights.sum() == pytest.approx(1.0)
    assert weights.max() <= cap * (1 + 1e-12)
    assert (np.diff(weights) <= 1e-12).all()


@given(sizes=counts())
def test_the_smallest_cap_gives_everyone_the_same(sizes: NDArray[np.int64]) -> None:
    assert per_user(sizes, 1.0 / sizes.size) == pytest.approx(np.full(sizes.size, 1.0 / sizes.size))


@given(sizes=counts())
def test_a_cap_above_the_largest_share_changes_nothing(sizes: NDArray[np.int64]) -> None:
    assert per_user(sizes, 2.0) == pytest.approx(sizes / sizes.sum())


def test_a_worked_example() -> None:
    """Shares 6/10, 3/10, 1/10 under a cap of 0.45: theta 0.55 / 0.4, weights 0.45, 0.4125, 0.1375."""
    assert per_user(np.array([6, 3, 1]), 0.45) == pytest.approx([0.45, 0.4125, 0.1375])


def test_a_million_users_take_a_moment() -> None:
    sizes = np.sort(np.random.default_rng(1).integers(1, 500, 1_000_000))[::-1]
    groups = group_counts(sizes)
    weights = water_filled(groups, np.geomspace(1e-6, groups.shares[0], 25))
    assert weights @ groups.users == pytest.approx(np.ones(25))
