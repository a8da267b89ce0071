"""What mechanisms on arrays share: grouping, m_UB, sensitivity and bias from counts (method 6)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from core.contributions import HatUsers
from core.fixed_point import FINE, fine_ceil
from core.grouping.assignment import Assignment
from core.grouping.groupings import GROUPINGS
from core.grouping.m_ub import EPSILON_RULES, RULES
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_plan import ArrayPlan, array_bias, plan_arrays
from core.mechanisms.base import NOISE

USERS = HatUsers(counts=np.array([9, 5, 4, 4, 2, 1]))


def plan_for(grouping: str, m_ub: str | int, epsilon: str = "1", cache: PlanCache | None = None) -> ArrayPlan:
    return plan_arrays(
        "any", USERS, Decimal(epsilon), 65_000, cache or PlanCache(), grouping=grouping, m_ub=m_ub
    )


@pytest.mark.parametrize("rule", [*RULES, 3, 10**9])
@pytest.mark.parametrize("grouping", list(GROUPINGS))
def test_a_plan_says_what_was_resolved(grouping: str, rule: str | int) -> None:
    plan = plan_for(grouping, rule)
    assert 1 <= plan.m_ub <= 9
    assert plan.assignment.sizes.max() <= plan.m_ub
    assert (plan.mechanism, plan.users, plan.records) == ("any", 6, 25)
    assert plan.budget_shares == ((NOISE, Decimal(1)),)
    assert plan.divisor == FINE * plan.assignment.arrays


def test_more_arrays_by_bestfit_and_full_ones_by_wraparound() -> None:
    """m_UB = 4: 4, 4, 4, 4 and 2 + 1 make five arrays, or four full ones."""
    best, wrap = (plan_for(grouping, 4) for grouping in ("bestfit", "wraparound"))
    assert (best.arrays, wrap.arrays) == (5, 4)
    assert best.sensitivity == fine_ceil(65_000) == 65 * FINE
    assert wrap.sensitivity == 65 * FINE + 2
    assert best.sensitivity_kmh == 13.0
    assert wrap.sensitivity_kmh == pytest.approx(16.25, rel=1e-9)
    # kept arrays weigh 1/5 (1/4), their records 4/25 of all: bias U (4 (1/5 - 4/25) + 1/5 - 3/25)
    assert best.bias_bound == pytest.approx(65 * (4 * (1 / 5 - 4 / 25) + 1 / 5 - 3 / 25))
    assert wrap.bias_bound == pytest.approx(65 * 4 * (1 / 4 - 4 / 25))


@pytest.mark.parametrize("grouping", list(GROUPINGS))
def test_a_million_users_are_planned(grouping: str) -> None:
    sizes = np.sort(np.random.default_rng(4).geometric(0.01, 1_000_000))[::-1].astype(np.int64)
    users = HatUsers(counts=sizes, visits=np.maximum(sizes // 3, 1))
    plan = plan_arrays("any", users, Decimal("0.001"), 65_000, PlanCache(), grouping=grouping, m_ub="sqrt")
    assert np.isfinite(plan.error_at_worst)
    assert 0 < array_bias(plan, users).typical < array_bias(plan, users).interval < 65


def counted(monkeypatch: pytest.MonkeyPatch, grouping: str) -> list[int]:
    """m_UB of each time that users are grouped from now on."""
    found, group = [], GROUPINGS[grouping]

    def watched(sizes: NDArray[np.int64], m_ub: int) -> Assignment:
        found.append(m_ub)
        return group(sizes, m_ub)

    monkeypatch.setitem(GROUPINGS, grouping, watched)
    return found


@pytest.mark.parametrize("rule", [*RULES, 3])
@pytest.mark.parametrize("grouping", list(GROUPINGS))
def test_another_epsilon_groups_nobody_anew(
    grouping: str, rule: str | int, monkeypatch: pytest.MonkeyPatch
) -> None:
    grouped, cache = counted(monkeypatch, grouping), PlanCache()
    plans = [plan_for(grouping, rule, epsilon, cache) for epsilon in ("0.1", "1", "10", "0.1")]
    different = {plan.m_ub for plan in plans}
    assert sorted(grouped) == sorted(different)
    assert len(different) == 1 or rule in EPSILON_RULES
    assert plans[0].assignment is plans[3].assignment


@pytest.mark.parametrize("grouping", list(GROUPINGS))
def test_in_another_cache_nothing_is_kept(grouping: str, monkeypatch: pytest.MonkeyPatch) -> None:
    grouped = counted(monkeypatch, grouping)
    for _ in range(2):
        plan_for(grouping, 3)
    assert grouped == [3, 3]


@pytest.mark.parametrize("m_ub", [1, 3, 4, 9])
@pytest.mark.parametrize("grouping", list(GROUPINGS))
def test_weights_and_kept_records_are_those_of_the_arrays(grouping: str, m_ub: int) -> None:
    """Record by record: an array of n records weighs 1 / K, and each of its records 1 / (K n)."""
    plan = plan_for(grouping, m_ub)
    placed = plan.assignment
    weights, retained = [Fraction(0)] * USERS.size, [0] * USERS.size
    for user, taken, array in zip(
        placed.user.tolist(), placed.taken.tolist(), placed.array.tolist(), strict=True
    ):
        weights[user] += Fraction(taken, placed.arrays * int(placed.sizes[array]))
        retained[user] += taken
    assert sum(weights) == 1
    assert plan.user_weights() == pytest.approx([float(weight) for weight in weights], abs=1e-15)
    assert plan.retained_records().tolist() == retained
    assert (plan.retained_records() <= np.minimum(USERS.counts, m_ub)).all()
