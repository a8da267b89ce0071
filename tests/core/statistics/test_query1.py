"""Query 1: sensitivity by brute force for every unit, exact arithmetic, and the edges."""

from __future__ import annotations

import dataclasses
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from core.contributions import Contributions
from core.errors import InputError
from core.fixed_point import FINE, fine_ceil
from core.privacy import Unit
from core.statistics.base import HatPlan, Question
from core.statistics.query1 import STATISTIC, Query1Params, sensitivity_kmh
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

QUESTION = Question(statistic=STATISTIC, params=Query1Params())
ONE = Decimal(1)
WORKED = table_of([[[10_000, 20_000], [30_001]], [[60_000]]], days=5)
"""Pair means 15, 30.001 and 60 km/h."""
WORKED_SUM = sum(round(Fraction(mean * FINE, 1_000)) for mean in (15_000, 30_001, 60_000))


def plan_of(table: Contributions, unit: Unit = Unit.VEHICLE, epsilon: Decimal = ONE, hat: int = 0) -> HatPlan:
    return STATISTIC.plan(counts_of(table, unit, hat), epsilon, QUESTION)


def centre_of(table: Contributions, unit: Unit, hat: int = 0) -> int:
    """What the noise is added to."""
    noise = RecordingNoise()
    STATISTIC.draw(plan_of(table, unit, hat=hat), records_of(table, unit, hat), noise)
    return noise.draws[0].centre


def test_it_is_found() -> None:
    assert all_statistics()["query1"] is STATISTIC


@EVERY_UNIT
def test_a_worked_example(unit: Unit) -> None:
    days = 2 if unit is Unit.VEHICLE else 1
    plan = plan_of(WORKED, unit, Decimal("0.5"))
    (lead,) = plan.measures
    assert lead.sensitivity == 65 * days / 3
    assert lead.noise_scale == lead.typical_error == lead.error_at_worst == 130 * days / 3
    assert (lead.bias_bound, plan.m_ub, plan.epsilon) == (0.0, None, Decimal("0.5"))
    assert STATISTIC.scale(counts_of(WORKED, unit), QUESTION) == lead.sensitivity
    noise = RecordingNoise()
    (estimate,) = STATISTIC.draw(plan, records_of(WORKED, unit), noise)
    (asked,) = noise.draws
    assert (asked.sensitivity, asked.spend) == (days * fine_ceil(U), Decimal("0.5"))
    assert estimate.value == 35_000
    assert (estimate.low, estimate.high) == (0, U)
    assert (estimate.measure, estimate.label, estimate.bias_bound) == (
        "vehicle_day_speed_mean_kmh",
        None,
        None,
    )


def test_every_pair_weighs_the_same_however_many_records_it_has() -> None:
    busy = table_of([[[0] * 999], [[60_000]]])
    (estimate,) = STATISTIC.draw(plan_of(busy), records_of(busy, Unit.VEHICLE), RecordingNoise())
    assert estimate.value == 30_000


@pytest.mark.parametrize(
    ("shift", "value"), [(0, 35_000), (3 * FINE, 36_000), (-3 * FINE, 34_000), (-(10**15), 0), (10**15, U)]
)
def test_noise_is_added_to_the_sum_and_the_mean_is_clamped(shift: int, value: int) -> None:
    (estimate,) = STATISTIC.draw(plan_of(WORKED), records_of(WORKED, Unit.VEHICLE), ScriptedNoise(shift))
    assert estimate.value == value
    assert estimate.unclamped == round(Fraction((WORKED_SUM + shift) * 1_000, 3 * FINE))
    reach = math.ceil(130_000 / 3 * math.log(20) + 0.5)
    gone = not -reach <= estimate.unclamped <= U + reach
    assert estimate.informative is not gone
    assert (estimate.low, estimate.high) == (
        (0, U) if gone else (max(0, estimate.unclamped - reach), min(U, estimate.unclamped + reach))
    )


