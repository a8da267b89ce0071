"""Worst-case-optimal bounding: cap, intervals, and that no intervals do better at worst (method 6.9)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.contributions import HatData, HatUsers
from core.errors import InputError
from core.evaluate.compared_curves import series_of
from core.evaluate.exact_errors import exact_error
from core.fixed_point import FINE
from core.grouping.plan_cache import PlanCache
from core.mechanisms.worst_case_bounding import (
    MECHANISM,
    BoundingPlan,
    WorstCaseBoundingParams,
    cap_of,
    interval_of,
    projected_sum,
)
from tests.fakes import RecordingNoise, ScriptedNoise, secure_noise
from tests.strategies import U, counts, hat_data, values

EPSILONS = st.integers(1, 5_000_000).map(lambda steps: Decimal(steps).scaleb(-6)) | st.sampled_from(
    [Decimal(text) for text in ("0.000001", "0.1", "0.2", "0.3", "0.4", "0.5", "0.666667", "1", "2", "100")]
)
ROUNDING = 0.00051
"""Published means are rounded to 0.001 km/h."""
SMALL_COUNTS = ([1], [3], [1, 1], [3, 1], [4, 1], [2, 2, 1], [4, 2, 1], [3, 1, 1, 1], [5, 1, 1], [1] * 5)
SMALL_EPSILONS = ("0.3", "0.5", "0.7", "1", "1.5", "2", "9")


def plan_for(
    sizes: NDArray[np.int64] | list[int], epsilon: str | Decimal = "1", upper_bound: int = U
) -> BoundingPlan:
    users = HatUsers(counts=np.array(sizes, np.int64))
    return MECHANISM.plan(users, Decimal(epsilon), upper_bound, WorstCaseBoundingParams(), PlanCache())


def hat_of(sizes: list[int], flat: list[int], upper_bound: int = U) -> HatData:
    counted = np.array(sizes, np.int64)
    return HatData(
        counts=counted,
        starts=np.cumsum(counted) - counted,
        values=np.array(flat, np.int32),
        upper_bound=upper_bound,
    )


WORKED = HatData(
    counts=np.array([4, 2, 1]),
    starts=np.array([1, 5, 0]),
    values=np.array([1_001, 0, 10_000, 40_000, U, 65_000, 3_000], np.int32),
    upper_bound=U,
)


def test_a_worked_example() -> None:
    """Epsilon 1: the second largest count, 2. The first user's interval is 32.5 +- 16.25, others keep all.

    16.25 + 16.25 + 40 + 48.75, 65 + 3 and 1.001, over 7 records.
    """
    plan = plan_for([4, 2, 1])
    assert plan.cap == 2
    assert [interval_of(count, 2, U) for count in (4, 2, 1)] == [
        (16 * FINE + FINE // 4, 48 * FINE + 3 * FINE // 4),
        (0, 65 * FINE),
        (0, 65 * FINE),
    ]
    assert plan.sensitivity_kmh == pytest.approx(65 * 2 / 7)
    assert plan.noise_scale == pytest.approx(65 * 2 / 7)
    assert plan.bias_bound == pytest.approx(65 * 2 / 14)
    assert MECHANISM.run(plan, WORKED, ScriptedNoise(0)).estimates.tolist() == [27_179]
    assert MECHANISM.run(plan, WORKED, ScriptedNoise(7 * FINE)).estimates.tolist() == [28_179]
    assert MECHANISM.run(plan, WORKED, ScriptedNoise(-700 * FINE)).estimates.tolist() == [0]
    assert (plan.m_ub, plan.arrays) == (None, None)


def test_where_epsilon_is_large_nothing_is_projected() -> None:
    plan = plan_for([4, 2, 1], "2")
    assert (plan.cap, plan.bias_bound) == (4, 0.0)
    assert MECHANISM.run(plan, WORKED, ScriptedNoise(0)).estimates.tolist() == [
        round(sum(WORKED.values.tolist()) / 7)
    ]


@pytest.mark.parametrize(
    ("epsilon", "rank"),
    [("2", 1), ("1.999999", 2), ("1", 2), ("0.999999", 3), ("0.7", 3), ("0.1", 20), ("0.099999", 21)],
)
def test_the_rank_of_the_cap_is_exact_in_decimals(epsilon: str, rank: int) -> None:
    sizes = np.arange(30, 0, -1)
    assert cap_of(sizes, Decimal(epsilon)) == 31 - rank


def at_worst(sizes: list[int], cap: Fraction, epsilon: Decimal) -> Fraction:
    """Twice what the cap minimises: bias and noise over `U / sum m`."""
    return sum((max(size - cap, Fraction(0)) for size in sizes), Fraction(0)) + 2 * cap / Fraction(epsilon)


@given(sizes=counts(), epsilon=EPSILONS, other=st.fractions(0, 10))
def test_no_other_cap_is_better(sizes: NDArray[np.int64], epsilon: Decimal, other: Fraction) -> None:
    listed, cap = sizes.tolist(), Fraction(cap_of(sizes, epsilon))
    assert at_worst(listed, cap, epsilon) <= at_worst(listed, other, epsilon)


@given(sizes=counts(), epsilon=EPSILONS)
def test_the_error_at_worst_never_exceeds_that_of_a_constant(
    sizes: NDArray[np.int64], epsilon: Decimal
) -> None:
    """Up to one unit of 2^-30 km/h, which stands for no noise at all."""
    plan = plan_for(sizes, epsilon)
    assert plan.bias_bound + plan.noise_scale <= 32.5 + 1 / FINE / float(epsilon) + 1e-9
    assert plan.bias_bound == pytest.approx(65 * np.maximum(sizes - plan.cap, 0).sum() / (2 * sizes.sum()))


@given(sizes=counts(most_records=50), epsilon=EPSILONS, upper_bound=st.sampled_from((U, 64_999, 100, 1)))
def test_the_sensitivity_is_that_of_the_formula(
    sizes: NDArray[np.int64], epsilon: Decimal, upper_bound: int
) -> None:
    """`U c / sum m`, less what rounding towards U / 2 takes: two units a record of the busiest at most."""
    plan = plan_for(sizes, epsilon, upper_bound)
    exact = Fraction(upper_bound * plan.cap * FINE, 1000)
    if plan.cap:
        assert exact - 2 * int(sizes.max()) <= plan.sensitivity <= exact
    else:
        assert plan.sensitivity == 1


@given(count=st.integers(1, 1 << 37), data=st.data(), upper_bound=st.integers(1, 2_000_000_000))
def test_ends_are_rounded_towards_the_middle(count: int, data: st.DataObject, upper_bound: int) -> None:
    cap = data.draw(st.integers(0, count))
    low, high = interval_of(count, cap, upper_bound)
    middle, half = Fraction(upper_bound * FINE, 2000), Fraction(upper_bound * FINE * cap, 2000 * count)
    assert low == math.ceil(middle - half)
    assert high == max(low, math.floor(middle + half))


@given(hat=hat_data(), epsilon=EPSILONS)
def test_noise_is_added_to_the_sum_of_projected_values(hat: HatData, epsilon: Decimal) -> None:
    """Record by record, in exact fractions: three units of rounding a record."""
    noise, plan, exact = RecordingNoise(), plan_for(hat.counts, epsilon), Fraction(0)
    MECHANISM.run(plan, hat, noise)
    for start, count in zip(hat.starts.tolist(), hat.counts.tolist(), strict=True):
        half = Fraction(U, 2) * min(Fraction(1), Fraction(plan.cap, count))
        for value in hat.values[start : start + count].tolist():
            exact += min(max(Fraction(value), Fraction(U, 2) - half), Fraction(U, 2) + half)
    (draw,) = noise.draws
    assert draw.spend == epsilon
    assert abs(draw.centre - exact * FINE / 1000) <= 2 * hat.values.size


@pytest.mark.parametrize("epsilon", SMALL_EPSILONS)
@pytest.mark.parametrize("sizes", SMALL_COUNTS, ids=str)
def test_bias_and_sensitivity_are_reached_and_not_exceeded(sizes: list[int], epsilon: str) -> None:
    """Over all assignments of 0 and U: both are the worst cases, and each neighbour moves no further."""
    plan = plan_for(sizes, epsilon)
    sums = {
        flat: projected_sum(hat_of(sizes, list(flat)), plan.cap)
        for flat in itertools.product((0, U), repeat=sum(sizes))
    }
    errors = [abs(total / FINE - sum(flat) / 1000) / sum(sizes) for flat, total in sums.items()]
    assert max(errors) == pytest.approx(plan.bias_bound, abs=1e-6)
    moved, owner = 0, np.repeat(np.arange(len(sizes)), sizes)
    for user in range(len(sizes)):
        others: dict[tuple[int, ...], list[int]] = {}
        for flat, total in sums.items():
            rest = tuple(value for value, own in zip(flat, owner, strict=True) if own != user)
            others.setdefault(rest, []).append(total)
        moved = max(moved, *(max(found) - min(found) for found in others.values()))
    assert moved == (plan.sensitivity if plan.cap else 0)


@settings(max_examples=200)
@given(data=st.data(), epsilon=EPSILONS, upper_bound=st.sampled_from((U, 64_999, 100, 1)))
def test_no_neighbour_moves_the_sum_further(data: st.DataObject, epsilon: Decimal, upper_bound: int) -> None:
    hat = data.draw(hat_data(upper_bound=upper_bound))
    plan = plan_for(hat.counts, epsilon, upper_bound)
    user = data.draw(st.integers(0, hat.counts.size - 1))
    begin, size = int(hat.starts[user]), int(hat.counts[user])
    flat = hat.values.copy()
    flat[begin : begin + size] = data.draw(values(size, upper_bound))
    other = HatData(counts=hat.counts, starts=hat.starts, values=flat, upper_bound=upper_bound)
    assert abs(projected_sum(hat, plan.cap) - projected_sum(other, plan.cap)) <= plan.sensitivity


def test_a_sensitivity_a_thousandth_too_small_would_be_exceeded() -> None:
    sizes = [4, 2, 1]
    plan = plan_for(sizes)
    ends = [projected_sum(hat_of(sizes, [value] * 4 + [0] * 3), plan.cap) for value in (0, U)]
    assert int(plan.sensitivity * 0.999) < ends[1] - ends[0] <= plan.sensitivity


UNIT = 4
"""U of the brute force, in steps that intervals of other strategies may end at."""


def ends() -> list[tuple[int, int]]:
    """Every interval in [0, U] with whole ends."""
    return [(low, high) for low in range(UNIT + 1) for high in range(low, UNIT + 1)]


def strategies(sizes: list[int], whole_users: bool) -> Iterator[list[list[tuple[int, int]]]]:
    """Every choice of an interval for each user, or for each of its records."""
    if whole_users:
        for chosen in itertools.product(ends(), repeat=len(sizes)):
            yield [[interval] * size for interval, size in zip(chosen, sizes, strict=True)]
        return
    cuts = list(itertools.accumulate(sizes, initial=0))
    for chosen in itertools.product(ends(), repeat=sum(sizes)):
        yield [list(chosen[first:last]) for first, last in itertools.pairwise(cuts)]


@cache
def all_at_worst(sizes: tuple[int, ...], whole_users: bool) -> frozenset[tuple[int, int]]:
    """Of every strategy: its largest bias, over 0 or U of each record, and how far one user moves its sum."""
    return frozenset(
        (
            max(map(abs, map(sum, itertools.product(*map(projections, itertools.chain(*intervals)))))),
            max(sum(high - low for low, high in user) for user in intervals),
        )
        for intervals in strategies(list(sizes), whole_users)
    )


@cache
def projections(interval: tuple[int, int]) -> list[int]:
    """How far 0 and U move when they are projected on it."""
    low, high = interval
    return [min(max(value, low), high) - value for value in (0, UNIT)]


def smallest_error_at_worst(sizes: list[int], whole_users: bool, epsilon: Decimal) -> Fraction:
    """Of all strategies: the largest bias, and expected noise."""
    worst = all_at_worst(tuple(sizes), whole_users)
    return min(bias + moved / Fraction(epsilon) for bias, moved in worst) / sum(sizes)


@pytest.mark.parametrize("epsilon", ["0.3", "0.5", "1", "1.5", "3"])
@pytest.mark.parametrize(
    ("sizes", "whole_users"),
    [
        *(([1], True), ([1, 1, 1], True), ([2, 1], True), ([3, 1], True), ([4, 2], True)),
        *(([3, 2, 1], True), ([4, 1, 1], True), ([2], False), ([2, 1], False)),
    ],
    ids=str,
)
def test_no_other_intervals_have_a_smaller_error_at_worst(
    sizes: list[int], whole_users: bool, epsilon: str
) -> None:
    """Brute force: an interval for each user or each record, anywhere in [0, U]; ours where its ends fit."""
    cap = cap_of(np.array(sizes), Decimal(epsilon))
    ours = at_worst(sizes, Fraction(cap), Decimal(epsilon)) * UNIT / (2 * sum(sizes))
    best = smallest_error_at_worst(sizes, whole_users, Decimal(epsilon))
    fits = all((UNIT * min(cap, size)) % (2 * size) == 0 for size in sizes)
    assert best == ours if fits else best >= ours
    plan = plan_for(sizes, epsilon, UNIT * 1000)
    assert plan.bias_bound + (plan.noise_scale if cap else 0) == pytest.approx(float(ours))


def test_dropping_records_costs_twice_the_bias() -> None:
    """P2's worst case: of 6 records 3 are kept, so that half of the weight moves; projected, a quarter."""
    assert plan_for([4, 1, 1], "1").bias_bound == pytest.approx(65 / 4)


