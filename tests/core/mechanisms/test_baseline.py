"""Baseline: the exact mean, sensitivity U m* / sum m_l (method 6)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from core.contributions import HatData, HatUsers
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import Plan
from core.mechanisms.baseline import MECHANISM, BaselineParams
from tests.fakes import RecordingNoise, ScriptedNoise
from tests.strategies import U, counts, hat_data


def plan_for(sizes: NDArray[np.int64] | list[int], epsilon: str = "1") -> Plan:
    users = HatUsers(counts=np.array(sizes, np.int64))
    return MECHANISM.plan(users, Decimal(epsilon), U, BaselineParams(), PlanCache())


WORKED = HatData(
    counts=np.array([3, 1]),
    starts=np.array([1, 0]),
    values=np.array([60_000, 10_000, 20_000, 30_001], np.int32),
    upper_bound=U,
)


def test_a_worked_example() -> None:
    """Four records sum to 120.001 km/h; one unit of noise is a thousandth of the sum."""
    plan = plan_for([3, 1], "0.5")
    assert plan.sensitivity_kmh == 65 * 3 / 4
    assert plan.noise_scale == 65 * 3 / 4 / 0.5
    assert MECHANISM.run(plan, WORKED, ScriptedNoise(0)).estimates.tolist() == [30_000]
    assert MECHANISM.run(plan, WORKED, ScriptedNoise(-20_001)).estimates.tolist() == [25_000]
    assert MECHANISM.run(plan, WORKED, ScriptedNoise(-200_000)).estimates.tolist() == [0]
    assert MECHANISM.run(plan, WORKED, ScriptedNoise(200_000)).estimates.tolist() == [U]


@given(sizes=counts())
def test_sensitivity_is_u_times_the_busiest_share(sizes: NDArray[np.int64]) -> None:
    plan = plan_for(sizes)
    assert Fraction(plan.sensitivity, plan.divisor) == Fraction(65 * int(sizes.max()), int(sizes.sum()))
    assert (plan.users, plan.records) == (sizes.size, sizes.sum())
    assert (plan.bias_bound, plan.m_ub, plan.arrays) == (0.0, None, None)


def test_the_busiest_vehicle_is_found_in_any_order() -> None:
    assert plan_for([1, 5, 2]).sensitivity == plan_for([5, 2, 1]).sensitivity


@given(hat=hat_data())
def test_noise_is_added_to_the_exact_integer_sum(hat: HatData) -> None:
    noise = RecordingNoise()
    MECHANISM.run(plan_for(hat.counts, "0.25"), hat, noise)
    assert [(draw.centre, draw.spend) for draw in noise.draws] == [
        (sum(hat.values.tolist()), Decimal("0.25"))
    ]


def test_a_million_records_at_the_bound_keep_their_exact_sum() -> None:
    """The sum of thousandths leaves 32 bits long before."""
    sizes = np.array([1_000_000], np.int64)
    hat = HatData(counts=sizes, starts=np.array([0]), values=np.full(1_000_000, U, np.int32), upper_bound=U)
    noise = RecordingNoise()
    estimate = MECHANISM.run(plan_for(sizes), hat, noise).estimates
    assert noise.draws[0].centre == 65_000 * 1_000_000
    assert estimate.tolist() == [U]


@pytest.mark.parametrize("users", [1, 7])
def test_vehicles_of_one_record_each_give_the_smallest_sensitivity(users: int) -> None:
    assert plan_for([1] * users).sensitivity_kmh == pytest.approx(65 / users)
