"""Query 2: limits, shares, sensitivity by brute force for every unit, histogram, intervals."""

from __future__ import annotations

import dataclasses
import itertools
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from core.contributions import Contributions
from core.errors import InputError
from core.parameter_fields import build
from core.privacy import Unit
from core.statistics.base import Estimate, HatPlan, Question
from core.statistics.query2 import (
    STATISTIC,
    Query2Params,
    daily_maxima,
    equal_shares,
    require_limits,
    sensitivity_vehicles,
    terms_of,
)
from core.statistics.registry import all_statistics
from tests.fakes import RecordingNoise, ScriptedNoise, secure_noise
from tests.pairs import (
    OneTrial,
    counts_of,
    neighbourhoods,
    records_of,
    table_of,
)
from tests.records import assert_tells
from tests.strategies import U, contributions
from tests.units import EVERY_UNIT

BOTH_WAYS = pytest.mark.parametrize("histogram", [False, True], ids=["one-by-one", "histogram"])
ONE = Decimal(1)
MILLION = 1_000_000
WORKED = table_of([[[10_000, 45_000], [50_001]], [[60_000]], [[0], [50_000], [65_000, 1]]], days=4)
"""Daily maxima 45, 50.001, 60, 0, 50 and 65 km/h on 4 days."""


def asked(*limits: float, histogram: bool = False) -> Question:
    return Question(
        statistic=STATISTIC,
        params=build(Query2Params, {"limits": list(limits), "histogram": histogram}, where="here"),
    )


def plan_of(
    table: Contributions, question: Question, unit: Unit = Unit.VEHICLE, epsilon: Decimal = ONE, hat: int = 0
) -> HatPlan:
    return STATISTIC.plan(counts_of(table, unit, hat), epsilon, question)


def drawn(
    table: Contributions, question: Question, noise: Any, unit: Unit = Unit.VEHICLE, **choices: Any
) -> tuple[Estimate, ...]:
    return STATISTIC.draw(plan_of(table, question, unit, **choices), records_of(table, unit), noise)


def centres_of(table: Contributions, question: Question, unit: Unit, hat: int = 0) -> list[int]:
    """Everything that noise is added to, in the order of the requests."""
    noise = RecordingNoise()
    STATISTIC.draw(plan_of(table, question, unit, hat=hat), records_of(table, unit, hat), noise)
    return [one.centre for one in noise.draws] + [c for one in noise.vectors for c in one.centres]


def values_of(estimates: tuple[Estimate, ...]) -> list[int]:
    return [one.value for one in estimates]


def test_it_is_found() -> None:
    assert all_statistics()["query2"] is STATISTIC


@BOTH_WAYS
def test_a_number_is_at_most_the_vehicles_of_a_usual_day(histogram: bool) -> None:
    plan = plan_of(WORKED, asked(40, histogram=histogram))
    assert plan.lead.largest == 6 / 4, "of six pairs on four days"


@BOTH_WAYS
def test_a_worked_example(histogram: bool) -> None:
    """Strictly above: 60 does not count at 60, and 50.001 does at 50."""
    estimates = drawn(WORKED, asked(60, 45, 50, histogram=histogram), RecordingNoise())
    assert [one.label for one in estimates] == [45_000, 50_000, 60_000]
    assert values_of(estimates) == [MILLION, 750_000, 250_000]
    assert {one.measure for one in estimates} == {"vehicles_above_limit_per_day"}
    assert {one.bias_bound for one in estimates} == {None}


@EVERY_UNIT
def test_limits_are_queries_of_their_own(unit: Unit) -> None:
    days = 3 if unit is Unit.VEHICLE else 1
    question, epsilon = asked(45, 50, 60), Decimal("1.000001")
    plan = plan_of(WORKED, question, unit, epsilon)
    noise = RecordingNoise()
    STATISTIC.draw(plan, records_of(WORKED, unit), noise)
    assert [one.spend for one in noise.draws] == [
        Decimal("0.333334"),
        Decimal("0.333334"),
        Decimal("0.333333"),
    ]
    assert [(one.centre, one.sensitivity) for one in noise.draws] == [(4, days), (3, days), (1, days)]
    (lead,) = plan.measures
    assert lead.sensitivity == days / 4
    assert lead.noise_scale == lead.typical_error == pytest.approx(days / 4 / 0.333333)
    assert lead.error_at_worst == lead.typical_error, "noise has no worse case"
    assert (lead.bias_bound, plan.m_ub) == (0.0, None)
    assert STATISTIC.scale(counts_of(WORKED, unit), question) == 3 * days / 4


