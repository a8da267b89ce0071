"""core.planning.expected_interval: what is said of intervals before is what a draw then gives."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.accounting.budgets import Budget
from core.planning.expected_interval import expected_band, interval_width, useless_curves
from core.planning.query_plan import Query, QueryPlan, draw_query, plan_query
from core.privacy import Unit
from core.statistics.base import Question
from core.statistics.registry import require_statistic
from tests.fakes import RecordingNoise
from tests.neighbours import Data, all_of, data_of
from tests.queries import mean_query
from tests.strategies import CELLS, one_record_each


def planned(query: Query) -> tuple[QueryPlan, Data]:
    """One HAT of forty vehicles, all in the middle of the range."""
    table = one_record_each([(0, bus, 0) for bus in range(40)], CELLS[:1], days=1, value=32_000)
    data = data_of(table, Unit.VEHICLE)
    return plan_query(table, data.users, all_of(table), query, minimum_vehicles=1), data


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
    assert interval_width(plan) == pytest.approx((first.high - first.low) / 1000, abs=0.003)


def test_one_odd_interval_among_equal_errors_is_not_called_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two plans that differed in who came first told 11 and 19 km/h, while half of the intervals had 15."""
    reports = [(hat, bus, 0) for hat in range(5) for bus in range(40)]
    table = one_record_each(reports, CELLS[:5], days=1, value=32_000)
    query = mean_query("array-averaging", budget=Budget(per_hat=Decimal(1)))
    plan = plan_query(table, data_of(table, Unit.VEHICLE).users, all_of(table), query, minimum_vehicles=1)
    assert len({one.lead.typical_error for one in plan.plans}) == 1
    halves = iter([9.0, 2.0, 3.0, 1.0, 4.0])
    monkeypatch.setattr(type(query.question.statistic), "half_width", lambda *_: next(halves))
    assert interval_width(plan) == 6.0


def test_no_interval_is_wider_than_the_range_and_counts_tell_none_before() -> None:
    plan, _ = planned(mean_query("array-averaging", budget=Budget(per_hat=Decimal("0.001"))))
    assert interval_width(plan) == 65
    assert interval_width(planned(asked("query2", "1"))[0]) is None


@pytest.mark.parametrize(("epsilon", "useless"), [("0.1", True), ("100", False)])
def test_curves_are_judged_by_the_band_that_a_draw_gives_them(epsilon: str, useless: bool) -> None:
    plan, data = planned(asked("cdf", epsilon, bins=13))
    band = expected_band(plan)
    assert band is not None
    assert bool(useless_curves(plan)) == useless
    assert interval_width(plan) == band.width
    drawn = draw_query(plan, data.users, data.pairs, RecordingNoise()).rows[-1]
    if not useless:  # all records lie below this edge: its interval reaches down from 1 alone
        assert (drawn[6].high - drawn[6].low) / 1e6 == pytest.approx(band.half[6], abs=2e-6)
