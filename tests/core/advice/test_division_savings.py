"""What the optimal division of a total saves: figures of a city worked out by hand, and laws."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from core.accounting.budgets import DIVISIONS, OPTIMAL_DIVISION, Budget
from core.advice.division_savings import DivisionSavings, divides_optimally, division_savings
from core.contributions import Contributions, UserTable, users_of
from core.errors import InputError
from core.planning.counted_city import CountedCity
from core.planning.query_plan import Query, QueryPlan
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.selection.base import Selection
from core.statistics.base import Question
from core.statistics.registry import require_statistic
from tests.core.planning.test_values_query import all_of, city
from tests.queries import mean_query
from tests.strategies import U, contributions

KEY = bytes(range(32))
KMH = U / 1000
EVERY_DIVISION = pytest.mark.parametrize("divide", DIVISIONS)


def asked(statistic: str, *, divide: str, **params: Any) -> Query:
    chosen = require_statistic(statistic)
    return Query(
        id=statistic,
        question=Question(statistic=chosen, params=chosen.Params(**params)),
        budget=Budget(total=Decimal(10), divide=divide),
    )


def inputs(contributed: Contributions, unit: Unit) -> tuple[Contributions, UserTable, Selection]:
    return contributed, users_of(contributed, unit, KEY), all_of(contributed)


def savings(contributed: Contributions, query: Query, unit: Unit = Unit.VEHICLE) -> DivisionSavings:
    return division_savings(
        planned(contributed, query, unit), CountedCity(*inputs(contributed, unit), minimum_vehicles=1)
    )


def planned(contributed: Contributions, query: Query, unit: Unit = Unit.VEHICLE) -> QueryPlan:
    return plan_query(CountedCity(*inputs(contributed, unit), minimum_vehicles=1), query)


@EVERY_DIVISION
def test_a_city_worked_out_by_hand(divide: str) -> None:
    """Two HATs of 1 and 4 vehicles: U and U/4 sensitive, vehicle 0 in both; a total of 10."""
    found = savings(city(1, 4), asked("query1", divide=divide))
    assert found.equal.worst == pytest.approx(KMH / 5, rel=1e-5)
    assert found.equal.mean == pytest.approx((KMH / 5 + KMH / 20) / 2, rel=1e-5)
    assert found.optimal.worst == pytest.approx(KMH * 1.25 / 10, rel=1e-5)
    assert found.optimal.mean == pytest.approx(KMH * 1.25 / 10, rel=1e-5)
    assert found.saved == pytest.approx(1 - 1.25 / 2, rel=1e-5)


@EVERY_DIVISION
def test_both_are_what_each_division_plans(divide: str) -> None:
    table = city(2, 3, 5)
    query = mean_query("baseline", budget=Budget(total=Decimal(3), divide=divide))
    found = savings(table, query)
    for way, noise in zip(DIVISIONS, (found.equal, found.optimal), strict=True):
        budget = dataclasses.replace(query.budget, divide=way)
        plans = planned(table, dataclasses.replace(query, budget=budget)).plans
        scales = [hat.lead.noise_scale for hat in plans]
        assert (noise.worst, noise.mean) == (max(scales), pytest.approx(np.mean(scales)))


@given(table=contributions())
def test_the_optimal_division_never_has_the_larger_worst_noise(table: Contributions) -> None:
    for unit in Unit:
        for statistic in ("query1", "query2"):
            found = savings(table, asked(statistic, divide=OPTIMAL_DIVISION), unit)
            assert found.saved > -1e-4
            assert found.optimal.worst == pytest.approx(found.optimal.mean, rel=1e-4)


def test_a_method_that_cannot_be_weighed_has_no_savings() -> None:
    with pytest.raises(InputError):
        savings(city(2, 3), mean_query("levy"))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (mean_query("baseline"), True),
        (mean_query("array-averaging", m_ub="median"), True),
        (mean_query("array-averaging", m_ub="optimal"), False),
        (mean_query("levy"), False),
        (asked("mean_variance", divide=OPTIMAL_DIVISION), True),
        (asked("mean_variance", divide=OPTIMAL_DIVISION, m_ub="optimal"), False),
        (asked("query1", divide=OPTIMAL_DIVISION), True),
        (asked("query2", divide=OPTIMAL_DIVISION, limits=(40.0, 999.999)), True),
        (asked("cdf", divide=OPTIMAL_DIVISION), True),
        (asked("cdf", divide=OPTIMAL_DIVISION, m_ub="optimal"), False),
    ],
)
def test_it_is_a_trait_of_method_and_parameters(query: Query, expected: bool) -> None:
    assert divides_optimally(query.question) is expected