@pytest.mark.parametrize("epsilon", ["0.000001", "0.6", "0.1"])
@pytest.mark.parametrize("offset", [0, 1 << 60])
def test_too_few_users_get_the_constant_and_pay_all_the_same(epsilon: str, offset: int) -> None:
    """Three users need an epsilon of 2/3: below, U / 2 whatever the data and whatever the noise."""
    for flat in ([0] * 7, [U] * 7, WORKED.values.tolist()):
        plan, hat = plan_for([4, 2, 1], epsilon), hat_of([4, 2, 1], flat)
        assert (plan.cap, plan.bias_bound) == (0, 32.5)
        assert MECHANISM.run(plan, hat, ScriptedNoise(offset)).estimates.tolist() == [32_500]
        recording = RecordingNoise()
        MECHANISM.run(plan, hat, recording)
        assert [(one.sensitivity, one.spend) for one in recording.draws] == [(1, Decimal(epsilon))]
        real = MECHANISM.run(plan, hat, secure_noise(Decimal(epsilon)))
        assert real.estimates.tolist() == [32_500]


def test_the_exact_error_of_evaluation_is_that_of_the_noise_around_the_projected_mean() -> None:
    series, plan = series_of("worst-case-bounding"), plan_for([4, 2, 1], "100")
    assert exact_error(series, plan, WORKED) == pytest.approx(plan.noise_scale, rel=1e-3)
    constant = plan_for([4, 2, 1], "0.1")
    truth = WORKED.values.sum() / 7_000
    assert exact_error(series, constant, WORKED) == pytest.approx(32.5 - truth, abs=ROUNDING)


def test_more_records_than_exact_sums_allow_are_refused_before_any_noise() -> None:
    """At U = 1000 km/h some four million records fill 62 bits."""
    with pytest.raises(InputError, match="too large"):
        plan_for([5_000_000, 5_000_000], upper_bound=1_000_000)
