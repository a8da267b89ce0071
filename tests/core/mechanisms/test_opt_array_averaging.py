"""Opt-Array-Averaging: Array-Averaging with rule (c) or (d) (P2 eq. 4, 5)."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.contributions import HatUsers
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_averaging import MECHANISM as ARRAY_AVERAGING
from core.mechanisms.array_averaging import ArrayAveragingParams
from core.mechanisms.array_plan import ArrayPlan
from core.mechanisms.opt_array_averaging import MECHANISM, OptArrayAveragingParams
from core.mechanisms.registry import all_mechanisms
from tests.fakes import ScriptedNoise
from tests.strategies import U, hat_of

COUNTS = np.array([8, 2, 2, 2, 2])
USERS = HatUsers(counts=COUNTS)
HAT = hat_of(COUNTS, np.arange(16) * 4_000)


def plan_for(epsilon: str, **params: str) -> ArrayPlan:
    return MECHANISM.plan(USERS, Decimal(epsilon), U, OptArrayAveragingParams(**params), PlanCache())


@pytest.mark.parametrize(("epsilon", "m_ub"), [("0.1", 2), ("100", 8)])
def test_a_large_budget_keeps_all_records_and_a_small_one_few(epsilon: str, m_ub: int) -> None:
    """Kept 10 of 16 at m = 2, all at 8: E / U = 3/8 + sqrt 2 / (5 eps), or sqrt 2 / (2 eps)."""
    assert plan_for(epsilon).m_ub == m_ub


def test_the_two_errors_meet_where_they_should() -> None:
    """3/8 = sqrt 2 (1/2 - 1/5) / eps at eps 1.131; with factor 1 at eps 0.8."""
    for rule, below, above in (("optimal", "1.13", "1.14"), ("optimal-p4", "0.79", "0.81")):
        found = [plan_for(epsilon, m_ub=rule).m_ub for epsilon in (below, above)]
        assert found == [2, 8]


@pytest.mark.parametrize("grouping", ["bestfit", "wraparound"])
def test_it_is_array_averaging_at_that_m_ub(grouping: str) -> None:
    ours = plan_for("1", grouping=grouping)
    params = ArrayAveragingParams(grouping=grouping, m_ub=ours.m_ub)
    theirs = ARRAY_AVERAGING.plan(USERS, Decimal(1), U, params, PlanCache())
    assert (ours.sensitivity, ours.divisor, ours.bias_bound) == (
        theirs.sensitivity,
        theirs.divisor,
        theirs.bias_bound,
    )
    noise = ScriptedNoise(12_345), ScriptedNoise(12_345)
    drawn = MECHANISM.run(ours, HAT, noise[0]), ARRAY_AVERAGING.run(theirs, HAT, noise[1])
    assert drawn[0].estimates.tolist() == drawn[1].estimates.tolist()
    assert ours.mechanism == "opt-array-averaging"


def test_the_simplified_rule_is_offered() -> None:
    plan = plan_for("1", m_ub="simplified")
    assert plan.m_ub == 3  # mean 3.2, q = 2, third largest 2: kept 10, 13, 16 x at 2, 3, 4


def test_both_are_in_the_registry() -> None:
    assert all_mechanisms()["opt-array-averaging"] is MECHANISM
    assert all_mechanisms()["array-averaging"] is ARRAY_AVERAGING