@EVERY_UNIT
def test_a_histogram_is_paid_for_once(unit: Unit) -> None:
    days = 3 if unit is Unit.VEHICLE else 1
    question = asked(45, 50, 60, histogram=True)
    plan = plan_of(WORKED, question, unit, Decimal("0.5"))
    noise = RecordingNoise()
    STATISTIC.draw(plan, records_of(WORKED, unit), noise)
    (vector,) = noise.vectors
    assert noise.draws == []
    assert vector.centres == (2, 1, 2, 1)
    assert (vector.sensitivity, vector.spend) == (2 * days, Decimal("0.5"))
    assert plan.lead.sensitivity == 2 * days / 4
    assert plan.lead.noise_scale == pytest.approx(2 * days / 4 / 0.5)
    assert plan.lead.typical_error == plan.lead.error_at_worst
    assert plan.lead.typical_error == pytest.approx(1.5 * plan.lead.noise_scale), (
        "two bins for the limit of 50"
    )
    assert STATISTIC.scale(counts_of(WORKED, unit), question) == 2 * days / 4


def test_a_limit_is_answered_from_the_side_with_fewer_bins() -> None:
    """Only the noise of the first, of the last two, of the last bin is seen in the three answers."""
    question = asked(45, 50, 60, histogram=True)
    noisy = values_of(drawn(WORKED, question, ScriptedNoise(1, 0, 0, 0)))
    assert noisy == [750_000, 750_000, 250_000]
    assert values_of(drawn(WORKED, question, ScriptedNoise(0, 0, 0, 1))) == [MILLION, MILLION, 500_000]
    assert terms_of(3) == (1, 2, 1)
    assert terms_of(1) == (1,)
    assert terms_of(6) == (1, 2, 3, 3, 2, 1)


def test_edges_belong_to_the_bin_below_and_zero_to_the_first() -> None:
    maxima = np.array([0, 1, 40_000, 40_001, 50_000, 50_001, U])
    assert daily_maxima(maxima, (40_000, 50_000)).tolist() == [3, 2, 2]
    assert daily_maxima(maxima[:0], (40_000,)).tolist() == [0, 0]


@given(table=contributions(), limits=st.sets(st.integers(1, U - 1), min_size=1, max_size=5), data=st.data())
def test_both_ways_count_alike_without_noise(
    table: Contributions, limits: set[int], data: st.DataObject
) -> None:
    """And like a literal count over vehicles and days."""
    hat = data.draw(st.integers(0, table.hats - 1))
    numbers = [limit / 1_000 for limit in limits]
    records = records_of(table, Unit.VEHICLE, hat)
    found = [
        STATISTIC.draw(plan_of(table, asked(*numbers, histogram=way), hat=hat), records, RecordingNoise())
        for way in (False, True)
    ]
    rows = [
        max(table.values[table.start[row] : table.start[row + 1]].tolist())
        for row in np.flatnonzero(table.hat == hat)
    ]
    above = [sum(largest > limit for largest in rows) for limit in sorted(limits)]
    for estimates in found:
        assert [one.label for one in estimates] == sorted(limits)
        assert values_of(estimates) == [round(Fraction(n * MILLION, table.window.days)) for n in above]


@BOTH_WAYS
@EVERY_UNIT
@settings(max_examples=12, deadline=None)
@given(
    table=contributions(most_vehicles=3, most_hats=2, most_records=2, upper_bound=1_000).filter(
        lambda table: 3 <= table.values.size <= 6
    )
)
def test_no_values_of_one_user_move_the_counts_further(
    table: Contributions, unit: Unit, histogram: bool
) -> None:
    """All assignments of values in every bin to the records of each user; L1 over the histogram."""
    question = asked(0.3, 0.6, histogram=histogram)
    for hat in range(table.hats):
        claimed = plan_of(table, question, unit, hat=hat).detail.moved
        reached = 0
        for tables in neighbourhoods(table, unit, (0, 600, 1_000)):
            centres = np.array([centres_of(one, question, unit, hat) for one in tables])
            apart = np.abs(centres[:, None] - centres[None])
            reached = max(reached, int(apart.sum(axis=2).max() if histogram else apart.max()))
        assert (
            reached
            == claimed
            == sensitivity_vehicles(counts_of(table, unit, hat), question.params) * (table.window.days)
        )


