"""core.advice.verdict: figures of the sentence, from the very errors of the plan."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest

from core.accounting.budgets import Budget
from core.advice.example_value import example_value
from core.advice.verdict import verdict_of
from core.planning.query_plan import Query, QueryPlan, error_of_a_constant, query_errors
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.statistics.question import question_of
from core.statistics.registry import require_statistic
from tests.neighbours import all_of, data_of
from tests.queries import mean_query
from tests.strategies import CELLS, one_record_each


def planned(epsilon: str) -> QueryPlan:
    rows = [(place, vehicle, 0) for place, vehicles in enumerate((20, 5)) for vehicle in range(vehicles)]
    table = one_record_each(rows, CELLS[:2], days=1)
    query = mean_query("array-averaging", budget=Budget(per_hat=Decimal(epsilon)))
    users = data_of(table, Unit.VEHICLE).users
    return plan_query(table, users, all_of(table), query, minimum_vehicles=1)


@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "30"])
def test_errors_are_those_of_the_plan(epsilon: str) -> None:
    plan = planned(epsilon)
    verdict, errors = verdict_of(plan), query_errors(plan.plans).typical
    assert (verdict.half, verdict.least_exact) == (errors.median, errors.largest)


def test_what_tells_nothing_comes_with_an_example_and_what_tells_something_without() -> None:
    blind, good = planned("0.01"), planned("30")
    assert not verdict_of(blind).informative
    assert verdict_of(blind).example == example_value(blind)
    assert verdict_of(good).informative
    assert verdict_of(good).example is None


@pytest.mark.parametrize(("epsilon", "informative"), [("0.049", False), ("0.051", True)])
def test_counts_are_held_against_half_of_what_the_median_hat_could_have(
    epsilon: str, informative: bool
) -> None:
    """No range holds for all of them: 20, 10 and 1 vehicles a day, of which one moves a number by 1 / 4."""
    presence = [
        (place, bus, day) for place, most in enumerate((40, 20, 2)) for bus in range(most) for day in (0, 1)
    ]
    table = one_record_each(presence, CELLS[:3], days=4)
    users = data_of(table, Unit.VEHICLE_HAT_DAY).users
    statistic = require_statistic("query2")
    query = Query(
        id="above",
        question=question_of(statistic, None, {"limits": [40.0]}),
        budget=Budget(per_hat=Decimal(epsilon)),
    )
    plan = plan_query(table, users, all_of(table), query, minimum_vehicles=1)
    assert error_of_a_constant(plan) == 5.0
    assert plan.errors.typical.median == pytest.approx(0.25 / float(epsilon))
    assert verdict_of(plan).informative is informative
    assert verdict_of(plan).example is None


def test_smoothing_counts_where_it_is_better_and_known() -> None:
    plan = planned("0.5")
    half = verdict_of(plan).half
    assert verdict_of(plan).smoothed_half is None
    for factor, told in ((0.5, 0.5 * half), (2.0, None)):
        errors = tuple(factor * half for _ in plan.plans)
        assert verdict_of(dataclasses.replace(plan, smoothed_errors=errors)).smoothed_half == told


def test_smoothed_numbers_may_tell_what_raw_ones_do_not() -> None:
    plan = planned("0.01")
    constant = plan.query.question.statistic.measures[0].constant_error(plan.upper_bound)
    assert constant is not None
    assert not verdict_of(plan).smoothed_informative, "nothing is smoothed"
    for factor, informative in ((0.9, True), (1.1, False)):
        errors = tuple(factor * constant for _ in plan.plans)
        verdict = verdict_of(dataclasses.replace(plan, smoothed_errors=errors))
        assert not verdict.informative
        assert verdict.smoothed_informative is informative
