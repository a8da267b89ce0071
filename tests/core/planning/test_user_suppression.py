"""Users who leave HATs: who is a user, which rows go, and what that does to plan and charge."""

from __future__ import annotations

import dataclasses
import itertools
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given

from core.accounting.budgets import Budget
from core.contributions import Contributions
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.planning.counted_city import CountedCity
from core.planning.query_plan import Query, QueryPlan
from core.planning.user_suppression import (
    RetainedUsers,
    occupancy_of,
    pairs_of_users,
    published_hats,
    rule_if_asked,
    suppress_users,
)
from core.planning.values_query import distinct_vehicles, plan_query
from core.privacy import Unit
from core.statistics.base import Question, SuppressionRule
from core.statistics.moments import constant_error, hat_errors
from core.statistics.registry import require_statistic
from tests.draws import draw_query
from tests.fakes import RecordingNoise
from tests.neighbours import Data, all_of, data_of, joint_loss, with_new_values
from tests.queries import mean_query
from tests.strategies import U, contributions, presence

RULE = SuppressionRule(
    m_ub="sqrt", errors=partial(hat_errors, U / THOUSAND), cap=constant_error(U / THOUSAND)
)
CROWDED = presence(
    *(
        (hat, vehicle, day)
        for hat in range(4)
        for vehicle in range(12)
        for day in range(2)
        if vehicle % 4 <= hat
    )
)
"""Twelve vehicles, a quarter of them everywhere, in four HATs on two days."""


def kept_of(contributed: Contributions, unit: Unit, epsilon: int = 2) -> tuple[RetainedUsers, Data]:
    data = data_of(contributed, unit)
    published = np.ones(contributed.hats, bool)
    steps = np.full(contributed.hats, epsilon * 10**6)
    return suppress_users(contributed, data.users, published, steps, RULE), data


def planned(
    contributed: Contributions, *, suppress: bool, minimum_vehicles: int = 1
) -> tuple[QueryPlan, Data]:
    statistic = require_statistic("mean_variance")
    params = statistic.Params(m_ub="sqrt", suppress_users=suppress)
    query = Query(
        id="moments",
        question=Question(statistic=statistic, params=params),
        budget=Budget(total=Decimal(8)),
    )
    data = data_of(contributed, Unit.VEHICLE)
    selection = all_of(contributed)
    return plan_query(
        CountedCity(contributed, data.users, selection, minimum_vehicles=minimum_vehicles), query
    ), data