@given(table=contributions(), unit=st.sampled_from(list(Unit)), histogram=st.booleans())
def test_the_plan_follows_from_counts_alone(table: Contributions, unit: Unit, histogram: bool) -> None:
    question = asked(10, 20, 30.5, histogram=histogram)
    other = dataclasses.replace(table, values=np.zeros_like(table.values))
    assert plan_of(table, question, unit) == plan_of(other, question, unit)


@given(steps=st.integers(1, 10**12), parts=st.integers(1, 40))
def test_shares_are_whole_steps_and_add_up(steps: int, parts: int) -> None:
    epsilon = Decimal(steps) / MILLION
    if steps < parts:
        with pytest.raises(InputError, match="leaves nothing") as caught:
            equal_shares(epsilon, parts)
        assert_tells(caught.value)
        return
    shares = equal_shares(epsilon, parts)
    assert sum(shares) == epsilon
    assert list(shares) == sorted(shares, reverse=True)
    assert 0 <= shares[0] - shares[-1] <= Decimal("0.000001")
    assert all(share * MILLION == int(share * MILLION) >= 1 for share in shares)


def test_an_epsilon_with_fewer_steps_than_limits_suits_a_histogram_only() -> None:
    tiny = Decimal("0.000001")
    with pytest.raises(InputError, match="leaves nothing"):
        plan_of(WORKED, asked(40, 50), epsilon=tiny)
    assert plan_of(WORKED, asked(40, 50, histogram=True), epsilon=tiny).epsilon == tiny


@pytest.mark.parametrize("limit", [65, 65.001, 999.999])
@BOTH_WAYS
def test_a_limit_of_u_or_more_is_refused(limit: float, histogram: bool) -> None:
    question = asked(40, limit, histogram=histogram)
    for refused in (
        lambda: plan_of(WORKED, question),
        lambda: STATISTIC.scale(counts_of(WORKED, Unit.VEHICLE), question),
    ):
        with pytest.raises(InputError, match=f"limit of {limit:g} km/h is not below") as caught:
            refused()
        assert_tells(caught.value)
        assert caught.value.where == "query.parameters, limits"
        assert "below 65 km/h" in caught.value.mend


@pytest.mark.parametrize("limits", [[], [0], [-5], [40, 40.0], [40.0001], ["40"], 40, None, [1e9]])
def test_limits_that_make_no_sense_are_refused(limits: object) -> None:
    with pytest.raises(InputError) as caught:
        build(Query2Params, {"limits": limits}, where="query.parameters")
    assert_tells(caught.value)
    assert caught.value.where == "query.parameters, limits"


@pytest.mark.parametrize(
    ("limit", "thousandths"), [(0.001, 1), (40.1, 40_100), (64.999, 64_999), (29.999, 29_999)]
)
def test_limits_become_exact_thousandths(limit: float, thousandths: int) -> None:
    assert require_limits([limit], U) == (thousandths,)


@pytest.mark.parametrize(("value", "counted"), [(0, 0), (40_000, 0), (40_001, 1), (U, 1)])
@pytest.mark.parametrize("days", [1, 7])
@BOTH_WAYS
def test_one_record_of_one_vehicle(value: int, counted: int, days: int, histogram: bool) -> None:
    (estimate,) = drawn(table_of([[[value]]], days=days), asked(40, histogram=histogram), RecordingNoise())
    assert estimate.value == round(Fraction(counted * MILLION, days))
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= math.ceil(MILLION / days)


