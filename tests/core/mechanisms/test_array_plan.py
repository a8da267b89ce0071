"""What mechanisms on arrays share: grouping, m_UB, sensitivity and bias from counts (SPEC 6)."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.grouping.groupings import GROUPINGS
from core.grouping.m_ub import RULES
from core.mechanisms.array_plan import plan_arrays
from core.mechanisms.base import NOISE
from core.values import FINE, fine_ceil

COUNTS = np.array([9, 5, 4, 4, 2, 1])


@pytest.mark.parametrize("rule", [*RULES, 3, 10**9])
@pytest.mark.parametrize("grouping", list(GROUPINGS))
def test_a_plan_says_what_was_resolved(grouping: str, rule: str | int) -> None:
    plan = plan_arrays("any", COUNTS, Decimal(1), 65_000, grouping=grouping, m_ub=rule)
    assert plan.m_ub is not None
    assert 1 <= plan.m_ub <= 9
    assert plan.assignment is not None
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
    assert plan.arrays is not None
    assert np.isfinite(plan.expected_error)
