from __future__ import annotations

from decimal import Decimal

from core.accounting.budgets import Budget
from core.contributions import pairs_of
from core.grouping.plan_cache import PlanCache
from core.planning.user_query import plan_user_query
from tests.bounding import KEY, constants_of, random_stays, table_of
from tests.draws import draw_user_query
from tests.fakes import RecordingNoise
from tests.queries import mean_query

SIX = Budget(total=Decimal(6))


def test_a_plan_that_was_made_is_found_again() -> None:
    cache, query = PlanCache(), mean_query("bounded-mean", budget=SIX)
    first, again = (plan_user_query(query, constants_of(), 1, cache=cache) for _ in range(2))
    assert again is first
    assert plan_user_query(query, constants_of(), 2, cache=cache) is not first


def test_all_candidates_are_planned_and_drawn() -> None:
    plan = plan_user_query(mean_query("bounded-mean", budget=SIX), constants_of(), 1)
    table = table_of(random_stays(1))
    drawn = draw_user_query(plan, table, KEY, pairs_of(table), RecordingNoise())
    assert len(drawn.rows) == len(plan.hats) == len(plan.published) == constants_of().candidates
    assert {hat.index for hat in plan.hats} == {-1}
    assert plan.division == "joint"
    assert plan.charge.per_vehicle == 6
    assert sum(one.epsilon for one in plan.allowances) == 6