@pytest.mark.parametrize(("value", "wanted"), [(0, [0, 0]), (40_000, [0, 0]), (50_000, [1, 0]), (U, [1, 1])])
@BOTH_WAYS
def test_all_alike(value: int, wanted: list[int], histogram: bool) -> None:
    """Six pairs on three days, all of them 0, at a limit, or at U."""
    table = table_of([[[value, value]] * 3] * 2)
    found = values_of(drawn(table, asked(40, 50, histogram=histogram), RecordingNoise()))
    assert found == [2 * MILLION * one for one in wanted]


@pytest.mark.parametrize(
    ("offsets", "wanted"),
    [
        ((10**15, 10**15), [6, 6]),
        ((-(10**15), -(10**15)), [0, 0]),
        ((-4, 4), [3.5, 3.5]),
        ((0, -3), [4, 0]),
    ],
)
def test_answers_stay_possible_and_never_rise_with_the_limit(
    offsets: tuple[int, int], wanted: list[float]
) -> None:
    """Six pairs on one day, four and three above the limits; 0 and 7 are pooled to 3.5."""
    table = table_of([[[45_000]], [[55_000]], [[55_000]], [[55_000]], [[0]], [[0]]], days=1)
    found = values_of(drawn(table, asked(40, 50), ScriptedNoise(*offsets)))
    assert found == [MILLION * one for one in wanted]


@given(offsets=st.lists(st.integers(-9, 9), min_size=5, max_size=5), histogram=st.booleans())
def test_every_row_is_consistent(offsets: list[int], histogram: bool) -> None:
    estimates = drawn(WORKED, asked(10, 45, 50, 60, histogram=histogram), ScriptedNoise(*offsets))
    most = 6 * MILLION // 4
    assert all(0 <= one.low <= one.value <= one.high <= most for one in estimates)
    assert all(one.value >= other.value for one, other in itertools.pairwise(estimates))


@pytest.mark.parametrize("epsilon", ["0.3", "12"], ids=["fine", "coarse"])
@BOTH_WAYS
def test_each_interval_holds_its_truth_as_often_as_it_says(histogram: bool, epsilon: str) -> None:
    """At a large epsilon the noise is a few whole vehicles, where continuous quantiles fall short."""
    table = table_of([[[speed * 1_000]] for speed in range(5, 65) for _ in range(10)], days=7)
    question = asked(20, 30, 40, 45, 50, histogram=histogram)
    plan, records = plan_of(table, question, epsilon=Decimal(epsilon)), records_of(table, Unit.VEHICLE)
    noise, trials = OneTrial(3), 3_000
    truths = [10 * sum(speed > limit for speed in range(5, 65)) for limit in (20, 30, 40, 45, 50)]
    inside = np.zeros(5, np.int64)
    for _ in range(trials):
        estimates = STATISTIC.draw(plan, records, noise)
        inside += [
            one.low * 7 <= truth * MILLION <= one.high * 7
            for one, truth in zip(estimates, truths, strict=True)
        ]
    assert inside.min() >= binom.ppf(1e-6, trials, 0.95)
    if epsilon == "0.3":
        assert inside.max() <= binom.ppf(1 - 1e-6, trials, 0.97)


@BOTH_WAYS
def test_the_promised_error_is_not_exceeded(histogram: bool) -> None:
    table = table_of([[[speed * 1_000]] for speed in range(5, 65) for _ in range(10)], days=7)
    question = asked(20, 30, 40, 45, 50, histogram=histogram)
    plan, records = plan_of(table, question), records_of(table, Unit.VEHICLE)
    noise, trials = OneTrial(4), 1_000
    truths = np.array([10 * sum(speed > limit for speed in range(5, 65)) for limit in (20, 30, 40, 45, 50)])
    found = np.array([values_of(STATISTIC.draw(plan, records, noise)) for _ in range(trials)])
    errors = np.abs(found / MILLION - truths / 7)
    assert (errors.mean(axis=0) <= plan.lead.typical_error * (1 + 5 / math.sqrt(trials))).all()


@BOTH_WAYS
def test_real_noise_is_paid_for_exactly(histogram: bool) -> None:
    noise = secure_noise(ONE)
    estimates = drawn(WORKED, asked(40, 50, 60, histogram=histogram), noise)
    assert all(0 <= one.low <= one.value <= one.high for one in estimates)
    assert noise._noise.left(noise._scope) == 0
