"""What is told of plans of relation `user` follows from their constants."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from core.accounting.budgets import Budget
from core.bounding.weight_columns import CAPPED_RECORDS_DP, VEHICLE_DAYS_DP, VEHICLES_DP
from core.planning.planned_bounding import bounded_details, bounding_of
from core.planning.query_plan import Query
from core.planning.user_query import plan_user_query
from core.privacy import Relation, Unit
from core.statistics.question import question_of
from core.statistics.registry import require_statistic
from tests.bounding import UNITS, constants_of


def told(unit: Unit, key: str, **parameters: Any) -> tuple[Any, dict[str, Any]]:
    question = question_of(require_statistic(key), None, parameters, Relation.USER)
    query = Query(id="q", question=question, budget=Budget(total=Decimal(12)))
    bounded = plan_user_query(query, constants_of(unit), 3).bounded
    assert bounded is not None
    return bounding_of(bounded), bounded_details(bounded, question.params, 0)


@pytest.mark.parametrize("unit", UNITS)
def test_days_are_told_where_they_count_apart_and_more_than_one_may(unit: Unit) -> None:
    days = 2 if unit is Unit.VEHICLE else None
    assert [told(unit, key)[0].days_per_vehicle for key in ("query1", "query2", "cdf")] == [days, days, None]


def test_each_statistic_names_what_publishes_a_hat() -> None:
    def weight(key: str, **parameters: Any) -> tuple[str | None, int | None, bool]:
        facts, _ = told(Unit.VEHICLE, key, **parameters)
        return facts.weight, facts.threshold, facts.weight_noise_scale is not None

    assert weight("query1") == (VEHICLE_DAYS_DP, 3, True)
    assert weight("query2") == (None, None, False)
    assert weight("cdf", bins=4) == (VEHICLES_DP, 3, True)
    assert weight("cdf", bins=4, weights="records", m_ub=5) == (CAPPED_RECORDS_DP, 15, True)


def test_details_tell_what_the_budget_pays_for() -> None:
    assert told(Unit.VEHICLE, "query1")[1]["steps_of_the_range"] == 6500
    limits = [told(Unit.VEHICLE, "query2", histogram=one)[1]["budget_of_limits"] for one in (True, False)]
    assert len(set(limits)) == 2
    tree = told(Unit.VEHICLE, "cdf", bins=16, tree="binary")[1]
    assert tree["branching_factors"] == (2, 2, 2, 2)
    assert "epsilon 12 in all" in tree["budget_pays_for"]
