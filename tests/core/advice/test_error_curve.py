"""core.advice.error_curve: what each amount of the budget brings, by public facts alone."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest
from h3.api import basic_int

from core.accounting.budgets import Budget
from core.advice.error_curve import (
    ErrorCurve,
    amounts_around,
    error_curve,
    points_by_constants,
    points_by_counts,
)
from core.advice.smoothed import with_expected_error
from core.advice.usefulness import Usefulness
from core.advice.user_forecast import informed_by
from core.advice.verdict import verdict_of
from core.bounding.candidates import candidate_hats
from core.errors import InputError
from core.planning.counted_city import CountedCity
from core.planning.query_plan import Query, QueryPlan
from core.planning.user_query import plan_user_query
from core.planning.values_query import plan_query
from core.prior.public_prior import PublicPrior
from core.privacy import Unit
from tests.bounding import constants_of
from tests.forecasts import choices_of
from tests.neighbours import all_of, data_of
from tests.queries import mean_query
from tests.strategies import CELLS, one_record_each

TABLE = one_record_each(
    [
        (hat, vehicle, day)
        for hat, most in enumerate((40, 24, 12))
        for vehicle in range(most)
        for day in (0, 1)
    ],
    CELLS[:3],
    days=2,
)
USERS = data_of(TABLE, Unit.VEHICLE).users
NO_DELTA = Decimal(0)


def planned(query: Query) -> QueryPlan:
    return with_expected_error(
        plan_query(CountedCity(TABLE, USERS, all_of(TABLE), minimum_vehicles=1), query)
    )


def curve_of(query: Query) -> ErrorCurve:
    plan = planned(query)
    points = points_by_counts(
        plan, CountedCity(TABLE, USERS, all_of(TABLE), minimum_vehicles=1, delta=NO_DELTA)
    )
    return error_curve(plan, points)


@pytest.mark.parametrize("mechanism", ["tokens", "baseline"])
def test_every_point_is_what_a_plan_of_that_amount_says(mechanism: str) -> None:
    query = mean_query(mechanism, budget=Budget(total=Decimal(7)))
    curve = curve_of(query)
    assert [float(one.amount) for one in curve.points] == [0.1, 0.2, 0.5, 1, 2, 5, 7, 10, 20, 50, 100]
    assert curve.points[curve.chosen].amount == 7
    for point in curve.points:
        verdict = verdict_of(planned(dataclasses.replace(query, budget=Budget(total=point.amount))))
        assert point.error == pytest.approx(verdict.error, rel=0.03)
        assert point.usefulness is verdict.usefulness
    errors = [one.error for one in curve.points]
    assert errors == sorted(errors, reverse=True)
    assert {one.usefulness for one in curve.points} == set(Usefulness)
    assert (curve.good, curve.constant) == (2.0, 7.0)


def test_of_a_city_that_is_solved_whole_every_point_is_what_a_plan_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A sample of 16 said 2.9 where Decide said 2.5 once that total was taken."""
    rows = [(hat, vehicle, 0) for hat in range(40) for vehicle in range(2 + hat % 7)]
    table = one_record_each(rows, sorted(basic_int.grid_disk(CELLS[0], 4))[:40], days=1)
    city = CountedCity(table, data_of(table, Unit.VEHICLE).users, all_of(table), minimum_vehicles=1)
    query = mean_query("tokens", budget=Budget(total=Decimal(7)))
    plan = with_expected_error(plan_query(city, query))
    curve = error_curve(plan, points_by_counts(plan, city))
    for point in curve.points:
        again = dataclasses.replace(query, budget=Budget(total=point.amount))
        own = verdict_of(with_expected_error(plan_query(city, again)))
        assert point.error == pytest.approx(own.error, rel=1e-5), point.amount
    assert curve.sampled == 0
    monkeypatch.setattr("core.advice.error_curve.SOLVED_WHOLE", 30)
    assert error_curve(plan).sampled == 16


def test_the_plan_s_own_point_stands_in_place_of_an_estimate_and_alone_before_there_are_any() -> None:
    query = mean_query("tokens", budget=Budget(total=Decimal(10)))
    plan = planned(query)
    alone, curve = error_curve(plan), curve_of(query)
    assert len(alone.points) == 1
    assert curve.points[curve.chosen].error == alone.points[0].error == verdict_of(plan).error


def test_a_curve_reaches_as_far_as_the_amount_that_is_chosen() -> None:
    assert amounts_around(Decimal("0.03"))[0] == Decimal("0.05")
    assert amounts_around(Decimal(700))[-1] == 500


def test_by_constants_alone_public_counts_say_how_busy_hats_are() -> None:
    constants = constants_of(days_per_vehicle=1)
    plan = plan_user_query(mean_query("bounded-mean"), constants, 5, NO_DELTA)
    busy = PublicPrior(fleet=900, vehicles=300)
    informed = informed_by(plan, busy.counts(candidate_hats(constants), None), constants)
    for prior, same in ((PublicPrior(), plan), (busy, informed)):
        found = points_by_constants(plan, choices_of(constants, prior=prior))
        assert {one.amount: one.error for one in found}[Decimal(10)] == verdict_of(same).error


def test_regions_are_as_exact_as_is_promised_whatever_the_total() -> None:
    query = mean_query("tokens", regions=True)
    plan = dataclasses.replace(planned(mean_query("tokens")), query=query)
    with pytest.raises(InputError, match="whatever the total"):
        points_by_counts(plan, CountedCity(TABLE, USERS, all_of(TABLE), minimum_vehicles=1, delta=NO_DELTA))
