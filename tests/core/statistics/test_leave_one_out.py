"""m_UB without one user, against the rules themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from core.grouping.m_ub import RULES, Counts, resolve_m_ub
from core.statistics.leave_one_out import HatClasses, exact_epsilon, leave_one_out
from tests.strategies import counts

several_users = counts().filter(lambda sizes: sizes.size > 1)
epsilons = st.sampled_from((1e-6, 0.05, 1.0, 7.5, 1e6))


def classes_of(sizes: Counts, epsilon: float) -> HatClasses:
    count, users = np.unique(sizes, return_counts=True)
    return HatClasses(
        count=count,
        running_users=np.cumsum(users),
        running_records=np.cumsum(users * count),
        top=count.size - 1,
        epsilon=epsilon,
    )


def check(rule: str | int, hat: HatClasses, sizes: Counts) -> None:
    """Every class that holds a user, against the rule on those who stay."""
    runs = leave_one_out(rule, hat)
    assert [stop for stop, _ in runs] == sorted(stop for stop, _ in runs)
    for index, count in enumerate(hat.count.tolist()):
        if hat.users_of(index):
            left = np.delete(sizes, int(np.argmax(sizes == count)))
            m_ub = next(m_ub for stop, m_ub in runs if index < stop)
            assert m_ub == min(resolve_m_ub(rule, left, exact_epsilon(hat.epsilon)), int(left[0]))
            assert hat.retained(m_ub, hat.classes_below(m_ub)) == np.minimum(sizes, m_ub).sum()
            assert hat.counts_without(index).tolist() == left.tolist()


@given(sizes=several_users, epsilon=epsilons, data=st.data())
def test_every_class_is_as_the_rule_says_of_those_who_stay(
    sizes: Counts, epsilon: float, data: st.DataObject
) -> None:
    """At first, and again as users leave until two are left."""
    leavers = [data.draw(st.integers(0, sizes.size - 1 - left)) for left in range(min(4, sizes.size - 2))]
    for rule in (*RULES, 1, 3, 1000):
        note(str(rule))
        check_as_they_leave(rule, sizes, epsilon, leavers)


def check_as_they_leave(rule: str | int, sizes: Counts, epsilon: float, leavers: list[int]) -> None:
    hat = classes_of(sizes, epsilon)
    check(rule, hat, sizes)
    for gone in leavers:
        hat.leave(int(np.searchsorted(hat.count, sizes[gone])))
        sizes = np.delete(sizes, gone)
        assert hat.counts().tolist() == sizes.tolist()
        check(rule, hat, sizes)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_many_users_of_many_counts(rule: str, epsilon: float) -> None:
    """Enough that several counts compete, and that bounds leave few of them to ask."""
    sizes = np.sort(np.minimum(np.random.default_rng(4).geometric(0.05, 150), 120))[::-1]
    check(rule, classes_of(sizes, epsilon), sizes)


def test_a_worked_example() -> None:
    """Counts 5, 3, 3, 1: without a 5 or a 3 the median is 3 in front, and 3 without the 1."""
    hat = classes_of(np.array([5, 3, 3, 1]), 1.0)
    assert leave_one_out("median", hat) == [(2, 3), (3, 3)]
    assert leave_one_out(4, hat) == [(2, 4), (3, 3)]
    assert hat.counts_without(1).tolist() == [5, 3, 1]


def test_exact_epsilon_is_the_decimal_that_people_write() -> None:
    assert [str(exact_epsilon(epsilon)) for epsilon in (0.1, 1e-6, 1e6)] == [
        "0.100000",
        "0.000001",
        "1000000.000000",
    ]
