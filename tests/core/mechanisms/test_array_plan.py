"""What mechanisms on arrays share: grouping, m_UB, sensitivity and bias from counts (method 6)."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from numpy.typing import NDArray

from core.grouping.assignment import Assignment
from core.grouping.groupings import GROUPINGS
from core.grouping.m_ub import EPSILON_RULES, RULES
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_plan import plan_arrays
from core.mechanisms.base import NOISE
from core.values import FINE, fine_ceil

COUNTS = np.array([9, 5, 4, 4, 2, 1])


@pytest.mark.parametrize("rule", [*RULES, 3, 10**9])
@pytest.mark.parametrize("grouping", list(GROUPINGS))
def test_a_plan_says_what_was_resolved(grouping: str, rule: str | int) -> None:
    plan = plan_arrays("any", COUNTS, Decimal(1), 65_000, grouping=grouping, m_ub=rule)
    assert 1 <= plan.m_ub <= 9
    assert plan.assignment.sizes.max() <= plan.m_ub
    assert (plan.mechanism, plan.users, plan.records) == ("any", 6, 25)
    assert plan.budget_shares == ((NOISE, Decimal(1)),)
    assert plan.divisor == FINE * plan.assignment.arrays


def test_more_arrays_by_bestfit_and_full_ones_by_wraparound() -> None:
    """m_UB = 4: 4, 4, 4, 4 and 2 + 1 make five arrays, or four full ones."""
    best, wrap = (
        plan_arrays("any", COUNTS, Decimal(1), 65_000, grouping=grouping, m_ub=4)
        for grouping in ("bestfit", "wraparound")
    )
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
    plan = plan_arrays("any", sizes, Decimal("0.001"), 65_000, grouping=grouping, m_ub="sqrt")
    assert np.isfinite(plan.expected_error)


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
    plans = [
        plan_arrays("any", COUNTS, Decimal(epsilon), 65_000, grouping=grouping, m_ub=rule, cache=cache)
        for epsilon in ("0.1", "1", "10", "0.1")
    ]
    different = {plan.m_ub for plan in plans}
    assert sorted(grouped) == sorted(different)
    assert len(different) == 1 or rule in EPSILON_RULES
    assert plans[0].assignment is plans[3].assignment


@pytest.mark.parametrize("grouping", list(GROUPINGS))
def test_without_a_cache_nothing_is_kept(grouping: str, monkeypatch: pytest.MonkeyPatch) -> None:
    grouped = counted(monkeypatch, grouping)
    for _ in range(2):
        plan_arrays("any", COUNTS, Decimal(1), 65_000, grouping=grouping, m_ub=3)
    assert grouped == [3, 3]
