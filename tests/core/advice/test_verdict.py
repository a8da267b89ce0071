"""core.advice.verdict: figures of the sentence, from the very errors of the plan."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest

from core.accounting.budgets import Budget
from core.advice.expected_interval import usual_reach
from core.advice.usefulness import Usefulness
from core.advice.verdict import least_useful, verdict_of, worst_first
from core.advice.verdict_sentences import reasons
from core.planning.counted_city import CountedCity
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
    return plan_query(CountedCity(table, users, all_of(table), minimum_vehicles=1), query)


@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "30"])
def test_errors_are_those_of_the_plan(epsilon: str) -> None:
    plan = planned(epsilon)
    verdict, errors = verdict_of(plan), query_errors(plan.plans).typical
    assert (verdict.error, verdict.raw_error, verdict.least_exact) == (
        errors.median,
        errors.median,
        errors.largest,
    )
    assert verdict.reach == usual_reach(plan)


@pytest.mark.parametrize(("epsilon", "word"), [("0.01", "no use"), ("2", "rough"), ("30", "good")])
def test_the_word_follows_the_error_of_the_median_number(epsilon: str, word: str) -> None:
    plan = planned(epsilon)
    verdict, constant = verdict_of(plan), error_of_a_constant(plan)
    assert constant is not None
    bounds = {"no use": (constant, 65), "rough": (2 / 7 * constant, constant), "good": (0, 2 / 7 * constant)}
    least, most = bounds[word]
    assert least < verdict.error <= most
    assert verdict.usefulness == word


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
    plan = plan_query(CountedCity(table, users, all_of(table), minimum_vehicles=1), query)
    assert error_of_a_constant(plan) == 5.0
    assert plan.errors.typical.median == pytest.approx(0.25 / float(epsilon))
    assert verdict_of(plan).informative is informative
    assert verdict_of(plan).example is None


def test_the_smoothed_number_is_judged_where_there_is_one() -> None:
    """Its reach is that of the law that smoothing gives, and never wider than the raw one's."""
    plan = planned("0.01")
    raw, constant = verdict_of(plan), error_of_a_constant(plan)
    assert constant is not None
    assert raw.reach is not None
    assert raw.usefulness is Usefulness.NO_USE
    for factor, word in ((0.2, "good"), (0.9, "rough"), (1.1, "no use")):
        errors = (factor * constant,) * len(plan.plans)
        verdict = verdict_of(dataclasses.replace(plan, smoothed_errors=errors))
        assert (verdict.usefulness, verdict.error) == (word, errors[0])
        assert verdict.raw_error == raw.error
        assert verdict.reach == min(raw.reach, 2.776 * errors[0])


def test_rows_without_a_number_make_it_no_use() -> None:
    """Of five hexagon slots one has vehicles enough."""
    rows = [(place, vehicle, 0) for place, most in enumerate((20, 2, 2, 2, 2)) for vehicle in range(most)]
    table = one_record_each(rows, CELLS[:5], days=1)
    query = mean_query("array-averaging", budget=Budget(per_hat=Decimal(30)))
    plan = plan_query(
        CountedCity(table, data_of(table, Unit.VEHICLE).users, all_of(table), minimum_vehicles=5), query
    )
    verdict = verdict_of(plan)
    assert (verdict.usefulness, verdict.empty) == (Usefulness.NO_USE, 1 - 1 / len(plan.hats))
    assert reasons(plan) == (f"{100 * verdict.empty:.0f} % of the rows are empty.",)


def test_the_least_useful_of_several_is_found() -> None:
    good, blind = planned("30"), planned("0.01")
    assert least_useful([good, blind, good]) is blind
    assert least_useful([]) is None


def test_of_one_verdict_the_larger_error_against_what_a_constant_misses_comes_first() -> None:
    exact, rough, blind = (planned(epsilon) for epsilon in ("30", "25", "0.01"))
    assert [verdict_of(one).usefulness for one in (exact, rough)] == [Usefulness.GOOD] * 2
    assert worst_first([exact, blind, rough]) == [blind, rough, exact]
