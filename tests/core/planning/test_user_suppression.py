"""Users who leave HATs: who is a user, which rows go, and what that does to plan and charge."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings

from core.accounting.budgets import Budget
from core.contributions import Contributions
from core.errors import InputError
from core.planning.query_plan import Query, QueryPlan, distinct_vehicles, draw_query, plan_query
from core.planning.user_suppression import KeptUsers, occupancy_of, published_hats, suppress_users
from core.privacy import Unit
from core.statistics.base import Question, SuppressionRule
from core.statistics.moments import constant_error, hat_errors
from core.statistics.registry import require_statistic
from core.values import THOUSAND
from tests.fakes import RecordingNoise
from tests.neighbours import Data, all_of, data_of
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


def kept_of(contributed: Contributions, unit: Unit, epsilon: int = 2) -> tuple[KeptUsers, Data]:
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
    return plan_query(contributed, data.users, selection, query, minimum_vehicles=minimum_vehicles), data


@pytest.mark.parametrize("unit", [Unit.VEHICLE, Unit.VEHICLE_DAY])
@settings(max_examples=40)
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
@settings(max_examples=40)
@given(contributed=contributions())
def test_users_and_rows_are_kept_alike(unit: Unit, contributed: Contributions) -> None:
    kept, data = kept_of(contributed, unit)
    records = contributed.counts
    for hat in range(contributed.hats):
        mine = contributed.hat == hat
        of_users = data.users.hat_counts(hat, kept.users)
        assert int(of_users.sum()) == int(records[mine & kept.rows].sum())
        assert of_users.size >= 1
        whole = data.users.hat_data(hat, kept.users)
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
    assert after.kept is not None
    assert after.kept.after < after.kept.before == 4
    assert before.charge.per_vehicle <= 8
    assert after.charge.per_vehicle <= 8
    assert after.plans[0].epsilon > before.plans[0].epsilon
    assert repr(after.kept).startswith("<confidential KeptUsers")
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
    assert plan.kept is None
