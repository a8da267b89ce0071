"""core.advice.plan_difference: errors subtracted where both plans publish, and who publishes alone."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

from core.accounting.budgets import Budget
from core.advice.plan_difference import comparable, plan_differences
from core.contributions import Contributions
from core.hats.cells import cell_text
from core.planning.counted_city import CountedCity
from core.planning.query_plan import QueryPlan
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.statistics.question import question_of
from core.statistics.registry import require_statistic
from tests.neighbours import all_of, data_of
from tests.queries import mean_query
from tests.strategies import CELLS, one_record_each


def city() -> Contributions:
    rows = [(place, vehicle, 0) for place, vehicles in enumerate((9, 4, 2)) for vehicle in range(vehicles)]
    return one_record_each(rows, CELLS[:3], days=1)


def planned(epsilon: str, *, least: int, statistic: str = "mean") -> QueryPlan:
    query = mean_query("array-averaging", budget=Budget(per_hat=Decimal(epsilon)))
    if statistic != "mean":
        query = dataclasses.replace(query, question=question_of(require_statistic(statistic), None, {}))
    table = city()
    return plan_query(
        CountedCity(table, data_of(table, Unit.VEHICLE).users, all_of(table), minimum_vehicles=least), query
    )


def test_the_gain_is_what_the_second_misses_less() -> None:
    first, second = planned("1", least=2), planned("2", least=2)
    errors = [hat.plan.lead.typical_error for hat in first.published if hat.plan]
    finer = [hat.plan.lead.typical_error for hat in second.published if hat.plan]
    told = plan_differences(first, second)
    assert [one.gain for one in told] == [a - b for a, b in zip(errors, finer, strict=True)]
    assert all(one.gain is not None and one.gain > 0 for one in told)
    assert {one.cell for one in told} == {cell_text(cell) for cell in city().cell.tolist()}


def test_a_hat_of_one_plan_alone_has_no_gain() -> None:
    told = plan_differences(planned("1", least=4), planned("1", least=2))
    assert [(one.first is None, one.second is None) for one in told] == [(False, False)] * 2 + [(True, False)]
    assert told[-1].gain is None
    back = plan_differences(planned("1", least=2), planned("1", least=4))
    assert (back[-1].first is None, back[-1].second is None) == (False, True)


def test_a_plan_and_itself_differ_nowhere() -> None:
    plan = planned("1", least=1)
    assert {one.gain for one in plan_differences(plan, plan)} == {0.0}


def test_errors_of_different_measures_are_not_subtracted() -> None:
    mean, share = planned("1", least=2), planned("1", least=2, statistic="query2")
    assert comparable(mean, mean)
    assert not comparable(mean, share)
