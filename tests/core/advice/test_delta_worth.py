"""core.advice.delta_worth: what a delta would make of the error is what a plan with that delta foretells."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from functools import partial

import numpy as np
import pytest

from core.accounting.budgets import Budget
from core.advice.accuracy_first import FoundBudget, budget_for_error
from core.advice.city_advice import CityAdvice, advise_city
from core.advice.delta_worth import (
    LEAST_GAIN,
    advise_with_delta,
    better_with_delta,
    totals_with_delta,
)
from core.advice.smoothed import with_expected_error
from core.advice.verdict import verdict_of
from core.city.noise_kind import NoiseKind
from core.contributions import EVALUATION_TIE_KEY, Contributions, users_of
from core.hats.window import Window
from core.planning.counted_city import CountedCity
from core.planning.query_plan import Query, QueryPlan
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.selection.base import SelectionRequest
from core.selection.registry import select
from core.statistics.question import question_of
from core.statistics.share import STATISTIC as SHARES
from tests.count_tables import contributions_of
from tests.queries import mean_query

MANY = np.random.default_rng(5).integers(0, 9, (12, 72))
"""Of vehicles and hexagon slots: each vehicle is in very many."""
FEW = MANY[:, :8]
HOURS = ("00:00", "24:00")
DELTA, NONE = Decimal("1e-6"), Decimal(0)
REQUEST = SelectionRequest(rule="hat", threshold=1)


def mean(total: str, **parameters: object) -> Query:
    return mean_query("tokens", budget=Budget(total=Decimal(total)), **parameters)


def shares(total: str) -> Query:
    asked = question_of(SHARES, None, {"ranges": ((0.0, 10.0),)})
    return Query(id="q", question=asked, budget=Budget(total=Decimal(total)))


def compare(counts: np.ndarray, query: Query) -> partial[CityAdvice]:
    table = contributions_of(counts, hours=HOURS)

    def tables(resolution: int, window: Window) -> Contributions:
        whole = window.slot_minutes >= table.window.slot_minutes
        return table if whole else dataclasses.replace(table, resolution=resolution, window=window)

    return partial(advise_city, tables, request=REQUEST, query=query, unit=Unit.VEHICLE, minimum_vehicles=2)


def advised(counts: np.ndarray, query: Query, *, delta: Decimal = NONE, given: bool = False) -> CityAdvice:
    window = contributions_of(counts, hours=HOURS).window
    return advise_with_delta(compare(counts, query), 7, window, delta=delta, given=given)


def planned(counts: np.ndarray, query: Query, delta: Decimal = NONE) -> QueryPlan:
    table = contributions_of(counts, hours=HOURS)
    users = users_of(table, Unit.VEHICLE, EVALUATION_TIE_KEY)
    plan = plan_query(
        CountedCity(table, users, select(table, REQUEST), minimum_vehicles=2, delta=delta), query
    )
    return with_expected_error(plan)


def bettered(counts: np.ndarray, query: Query) -> QueryPlan | None:
    table = contributions_of(counts, hours=HOURS)
    users = users_of(table, Unit.VEHICLE, EVALUATION_TIE_KEY)
    now = planned(counts, query)
    return better_with_delta(
        now, CountedCity(table, users, select(table, REQUEST), minimum_vehicles=2, delta=DELTA)
    )


ASKED = [mean("20"), mean("20", smooth=False), shares("20")]


@pytest.mark.parametrize("query", ASKED)
def test_what_is_promised_of_a_grid_is_what_is_foretold_with_that_delta(query: Query) -> None:
    found = advised(MANY, query)
    assert found.with_delta is not None
    now, then = found.with_delta
    assert (now.noise, then.noise) == (NoiseKind.LAPLACE, NoiseKind.GAUSS)
    assert now in found.options
    assert then.error <= (1.0 - LEAST_GAIN) * now.error
    again = advised(MANY, query, delta=DELTA)
    assert then in again.grids
    assert again.with_delta is None, "it is allowed already"
    assert found.reason.endswith("Allow it with ledger set-limit --delta 1e-6.")
    assert found.error_figure(then.error) in found.reason


@pytest.mark.parametrize(
    ("counts", "query", "given"),
    [
        (MANY, mean("20"), True),
        (MANY, mean("20", noise="laplace"), False),
        (FEW, mean("20"), False),
    ],
    ids=["a delta of 0 was asked for", "Laplace noise was asked for", "vehicles are in few hexagon slots"],
)
def test_where_a_delta_is_no_answer_nothing_is_said(counts: np.ndarray, query: Query, given: bool) -> None:
    found = advised(counts, query, given=given)
    assert found.with_delta is None
    assert found.to_json()["with_delta"] is None
    assert "delta" not in found.reason


@pytest.mark.parametrize("query", ASKED)
def test_what_is_promised_of_a_plan_is_what_is_foretold_with_that_delta(query: Query) -> None:
    promised, now, then = bettered(MANY, query), planned(MANY, query), planned(MANY, query, DELTA)
    assert promised is not None
    assert promised.query == query
    assert verdict_of(promised) == verdict_of(then)
    assert verdict_of(promised).error <= (1.0 - LEAST_GAIN) * verdict_of(now).error


@pytest.mark.parametrize(("counts", "query"), [(MANY, mean("20", noise="laplace")), (FEW, mean("20"))])
def test_no_plan_is_promised_where_it_gains_little(counts: np.ndarray, query: Query) -> None:
    assert bettered(counts, query) is None


def totals(
    counts: np.ndarray, query: Query, *, delta: Decimal = NONE, given: bool = False
) -> tuple[FoundBudget, FoundBudget | None]:
    table = contributions_of(counts, hours=HOURS)
    users = users_of(table, Unit.VEHICLE, EVALUATION_TIE_KEY)
    city = CountedCity(table, users, select(table, REQUEST), minimum_vehicles=2, delta=delta)
    return totals_with_delta(partial(budget_for_error, query=query, wanted=8.0), city, given=given)


@pytest.mark.parametrize("query", ASKED[:2])
def test_what_is_promised_of_a_total_is_what_is_enough_with_that_delta(query: Query) -> None:
    found, then = totals(MANY, query)
    assert then is not None
    assert float(then.budget.amount) <= (1.0 - LEAST_GAIN) * float(found.budget.amount)
    assert totals(MANY, query, delta=DELTA, given=True) == (then, None)


@pytest.mark.parametrize(
    ("counts", "query", "given"),
    [(MANY, mean("20"), True), (MANY, mean("20", noise="laplace"), False), (FEW, mean("20"), False)],
)
def test_no_total_is_promised_where_it_gains_little(counts: np.ndarray, query: Query, given: bool) -> None:
    assert totals(counts, query, given=given)[1] is None
