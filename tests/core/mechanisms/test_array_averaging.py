"""Array-Averaging: sensitivity U / Kbar or U / K, worst-case bias from counts (method 6)."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.contributions import HatData, HatUsers
from core.errors import InputError
from core.fine_means import fine_means
from core.fixed_point import FINE, fine_ceil
from core.grouping.assignment import assignment_bias
from core.grouping.groupings import BESTFIT, GROUPINGS, WRAPAROUND
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_averaging import MECHANISM, ArrayAveragingParams
from core.mechanisms.base import Plan
from tests.fakes import RecordingNoise, ScriptedNoise
from tests.strategies import U, counts, hat_data

M_UB = st.just("median") | st.integers(1, 12)
GROUPING = st.sampled_from(list(GROUPINGS))


def plan_for(
    sizes: NDArray[np.int64] | list[int],
    m_ub: str | int = "median",
    *,
    epsilon: str = "1",
    upper_bound: int = U,
    grouping: str = BESTFIT,
) -> Plan:
    params = ArrayAveragingParams(m_ub=m_ub, grouping=grouping)
    users = HatUsers(counts=np.array(sizes, np.int64))
    return MECHANISM.plan(users, Decimal(epsilon), upper_bound, params, PlanCache())


def exact_mean_of_means(hat: HatData, plan: Plan) -> Fraction:
    """The estimate without noise and without rounding, km/h, record by record."""
    retained: list[list[int]] = [[] for _ in range(plan.assignment.arrays)]
    assignment = plan.assignment
    for user, first, taken, array in zip(
        assignment.user, assignment.first, assignment.taken, assignment.array, strict=True
    ):
        start = hat.starts[user] + first
        retained[array] += hat.values[start : start + taken].tolist()
    assert [len(records) for records in retained] == plan.assignment.sizes.tolist()
    return (
        sum((Fraction(sum(records), len(records)) for records in retained), Fraction(0))
        / len(retained)
        / 1000
    )


WORKED = HatData(
    counts=np.array([5, 3, 2, 1]),
    starts=np.array([0, 5, 8, 10]),
    values=np.array([10, 20, 30, 65, 65, 10, 10, 40, 50, 60, 0], np.int32) * 1000,
    upper_bound=U,
)


def test_a_worked_example() -> None:
    """Median m_UB = 3: arrays {first three of user 1}, {user 2}, {users 3 and 4}; means 20, 20, 36.667."""
    plan = plan_for([5, 3, 2, 1], epsilon="0.5")
    assert plan.m_ub == 3
    assert plan.assignment.taken.tolist() == [3, 3, 2, 1]
    assert plan.assignment.array.tolist() == [0, 1, 2, 2]
    assert plan.assignment.sizes.tolist() == [3, 3, 3]
    assert plan.sensitivity_kmh == pytest.approx(65 / 3, rel=1e-15)
    assert plan.noise_scale == pytest.approx(65 / 3 / 0.5, rel=1e-15)
    assert plan.bias_bound == pytest.approx(65 * 2 / 11)
    assert MECHANISM.run(plan, WORKED, ScriptedNoise(0)).estimates.tolist() == [25_556]
    assert MECHANISM.run(plan, WORKED, ScriptedNoise(3 * FINE)).estimates.tolist() == [26_556]
    assert MECHANISM.run(plan, WORKED, ScriptedNoise(-300 * FINE)).estimates.tolist() == [0]


def test_a_worked_example_of_wraparound() -> None:
    """m_UB = 3: arrays {first three of user 1}, {user 2}, {users 3 and 4}, as nobody straddles.

    m_UB = 4: {first four of user 1}, {user 2 and one of user 3}; means 31.25 and 27.5, K = 2.
    """
    assert plan_for([5, 3, 2, 1], grouping=WRAPAROUND).arrays == 3
    plan = plan_for([5, 3, 2, 1], 4, epsilon="0.5", grouping=WRAPAROUND)
    assert plan.assignment.user.tolist() == [0, 1, 2]
    assert plan.assignment.taken.tolist() == [4, 3, 1]
    assert plan.sensitivity_kmh == pytest.approx(65 / 2, rel=1e-9)
    assert plan.noise_scale == pytest.approx(65, rel=1e-9)
    assert MECHANISM.run(plan, WORKED, ScriptedNoise(0)).estimates.tolist() == [29_375]


@given(sizes=counts(), m_ub=M_UB, upper_bound=st.integers(1, 200_000), grouping=GROUPING)
def test_sensitivity_is_u_over_the_number_of_arrays(
    sizes: NDArray[np.int64], m_ub: str | int, upper_bound: int, grouping: str
) -> None:
    """Exact up to the one unit of 2^-30 that a rounded bound may need; three where two means are."""
    plan = plan_for(sizes, m_ub, upper_bound=upper_bound, grouping=grouping)
    assert plan.arrays is not None
    exact = Fraction(upper_bound, 1000 * plan.arrays)
    units = 1 if grouping == BESTFIT else 3
    assert exact <= Fraction(plan.sensitivity, plan.divisor) < exact + Fraction(units, FINE * plan.arrays)


@given(data=st.data(), m_ub=M_UB, grouping=GROUPING)
def test_noise_is_added_to_the_sum_of_rounded_array_means(
    data: st.DataObject, m_ub: str | int, grouping: str
) -> None:
    hat = data.draw(hat_data())
    plan = plan_for(hat.counts, m_ub, epsilon="0.25", grouping=grouping)
    assert plan.arrays is not None
    noise = RecordingNoise()
    MECHANISM.run(plan, hat, noise)
    (draw,) = noise.draws
    assert draw.spend == Decimal("0.25")
    assert abs(Fraction(draw.centre, plan.divisor) - exact_mean_of_means(hat, plan)) <= Fraction(1, 2 * FINE)


@given(sizes=counts(), m_ub=st.integers(1, 30))
def test_a_number_above_the_largest_count_means_the_largest_count(
    sizes: NDArray[np.int64], m_ub: int
) -> None:
    plan = plan_for(sizes, m_ub)
    assert plan.m_ub == min(m_ub, sizes.max())


@given(sizes=counts(), m_ub=M_UB, grouping=GROUPING)
def test_bias_is_the_exact_sum_of_risen_weights(
    sizes: NDArray[np.int64], m_ub: str | int, grouping: str
) -> None:
    """Record by record: weight 1 / (Kbar w_i) when kept, 0 when not, against 1 / M."""
    plan = plan_for(sizes, m_ub, grouping=grouping)
    records = int(sizes.sum())
    risen = Fraction(0)
    for taken, array in zip(plan.assignment.taken.tolist(), plan.assignment.array.tolist(), strict=True):
        weight = Fraction(1, plan.assignment.arrays * int(plan.assignment.sizes[array]))
        risen += taken * max(weight - Fraction(1, records), Fraction(0))
    assert assignment_bias(plan.assignment, records, U) == pytest.approx(float(65 * risen), abs=1e-12)


def test_equal_counts_have_no_bias() -> None:
    assert plan_for([7] * 49).bias_bound == 0.0


@given(
    upper_bound=st.integers(1, 1_000_000),
    rows=st.lists(st.tuples(st.integers(1, 10**7), st.floats(0, 1)), min_size=1, max_size=6),
)
def test_rounded_means_stay_within_the_rounded_bound(upper_bound: int, rows: list[tuple[int, float]]) -> None:
    """What the sensitivity rests on: exact nearest rounding, never below 0 or above `fine_ceil(U)`."""
    sizes = np.array([size for size, _ in rows], np.int64)
    sums = np.array([round(part * size * upper_bound) for size, part in rows], np.int64)
    fine = fine_means(sums, sizes)
    assert fine.tolist() == [
        math.floor(Fraction(int(total) * FINE, int(size) * 1000) + Fraction(1, 2))
        for total, size in zip(sums, sizes, strict=True)
    ]
    assert fine.min() >= 0
    assert fine.max() <= fine_ceil(upper_bound)
    assert fine_means(sizes * upper_bound, sizes).max() <= fine_ceil(upper_bound)


def test_an_array_of_a_hundred_billion_records_is_still_exact() -> None:
    size = 10**11 + 3
    total = 64_999 * size + 12_345
    fine = int(fine_means(np.array([total]), np.array([size]))[0])
    assert abs(Fraction(fine, FINE) - Fraction(total, 1000 * size)) <= Fraction(1, 2 * FINE)


def test_more_arrays_than_exact_sums_allow_are_refused_before_any_noise() -> None:
    """At U = 10,000 km/h some four hundred thousand arrays fill 62 bits: the plan says so, not the run."""
    with pytest.raises(InputError, match="too large"):
        plan_for(np.ones(500_000, np.int64), upper_bound=10_000_000)
