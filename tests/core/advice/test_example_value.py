"""core.advice.example_value: the error of the median HAT around a usual value, within the bounds."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest

from core.accounting.budgets import Budget
from core.advice.example_value import ExampleValue, example_value
from core.planning.query_plan import QueryPlan, query_errors
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.statistics.question import question_of
from core.statistics.registry import require_statistic
from tests.neighbours import all_of, data_of
from tests.queries import mean_query
from tests.strategies import CELLS, one_record_each


def planned(budget: str, statistic: str = "mean") -> QueryPlan:
    table = one_record_each([(0, vehicle, 0) for vehicle in range(20)], CELLS[:1], days=1)
    spent = Budget(per_hat=Decimal(budget))
    query = mean_query("array-averaging", budget=spent)
    if statistic != "mean":
        query = dataclasses.replace(query, question=question_of(require_statistic(statistic), None, {}))
    users = data_of(table, Unit.VEHICLE).users
    return plan_query(table, users, all_of(table), query, minimum_vehicles=1)


@pytest.mark.parametrize("budget", ["0.2", "0.5", "3"])
def test_it_is_the_typical_error_around_the_usual_value(budget: str) -> None:
    plan = planned(budget)
    error = query_errors(plan.plans).typical.median
    assert example_value(plan) == ExampleValue(
        usual=22, low=round(max(22 - error, 0)), high=round(min(22 + error, 65))
    )


def test_it_stays_within_the_bounds() -> None:
    assert example_value(planned("0.000001")) == ExampleValue(usual=22, low=0, high=65)


def test_shares_and_counts_have_no_usual_value() -> None:
    assert example_value(planned("1", "query2")) is None
