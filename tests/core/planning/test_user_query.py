from __future__ import annotations

from decimal import Decimal

from core.accounting.budgets import Budget
from core.contributions import pairs_of
from core.planning.query_plan import QueryPlan
from core.planning.user_query import plan_user_query
from core.planning.values_query import plan_query
from core.privacy import Unit
from tests.bounding import KEY, constants_of, random_stays, table_of
from tests.draws import draw_user_query
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


def test_plans_of_every_kind_answer_the_same_questions() -> None:
    """Nobody has to ask which kind it is."""
    table = table_of(random_stays(1))
    users = data_of(table, Unit.VEHICLE).users

    def counted(mechanism: str) -> QueryPlan:
        query = mean_query(mechanism, budget=SIX)
        return plan_query(table, users, all_of(table), query, minimum_vehicles=1)

    constants = plan_user_query(mean_query("bounded-mean", budget=SIX), constants_of(), 1)
    kinds = (counted("baseline"), counted("tokens"), constants)
    assert [plan.division for plan in kinds] == ["equal", "joint", "joint"]
    assert [plan.epsilon_by_hat for plan in kinds] == [True, False, True]
    assert [plan.bounding is not None for plan in kinds] == [False, False, True]
    assert [bool(plan.errors_known_of) for plan in kinds] == [False, False, True]
    assert [plan.half_widths is not None for plan in kinds] == [True, True, False]
    assert [len(plan.hat_figures) > 0 for plan in kinds] == [False, True, False]
    assert [plan.draw(table, users, pairs_of(table), KEY, RecordingNoise()).rows != () for plan in kinds] == [
        True,
        True,
        True,
    ]
