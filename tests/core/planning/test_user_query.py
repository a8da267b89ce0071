from __future__ import annotations

from decimal import Decimal

import pytest

from core.accounting.budgets import Budget
from core.contributions import pairs_of
from core.errors import InternalError
from core.planning.query_plan import plan_query
from core.planning.user_query import draw_user_query, plan_user_query
from core.privacy import Unit
from tests.bounding import KEY, constants_of, random_stays, table_of
from tests.fakes import RecordingNoise
from tests.neighbours import all_of, data_of
from tests.queries import mean_query

SIX = Budget(total=Decimal(6))


def test_all_candidates_are_planned_and_drawn() -> None:
    plan = plan_user_query(mean_query("bounded-mean", budget=SIX), constants_of(), 1)
    table = table_of(random_stays(1))
    drawn = draw_user_query(plan, table, KEY, pairs_of(table), RecordingNoise())
    assert len(drawn.rows) == len(plan.hats) == len(plan.published) == constants_of().candidates
    assert {hat.index for hat in plan.hats} == {-1}
    assert plan.division == "joint"
    assert plan.charge.per_vehicle == 6
    assert sum(one.epsilon for one in plan.allowances) == 6


def test_a_plan_by_counts_is_not_drawn_as_one_of_relation_user() -> None:
    table = table_of(random_stays(1))
    users = data_of(table, Unit.VEHICLE).users
    plan = plan_query(table, users, all_of(table), mean_query("baseline", budget=SIX), minimum_vehicles=1)
    with pytest.raises(InternalError):
        draw_user_query(plan, table, KEY, pairs_of(table), RecordingNoise())