def test_the_interval_is_that_of_the_noise() -> None:
    table = table_of([[[20_000]]] * 400)
    (estimate,) = STATISTIC.draw(plan_of(table), records_of(table, Unit.VEHICLE), RecordingNoise())
    width = math.ceil(65_000 / 400 * math.log(20) + 0.5)
    assert (estimate.low, estimate.value, estimate.high) == (20_000 - width, 20_000, 20_000 + width)


def test_the_interval_holds_the_mean_as_often_as_it_says() -> None:
    table = table_of([[[20_000, 21_000]]] * 300)
    plan, records, trials = plan_of(table), records_of(table, Unit.VEHICLE), 2_000
    noise = OneTrial(1)
    drawn = [STATISTIC.draw(plan, records, noise)[0] for _ in range(trials)]
    inside = sum(one.low <= 20_500 <= one.high for one in drawn)
    assert binom.ppf(1e-6, trials, 0.95) <= inside <= binom.ppf(1 - 1e-6, trials, 0.95)


@EVERY_UNIT
@given(
    table=contributions(most_vehicles=3, most_hats=2, most_records=2, upper_bound=1_001).filter(
        lambda table: table.values.size <= 6
    )
)
def test_no_values_of_one_user_move_the_sum_further(table: Contributions, unit: Unit) -> None:
    """All assignments of 0, an awkward value and U to the records of each user, in every HAT."""
    for hat in range(table.hats):
        counts = counts_of(table, unit, hat)
        claimed = counts.largest_pairs * fine_ceil(table.upper_bound)
        reached = 0
        for tables in neighbourhoods(table, unit, (0, 333, table.upper_bound)):
            centres = [centre_of(one, unit, hat) for one in tables]
            reached = max(reached, max(centres) - min(centres))
        assert claimed - counts.largest_pairs <= reached <= claimed
        assert sensitivity_kmh(counts) == Fraction(claimed, counts.pairs * FINE)


@EVERY_UNIT
def test_a_vehicle_moves_all_its_days_and_a_day_only_itself(unit: Unit) -> None:
    still, fast = (table_of([[[value]] * 3, [[5_000]]]) for value in (0, U))
    moved = centre_of(fast, unit) - centre_of(still, unit)
    assert moved == 3 * fine_ceil(U)
    assert plan_of(still, unit).detail.moved == (moved if unit is Unit.VEHICLE else moved // 3)


@given(table=contributions(), unit=st.sampled_from(list(Unit)))
def test_the_plan_follows_from_counts_alone(table: Contributions, unit: Unit) -> None:
    other = dataclasses.replace(table, values=np.zeros_like(table.values))
    assert plan_of(table, unit) == plan_of(other, unit)


@given(table=contributions(), value=st.integers(0, U))
def test_equal_values_have_that_mean(table: Contributions, value: int) -> None:
    same = dataclasses.replace(table, values=np.full_like(table.values, value))
    (estimate,) = STATISTIC.draw(plan_of(same), records_of(same, Unit.VEHICLE), RecordingNoise())
    assert estimate.value == value


@pytest.mark.parametrize("value", [0, 1, U - 1, U])
def test_one_record_of_one_vehicle_on_one_day(value: int) -> None:
    table = table_of([[[value]]], days=1)
    plan = plan_of(table)
    assert plan.lead.sensitivity == 65.0
    (estimate,) = STATISTIC.draw(plan, records_of(table, Unit.VEHICLE), RecordingNoise())
    assert (estimate.low, estimate.value, estimate.high) == (0, value, U)


def test_a_hat_beyond_exact_integers_is_refused() -> None:
    counts = dataclasses.replace(counts_of(WORKED, Unit.VEHICLE), pairs=10**8)
    with pytest.raises(InputError, match="too large") as caught:
        STATISTIC.plan(counts, ONE, QUESTION)
    assert_tells(caught.value)


def test_real_noise_is_paid_for_exactly() -> None:
    noise = secure_noise(ONE)
    (estimate,) = STATISTIC.draw(plan_of(WORKED), records_of(WORKED, Unit.VEHICLE), noise)
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= U
    assert noise._noise.left(noise._scope) == 0