@pytest.mark.parametrize("unit", [Unit.VEHICLE, Unit.VEHICLE_DAY])
@given(contributed=contributions())
def test_a_user_is_a_vehicle_or_one_of_its_days(unit: Unit, contributed: Contributions) -> None:
    data = data_of(contributed, unit)
    occupancy, rows = occupancy_of(data.users, np.ones(contributed.hats, bool))
    people = {
        (vehicle,) if unit is Unit.VEHICLE else (vehicle, day)
        for vehicle, day in zip(contributed.vehicle.tolist(), contributed.day.tolist(), strict=True)
    }
    assert occupancy.rank.size == len(people)
    assert rows.size == data.users.hat.size
    pairs = list(zip(occupancy.hat.tolist(), occupancy.user.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)


@pytest.mark.parametrize("unit", [Unit.VEHICLE, Unit.VEHICLE_DAY])
@given(contributed=contributions())
def test_users_and_rows_are_kept_alike(unit: Unit, contributed: Contributions) -> None:
    retained, data = kept_of(contributed, unit)
    records = contributed.counts
    for hat in range(contributed.hats):
        mine = contributed.hat == hat
        of_users = data.users.hat_counts(hat, retained.users)
        assert int(of_users.sum()) == int(records[mine & retained.rows].sum())
        assert of_users.size >= 1
        whole = data.users.hat_data(hat, retained.users)
        assert whole.counts.tolist() == of_users.tolist()


def test_only_published_hats_are_looked_at() -> None:
    data = data_of(CROWDED, Unit.VEHICLE)
    published = np.array([True, False, True, False])
    occupancy, rows = occupancy_of(data.users, published)
    assert set(occupancy.hat.tolist()) == {0, 1}
    assert set(data.users.hat[rows].tolist()) == {0, 2}


@pytest.mark.parametrize("minimum_vehicles", [1, 4, 12])
def test_published_before_suppression_is_what_a_plan_without_it_publishes(minimum_vehicles: int) -> None:
    plan, _ = planned(CROWDED, suppress=False, minimum_vehicles=minimum_vehicles)
    index = np.append(all_of(CROWDED).index, -1)  # a selected HAT without records
    published = published_hats(index, distinct_vehicles(CROWDED), minimum_vehicles)
    assert np.flatnonzero(published).tolist() == sorted(hat.index for hat in plan.published)


def test_users_in_one_hat_each_have_nothing_to_suppress() -> None:
    data = data_of(CROWDED, Unit.VEHICLE_HAT_DAY)
    with pytest.raises(InputError, match="nothing to suppress"):
        occupancy_of(data.users, np.ones(4, bool))


def test_suppression_leaves_more_epsilon_for_each_hat_at_the_same_charge() -> None:
    before, _ = planned(CROWDED, suppress=False)
    after, data = planned(CROWDED, suppress=True)
    assert after.retained is not None
    assert after.retained.after < after.retained.before == 4
    assert before.charge.per_vehicle <= 8
    assert after.charge.per_vehicle <= 8
    assert after.plans[0].epsilon > before.plans[0].epsilon
    assert repr(after.retained).startswith("<confidential RetainedUsers")
    noise = RecordingNoise()
    draw_query(after, data.users, data.pairs, noise)
    assert len(noise.draws) == 2 * len(after.published)


def test_the_bias_counts_the_records_of_those_who_left() -> None:
    after, _ = planned(CROWDED, suppress=True)
    before, _ = planned(CROWDED, suppress=False)
    assert max(item.lead.bias_bound for item in after.plans) > max(
        item.lead.bias_bound for item in before.plans
    )


def test_nobody_is_suppressed_where_it_was_not_asked_for() -> None:
    plan, _ = planned(CROWDED, suppress=False)
    assert plan.retained is None


def query_that_suppresses(name: str, total: int = 8) -> Query:
    """Each method that can, asked to."""
    budget = Budget(total=Decimal(total))
    if name.startswith("query"):
        key, _, histogram = name.partition(" ")
        statistic = require_statistic(key)
        own = {"limits": (20.0, 40.0), "histogram": bool(histogram)} if key == "query2" else {}
        question = Question(statistic=statistic, params=statistic.Params(suppress_users=True, **own))
        return Query(id=key, question=question, budget=budget)
    mechanism, _, grouping = name.partition(" ")
    own = {"grouping": grouping} if grouping else {}
    return mean_query(mechanism, budget=budget, suppress_users=True, **own)


METHODS = ("baseline", "array-averaging bestfit", "array-averaging wraparound", "query1", "query2")
METHODS += ("query2 histogram",)
EVERY_METHOD = pytest.mark.parametrize("name", METHODS)
SPREAD_OUT = presence(
    *(
        (hat, vehicle, day)
        for hat in range(5)
        for vehicle in range(14)
        for day in range(3)
        if vehicle < 3 + 11 * (hat < 4) and (vehicle + day) % 3 <= 1 + (vehicle == 0)
    ),
    days=3,
)
"""Fourteen vehicles in four HATs, two of them also in a fifth; days of a vehicle differ."""


def planned_by(name: str, contributed: Contributions, unit: Unit, total: int = 8) -> tuple[QueryPlan, Data]:
    data = data_of(contributed, unit)
    query = query_that_suppresses(name, total)
    return plan_query(
        CountedCity(contributed, data.users, all_of(contributed), minimum_vehicles=1), query
    ), data


@EVERY_METHOD
@pytest.mark.parametrize("unit", [Unit.VEHICLE, Unit.VEHICLE_DAY])
def test_no_neighbour_costs_more_than_the_charge_after_users_left(name: str, unit: Unit) -> None:
    """Brute force: each vehicle alone goes from 0 to U or back everywhere, the others at either end.

    Linear methods attain the charge, so that a sensitivity that still counts who left, or forgets a day, is
    found.
    """
    plan, _ = planned_by(name, SPREAD_OUT, unit)
    assert plan.retained is not None
    assert plan.retained.after < plan.retained.before
    size, found = SPREAD_OUT.values.size, Fraction(0)
    for vehicle, level in itertools.product(range(14), (0, U)):
        mine = SPREAD_OUT.vehicle == vehicle
        here = with_new_values(SPREAD_OUT, np.ones_like(mine), [level] * size)
        there = with_new_values(here, mine, [U - level] * size)
        found = max(found, joint_loss(plan, data_of(here, unit), there))
    charge = Fraction(plan.charge.per_vehicle)
    assert found <= charge
    if "wraparound" not in name:
        assert found > Fraction("0.99") * charge


def statistics_of(name: str, contributed: Contributions, hat: int) -> list[float]:
    """What the method's numbers are about, from all records of a HAT; km/h, or vehicles per day."""
    rows = np.flatnonzero(contributed.hat == hat)
    values = [contributed.values[contributed.start[row] : contributed.start[row + 1]] / 1000 for row in rows]
    if name == "query1":
        return [float(np.mean([pair.mean() for pair in values]))]
    if name.startswith("query2"):
        maxima = np.array([pair.max() for pair in values])
        return [float((maxima > limit).sum()) / contributed.window.days for limit in (20.0, 40.0)]
    return [float(np.concatenate(values).mean())]


@EVERY_METHOD
def test_the_bias_bound_is_the_worst_case_over_everyones_values(name: str) -> None:
    """With all of U for those who stay and 0 for those who left, or the other way round: attained."""
    plan, _ = planned_by(name, SPREAD_OUT, Unit.VEHICLE)
    assert plan.retained is not None
    left = np.flatnonzero(~plan.retained.rows)
    assert left.size
    worst: dict[int, float] = {}
    for inside, outside in ((U, 0), (0, U)):
        values = np.full(SPREAD_OUT.values.size, inside, np.int32)
        values[left] = outside  # one record in each row
        city = with_new_values(SPREAD_OUT, np.ones(SPREAD_OUT.hat.size, bool), values.tolist())
        other = data_of(city, Unit.VEHICLE)
        drawn = draw_query(plan, other.users, other.pairs, RecordingNoise()).rows
        for hat, estimates in zip(plan.hats, drawn, strict=True):
            if hat.plan is None:
                continue
            unit = 10 ** plan.query.question.statistic.measures[0].decimals
            truths = statistics_of(name, city, hat.index)
            for truth, estimate in zip(truths, estimates, strict=True):
                assert estimate.bias_bound is not None
                off = abs(estimate.value / unit - truth)
                assert off <= estimate.bias_bound / unit + 1e-6
                worst[hat.index] = max(worst.get(hat.index, 0.0), off)
    for hat in plan.published:
        assert hat.plan is not None
        if "array" not in name:
            assert worst[hat.index] == pytest.approx(hat.plan.lead.bias_bound, abs=2e-3)
    assert max(worst.values()) > 0


@EVERY_METHOD
def test_what_is_said_about_accuracy_counts_who_left(name: str) -> None:
    """Where somebody left, errors are more than the noise."""
    plan, _ = planned_by(name, SPREAD_OUT, Unit.VEHICLE)
    for hat in plan.published:
        assert hat.plan is not None
        lead = hat.plan.lead
        gone = SPREAD_OUT.hat == hat.index
        if (gone & ~plan.retained.rows).any():  # type: ignore[union-attr]
            assert lead.bias_bound > 0
            assert lead.error_at_worst > lead.noise_scale
            assert lead.typical_error > lead.noise_scale * 0.99


def test_an_interval_of_query_2_holds_the_truth_even_if_all_who_left_were_above() -> None:
    plan, _ = planned_by("query2", SPREAD_OUT, Unit.VEHICLE)
    full = with_new_values(SPREAD_OUT, np.ones(SPREAD_OUT.hat.size, bool), [U] * SPREAD_OUT.values.size)
    data = data_of(full, Unit.VEHICLE)
    for hat, estimates in zip(
        plan.hats, draw_query(plan, data.users, data.pairs, RecordingNoise()).rows, strict=True
    ):
        truth = (full.hat == hat.index).sum() / full.window.days
        for estimate in estimates:
            assert estimate.low <= round(truth * 10**6) <= estimate.high


@pytest.mark.parametrize("unit", [Unit.VEHICLE, Unit.VEHICLE_DAY])
@given(contributed=contributions())
def test_pairs_of_a_user_are_its_days(unit: Unit, contributed: Contributions) -> None:
    data = data_of(contributed, unit)
    pairs = pairs_of_users(contributed, data.users)
    for row, (hat, vehicle) in enumerate(
        zip(data.users.hat.tolist(), data.users.vehicle.tolist(), strict=True)
    ):
        days = int(((contributed.hat == hat) & (contributed.vehicle == vehicle)).sum())
        assert pairs[row] == (days if unit is Unit.VEHICLE else 1)


def test_counts_of_pairs_are_those_of_who_stays() -> None:
    plan, _ = planned_by("query1", SPREAD_OUT, Unit.VEHICLE)
    assert plan.retained is not None
    for hat in plan.published:
        assert hat.plan is not None
        rows = plan.retained.rows & (SPREAD_OUT.hat == hat.index)
        most = int(np.bincount(SPREAD_OUT.vehicle[rows]).max())
        assert hat.plan.lead.sensitivity == pytest.approx(U / THOUSAND * most / rows.sum(), rel=1e-6)


@pytest.mark.parametrize("mechanism", ["levy", "fixed-quantile", "epsilon-quantile", "two-step-clipping"])
def test_a_method_without_an_error_from_counts_cannot_be_asked(mechanism: str) -> None:
    assert rule_if_asked(mean_query(mechanism).question, U) is None


@EVERY_METHOD
def test_what_would_be_gone_by_is_known_without_asking(name: str) -> None:
    asked = query_that_suppresses(name).question
    free = dataclasses.replace(asked, params=dataclasses.replace(asked.params, suppress_users=False))
    assert free.statistic.suppression(free, U) is None
    rule, same = rule_if_asked(free, U), asked.statistic.suppression(asked, U)
    assert rule is not None
    assert same is not None
    assert (rule.m_ub, rule.cap, rule.of_pairs) == (same.m_ub, same.cap, same.of_pairs)
