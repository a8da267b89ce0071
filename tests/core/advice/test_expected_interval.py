"""core.advice.expected_interval: what is said before of what a number may miss is what a draw then gives."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest

from core.accounting.budgets import Budget
from core.advice.expected_interval import useless_curves, usual_reach
from core.planning.counted_city import CountedCity
from core.planning.query_plan import PlannedHat, Query, QueryPlan
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.statistics.base import Question
from core.statistics.registry import require_statistic
from tests.draws import draw_query
from tests.fakes import RecordingNoise
from tests.neighbours import Data, all_of, data_of
from tests.queries import mean_query
from tests.strategies import CELLS, one_record_each


def planned(query: Query) -> tuple[QueryPlan, Data]:
    """One HAT of forty vehicles, all in the middle of the range."""
    table = one_record_each([(0, bus, 0) for bus in range(40)], CELLS[:1], days=1, value=32_000)
    data = data_of(table, Unit.VEHICLE)
    return plan_query(CountedCity(table, data.users, all_of(table), minimum_vehicles=1), query), data


def asked(key: str, epsilon: str, **params: object) -> Query:
    statistic = require_statistic(key)
    question = Question(statistic=statistic, params=statistic.Params(**params))
    return Query(id="asked", question=question, budget=Budget(per_hat=Decimal(epsilon)))


@pytest.mark.parametrize(
    "query",
    [
        mean_query("array-averaging", budget=Budget(per_hat=Decimal(1))),
        mean_query("tokens"),
        asked("query1", "1"),
        asked("mean_variance", "2"),
    ],
    ids=lambda query: query.question.key,
)
def test_the_interval_of_a_draw_is_as_wide_as_was_said(query: Query) -> None:
    plan, data = planned(query)
    first = draw_query(plan, data.users, data.pairs, RecordingNoise()).rows[-1][0]
    assert usual_reach(plan) == pytest.approx((first.high - first.low) / 2000, abs=0.002)


@pytest.mark.parametrize("mechanism", ["tokens", "array-averaging"])
def test_a_usual_interval_is_the_median_one_whoever_misses_the_median_error(mechanism: str) -> None:
    """Two numbers that miss alike may have intervals that differ by half: which of them is in the middle is
    chance.
    """
    rows = [(hat, bus, 0) for hat, buses in enumerate((40, 20, 10)) for bus in range(buses)]
    table = one_record_each(rows, CELLS[:3], days=1, value=32_000)
    users = data_of(table, Unit.VEHICLE).users
    query = mean_query(mechanism, budget=Budget(total=Decimal(50)))
    plan = plan_query(CountedCity(table, users, all_of(table), minimum_vehicles=1), query)
    reaches = [usual_reach(dataclasses.replace(plan, hats=(hat,))) for hat in plan.published]
    assert None not in reaches
    assert len({reach for reach in reaches if reach}) == 3
    for middle in range(3):
        errors = [3.0 if hat == middle else 1.0 + 4.0 * (hat == (middle + 1) % 3) for hat in range(3)]
        hats = tuple(_missing(hat, error) for hat, error in zip(plan.published, errors, strict=True))
        assert usual_reach(dataclasses.replace(plan, hats=hats)) == sorted(filter(None, reaches))[1]


def _missing(hat: PlannedHat, error: float) -> PlannedHat:
    assert hat.plan is not None
    lead = dataclasses.replace(hat.plan.lead, typical_error=error)
    return dataclasses.replace(hat, plan=dataclasses.replace(hat.plan, measures=(lead,)))


def test_nothing_misses_more_than_the_range_and_counts_tell_none_before() -> None:
    plan, _ = planned(mean_query("array-averaging", budget=Budget(per_hat=Decimal("0.001"))))
    assert usual_reach(plan) == 65
    assert usual_reach(planned(asked("query2", "1"))[0]) is None


@pytest.mark.parametrize(("epsilon", "useless"), [("0.1", True), ("100", False)])
def test_curves_are_judged_by_the_band_that_a_draw_gives_them(epsilon: str, useless: bool) -> None:
    plan, data = planned(asked("cdf", epsilon, bins=13))
    band = plan.expected_band
    assert band is not None
    assert bool(useless_curves(plan)) == useless
    assert usual_reach(plan) == band.width / 2
    drawn = draw_query(plan, data.users, data.pairs, RecordingNoise()).rows[-1]
    if not useless:  # all records lie below this edge: its interval reaches down from 1 alone
        assert (drawn[6].high - drawn[6].low) / 1e6 == pytest.approx(band.half[6], abs=2e-6)
