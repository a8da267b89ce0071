"""core.advice.accuracy_first: the smallest budget of two digits whose typical error is acceptable."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.accounting.budgets import OPTIMAL_DIVISION, Budget
from core.advice.accuracy_first import budget_for_error
from core.advice.smoothed import with_expected_error
from core.contributions import Contributions
from core.errors import InputError
from core.planning.city_accuracy import ErrorGoal
from core.planning.counted_city import CountedCity
from core.planning.query_plan import Query, query_errors
from core.planning.smallest_budget import AMOUNTS
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.progress import Cancelled
from core.statistics.base import Question
from core.statistics.registry import require_statistic
from tests.neighbours import all_of, data_of
from tests.queries import mean_query
from tests.strategies import CELLS, one_record_each

ONE = Decimal(1)
EPSILONS = [
    pytest.param(Budget(total=ONE), id="total"),
    pytest.param(Budget(total=ONE, divide=OPTIMAL_DIVISION), id="optimal"),
    pytest.param(Budget(per_hat=ONE), id="each"),
]


@pytest.fixture(scope="module")
def table() -> Contributions:
    """Three HATs with 20, 12 and 6 vehicles of one record on each of two days."""
    rows = [
        (hat, vehicle, day)
        for hat, most in enumerate((20, 12, 6))
        for vehicle in range(most)
        for day in (0, 1)
    ]
    return one_record_each(rows, CELLS[:3], days=2)


def median_error(table: Contributions, query: Query, budget: Budget) -> float:
    plan = plan_query(
        CountedCity(table, data_of(table, Unit.VEHICLE).users, all_of(table), minimum_vehicles=1),
        dataclasses.replace(query, budget=budget),
    )
    return query_errors(plan.plans).typical.median


def found(table: Contributions, query: Query, wanted: float) -> Budget:
    users = data_of(table, Unit.VEHICLE).users
    return budget_for_error(
        CountedCity(table, users, all_of(table), minimum_vehicles=1), query, wanted
    ).budget


def test_amounts_have_two_digits_and_rise() -> None:
    assert (AMOUNTS[0], AMOUNTS[-1]) == (Decimal("0.010"), 9_900)
    assert list(AMOUNTS) == sorted(set(AMOUNTS))
    assert {len(f"{amount:f}".replace(".", "").strip("0")) for amount in AMOUNTS} <= {1, 2}


@pytest.mark.parametrize("budget", EPSILONS)
@pytest.mark.parametrize("wanted", [0.5, 2.0, 7.5])
def test_it_is_the_smallest_that_is_enough(table: Contributions, budget: Budget, wanted: float) -> None:
    query = mean_query("array-averaging", budget=budget)
    best = found(table, query, wanted)
    assert best.division == budget.division
    amount = best.total or best.per_hat
    assert amount is not None
    assert median_error(table, query, best) <= wanted
    below = AMOUNTS[AMOUNTS.index(amount) - 1]
    less = Budget(per_hat=below) if budget.per_hat else Budget(total=below, divide=budget.divide)
    assert median_error(table, query, less) > wanted


@pytest.mark.parametrize("query", [mean_query("baseline", smooth=True), mean_query("tokens", zoom=True)])
def test_of_smoothed_numbers_it_is_the_smallest_that_is_enough_for_these(
    table: Contributions, query: Query
) -> None:
    """Hexagon slot by hexagon slot, and with two looks, as of every joint release."""
    users, delta = data_of(table, Unit.VEHICLE).users, Decimal("1e-6")
    city = CountedCity(table, users, all_of(table), minimum_vehicles=1, delta=delta)

    def missed(amount: Decimal) -> float:
        plan = plan_query(city, dataclasses.replace(query, budget=query.budget.of_amount(amount)))
        return float(np.median(with_expected_error(plan).smoothed_errors or ()))

    budget, better = budget_for_error(city, query, 4.0, smoothed=True)
    assert missed(budget.amount) <= 4.0 < missed(AMOUNTS[AMOUNTS.index(budget.amount) - 1])
    assert better is not None
    assert missed(better) <= 6.0
    raw = budget_for_error(city, query, 4.0)
    assert raw.budget.amount >= budget.amount > better
    assert raw.if_better is None


def test_of_noise_scales_it_is_the_largest(table: Contributions) -> None:
    statistic = require_statistic("query1")
    question = Question(statistic=statistic, params=statistic.Params())
    query = Query(id="q", question=question, budget=Budget(noise_scale=ONE))
    best = found(table, query, 0.75).noise_scale
    assert best is not None  # epsilons are rounded down, so that the noise is a little above B
    assert best in (Decimal("0.74"), Decimal("0.75"))
    assert median_error(table, query, Budget(noise_scale=best)) <= 0.75
    above = AMOUNTS[AMOUNTS.index(best) + 1]
    assert median_error(table, query, Budget(noise_scale=above)) > 0.75


def test_an_error_out_of_reach_is_refused(table: Contributions) -> None:
    with pytest.raises(InputError, match="No budget brings the typical error") as caught:
        found(table, mean_query("array-averaging"), 1e-9)
    assert caught.value.where == "query mean_speed"
    assert "accept a larger error" in caught.value.mend


@pytest.mark.parametrize(
    ("query", "says", "mend"),
    [
        (mean_query("array-averaging", noise="gauss"), "needs a delta", "--delta 1e-6"),
        (mean_query("tokens", noise="gauss", zoom=True), "needs a delta", "--delta 1e-6"),
        (mean_query("tokens", noise="gauss"), "needs a delta", "--delta 1e-6"),
        (mean_query("baseline", noise="gauss", budget=Budget(per_hat=ONE)), "needs a total", "total = "),
    ],
)
def test_what_no_budget_can_buy_is_said_in_place_of_the_error(
    table: Contributions, query: Query, says: str, mend: str
) -> None:
    """Gaussian noise without a delta, or without a total: no larger budget would help."""
    with pytest.raises(InputError, match=says) as caught:
        found(table, query, 2.0)
    assert mend in caught.value.mend


def test_it_can_be_stopped(table: Contributions) -> None:
    def stop(_: float, __: str) -> None:
        raise Cancelled

    users = data_of(table, Unit.VEHICLE).users
    with pytest.raises(Cancelled):
        budget_for_error(
            CountedCity(table, users, all_of(table), minimum_vehicles=1), mean_query(), 2.0, progress=stop
        )


@pytest.mark.parametrize("goal", list(ErrorGoal))
def test_tokens_get_the_total_whose_plan_is_exact_enough(table: Contributions, goal: ErrorGoal) -> None:
    query = mean_query("tokens", mode="exact", noise="laplace")
    users = data_of(table, Unit.VEHICLE).users
    found_budget = budget_for_error(
        CountedCity(table, users, all_of(table), minimum_vehicles=1), query, 3.0, goal=goal
    ).budget
    assert found_budget.total is not None
    below = AMOUNTS[AMOUNTS.index(found_budget.total) - 1]
    told = [
        plan_query(
            CountedCity(table, users, all_of(table), minimum_vehicles=1),
            dataclasses.replace(query, budget=Budget(total=total)),
        ).plans
        for total in (found_budget.total, below)
    ]
    enough, too_little = (goal.of(np.array([one.lead.typical_error for one in plans])) for plans in told)
    assert enough <= 3.0 < too_little


def test_with_a_delta_tokens_may_take_gaussian_noise(table: Contributions) -> None:
    users = data_of(table, Unit.VEHICLE).users

    def total(noise: str, delta: str, **more: object) -> Decimal:
        query = mean_query("tokens", mode="exact", noise=noise, **more)
        allowed = Decimal(delta)
        budget, _ = budget_for_error(
            CountedCity(table, users, all_of(table), minimum_vehicles=1, delta=allowed), query, 3.0
        )
        assert budget.total is not None
        return budget.total

    best = min(total("laplace", "1e-6"), total("gauss", "1e-6"))
    assert total("auto", "1e-6") == best
    assert total("gauss", "1e-6", zoom=True) > 0


@pytest.mark.parametrize(
    "query",
    [mean_query("tokens", regions=True), mean_query("tokens", budget=Budget(per_hat=ONE))],
    ids=["regions", "no total"],
)
def test_what_has_no_total_to_look_for_is_refused(table: Contributions, query: Query) -> None:
    with pytest.raises(InputError):
        found(table, query, 2.0)
