"""core.advice.example_value: a round number with what it may mean, within the bounds."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest

from core.accounting.budgets import Budget
from core.advice.example_value import ExampleValue, example_value
from core.planning.counted_city import CountedCity
from core.planning.query_plan import QueryPlan
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.statistics.question import question_of
from core.statistics.registry import require_statistic
from tests.neighbours import all_of, data_of
from tests.queries import mean_query
from tests.strategies import CELLS, one_record_each


def planned(budget: str, statistic: str = "mean", **parameters: object) -> QueryPlan:
    table = one_record_each([(0, vehicle, 0) for vehicle in range(20)], CELLS[:1], days=1)
    spent = Budget(total=Decimal(budget)) if statistic == "share" else Budget(per_hat=Decimal(budget))
    query = mean_query("array-averaging", budget=spent)
    if statistic != "mean":
        query = dataclasses.replace(
            query, question=question_of(require_statistic(statistic), None, parameters)
        )
    users = data_of(table, Unit.VEHICLE).users
    return plan_query(CountedCity(table, users, all_of(table), minimum_vehicles=1), query)


@pytest.mark.parametrize(
    ("reach", "low", "high", "anything"),
    [(6.9, 18, 32, False), (7, 18, 32, False), (30, 0, 55, False), (90, 0, 65, True)],
)
def test_it_is_a_round_number_with_what_it_may_mean(
    reach: float, low: int, high: int, anything: bool
) -> None:
    """Rounded outwards to whole units, and cut to the bounds."""
    found = example_value(planned("1"), reach)
    assert found == ExampleValue(published=25, low=low, high=high, least=0, most=65)
    assert found.anything is anything


@pytest.mark.parametrize(("upper", "published"), [(1, 1), (5, 2), (99, 35), (1500, 600), (27_000, 10_000)])
def test_the_number_is_round_whatever_the_bound(upper: int, published: int) -> None:
    plan = dataclasses.replace(planned("1"), upper_bound=1000 * upper)
    found = example_value(plan, 0.5)
    assert found is not None
    assert found.published == published


def test_shares_and_counts_have_no_usual_value() -> None:
    assert example_value(planned("1", "query2"), 1.0) is None


def test_of_a_share_it_is_a_percentage() -> None:
    """Near the share that the model expects: 29 % lie below 10 km/h."""
    plan = planned("1", "share", ranges=((0.0, 10.0),))
    found = example_value(plan, 0.082)
    assert found == ExampleValue(published=30, low=21, high=39, least=0, most=100)
    anything = example_value(plan, 0.9)
    assert anything is not None
    assert anything.anything
