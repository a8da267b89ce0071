"""Rules for m_UB against exhaustive searches over every integer; ties go to the smaller."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.grouping.m_ub import (
    ALL_RECORDS,
    MEDIAN,
    OPTIMAL,
    OPTIMAL_LAPLACE,
    RULE_TITLES,
    RULES,
    SIMPLIFIED,
    SQRT,
    all_records_rule,
    beyond_m_star,
    median_rule,
    optimal_laplace_rule,
    resolve_m_ub,
    simplified_rule,
    sqrt_rule,
)
from tests.strategies import counts

ONE = Decimal(1)
ROOT_2 = Fraction(2**0.5)
"""As exact as a float; the true root is irrational, so that rule (c) has no ties with it."""
epsilons = st.sampled_from(("0.001", "0.05", "0.3", "1", "2", "7.5", "100")).map(Decimal)


def retained(sizes: list[int], m: int) -> int:
    return sum(min(count, m) for count in sizes)


def least(error: Callable[[int], Fraction], first: int, last: int) -> int:
    """The smallest minimiser over every integer from `first` to `last`."""
    return min(range(first, last + 1), key=lambda m: (error(m), m))


def sqrt_search(sizes: list[int]) -> int:
    return least(lambda m: -Fraction(retained(sizes, m) ** 2, m), min(sizes), max(sizes))


def optimal_search(sizes: list[int], epsilon: Decimal, factor: Fraction) -> int:
    def error(m: int) -> Fraction:
        return (
            1
            - Fraction(retained(sizes, m), sum(sizes))
            + factor * m / (Fraction(epsilon) * retained(sizes, m))
        )

    return least(error, 1, max(sizes))


def simplified_search(sizes: list[int]) -> int:
    def error(m: int) -> Fraction:
        mean = Fraction(sum(sizes), len(sizes))
        return 1 - Fraction(retained(sizes, m), sum(sizes)) + max(Fraction(m), mean) / max(sizes)

    return least(error, 1, max(sizes))


@given(counts(most_users=25, most_records=50))
def test_the_median_rule_takes_the_upper_middle(sizes: NDArray[np.int64]) -> None:
    users = sizes.size
    ceiling = -(-users // 2)
    assert median_rule(sizes, ONE) == sorted(sizes.tolist(), reverse=True)[ceiling - 1]
    assert resolve_m_ub(MEDIAN, sizes, ONE) == median_rule(sizes, ONE)


@pytest.mark.parametrize(("sizes", "median"), [([9], 9), ([9, 1], 9), ([9, 5, 1], 5), ([9, 7, 5, 1], 7)])
def test_examples(sizes: list[int], median: int) -> None:
    assert median_rule(np.array(sizes), ONE) == median


@given(counts(most_users=25, most_records=50))
def test_the_sqrt_rule_is_an_exhaustive_search(sizes: NDArray[np.int64]) -> None:
    assert resolve_m_ub(SQRT, sizes, ONE) == sqrt_rule(sizes, ONE) == sqrt_search(sizes.tolist())


@given(counts(most_users=25, most_records=50), epsilons)
def test_the_optimal_rules_are_exhaustive_searches(sizes: NDArray[np.int64], epsilon: Decimal) -> None:
    listed = sizes.tolist()
    assert resolve_m_ub(OPTIMAL, sizes, epsilon) == optimal_search(listed, epsilon, ROOT_2)
    assert resolve_m_ub(OPTIMAL_LAPLACE, sizes, epsilon) == optimal_search(listed, epsilon, Fraction(1))


@given(counts(most_users=25, most_records=50))
def test_the_simplified_rule_is_an_exhaustive_search(sizes: NDArray[np.int64]) -> None:
    assert resolve_m_ub(SIMPLIFIED, sizes, ONE) == simplified_search(sizes.tolist())


@pytest.mark.parametrize("users", [1, 2, 7])
@pytest.mark.parametrize("count", [1, 2, 9])
@pytest.mark.parametrize("rule", list(RULES))
def test_equal_counts_are_kept_whole(rule: str, users: int, count: int) -> None:
    """One user (L = 1) included."""
    for epsilon in (Decimal("0.001"), ONE, Decimal(100)):
        assert resolve_m_ub(rule, np.full(users, count), epsilon) == count


def test_ties_go_to_the_smaller_number() -> None:
    """6 / sqrt 1 = 12 / sqrt 4."""
    tied = np.array([4, 4, 1, 1, 1, 1])
    assert Fraction(retained(tied.tolist(), 1) ** 2, 1) == Fraction(retained(tied.tolist(), 4) ** 2, 4)
    assert sqrt_rule(tied, ONE) == 1


def test_an_exact_tie_of_the_optimal_rule_is_not_broken_by_rounding() -> None:
    """Counts n and 1 at eps 1/2: error 2 - 2 / (n + 1) both at m = 1 and at m = n."""
    for count in range(2, 60):
        assert optimal_laplace_rule(np.array([count, 1]), Decimal("0.5")) == 1


@given(counts(), st.integers(-3, 20) | st.just(10**400))
def test_a_number_is_cut_to_what_there_is(sizes: NDArray[np.int64], given_number: int) -> None:
    resolved = resolve_m_ub(given_number, sizes, ONE)
    assert resolved == min(max(given_number, 1), int(sizes[0]))


def test_a_million_users_have_every_rule() -> None:
    sizes = np.sort(np.random.default_rng(3).geometric(0.01, 1_000_000))[::-1].astype(np.int64)
    for rule in RULES:
        assert 1 <= resolve_m_ub(rule, sizes, ONE) <= sizes[0]


@pytest.mark.parametrize(
    ("sizes", "m_ub"),
    [([8, 1, 1, 1, 1], 3), ([8, 8, 1], 6), ([9, 8, 8, 1], 8), ([5, 5, 4, 4, 4], 4), ([5, 5], 5)],
)
def test_the_simplified_rule_by_hand(sizes: list[int], m_ub: int) -> None:
    """Means 2.4, 17/3, 6.5, 4.4, 5; m_(floor(q) + 1) = 1, 1, 8, 4, 0: the larger, or its floor or ceiling."""
    assert simplified_search(sizes) == m_ub
    assert simplified_rule(np.array(sizes), ONE) == m_ub


@given(counts(most_users=25, most_records=50), epsilons)
def test_all_records_count_with_the_last_rule(sizes: NDArray[np.int64], epsilon: Decimal) -> None:
    assert (
        resolve_m_ub(ALL_RECORDS, sizes, epsilon) == all_records_rule(sizes, epsilon) == max(sizes.tolist())
    )
    assert retained(sizes.tolist(), resolve_m_ub(ALL_RECORDS, sizes, epsilon)) == sizes.sum()
    assert RULE_TITLES[ALL_RECORDS] == "all records"


@pytest.mark.parametrize(
    ("rule", "beyond"), [(10, True), (9, False), (1, False), (MEDIAN, False), (ALL_RECORDS, False)]
)
def test_only_a_number_above_the_largest_count_is_beyond_it(rule: str | int, beyond: bool) -> None:
    assert beyond_m_star(rule, np.array([9, 4, 1])) is beyond
