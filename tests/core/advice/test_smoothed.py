"""Smoothed numbers of a query: beside the raw ones, from what is published, nowhere without a plan for it."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.accounting.budgets import Budget
from core.advice.smoothed import (
    expected_error,
    is_smoothed,
    smooth_rows,
    smoothed_measure,
    with_expected_error,
)
from core.contributions import Contributions
from core.errors import InternalError
from core.planning.counted_city import CountedCity
from core.planning.query_plan import DrawnRows, QueryPlan
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.quantity import Quantity
from core.statistics.registry import require_statistic
from tests.count_tables import contributions_of
from tests.draws import draw_query
from tests.fakes import ScriptedResults
from tests.neighbours import all_of, data_of, with_new_values
from tests.queries import mean_query
from tests.strategies import U

COUNTS = np.random.default_rng(2).integers(0, 6, (12, 14))
COUNTS[np.arange(12), np.arange(12)] += 1
COUNTS[0] += 1
RNG = np.random.default_rng(3)


def city(values: list[int] | None = None) -> Contributions:
    return contributions_of(COUNTS, values or RNG.integers(0, U, COUNTS.sum()).tolist())


def planned(table: Contributions, mechanism: str = "tokens", minimum: int = 1, **params: object) -> QueryPlan:
    data = data_of(table, Unit.VEHICLE)
    query = mean_query(mechanism, budget=Budget(total=Decimal(40)), **params)
    return plan_query(
        CountedCity(table, data.users, all_of(table), minimum_vehicles=minimum, delta=Decimal("1e-6")), query
    )


def drawn(plan: QueryPlan, table: Contributions, noise: ScriptedResults) -> DrawnRows:
    data = data_of(table, Unit.VEHICLE)
    return draw_query(plan, data.users, data.pairs, noise)


@pytest.mark.parametrize("noise", ["laplace", "gauss"])
def test_each_published_row_gets_one_more_number_that_is_possible(noise: str) -> None:
    table = city()
    plan = planned(table, minimum=6, noise=noise)
    rows = drawn(plan, table, ScriptedResults([0.5, -0.5], [0.5]))
    smoothed = smooth_rows(plan, rows)
    assert len(smoothed.spreads) == 4
    assert all(spread > 0 for spread in smoothed.spreads)
    assert [bool(row) for row in smoothed.rows] == [hat.plan is not None for hat in plan.hats]
    assert not all(smoothed.rows), "some hexagon slots are suppressed"
    for row, raw in zip(smoothed.rows, rows.rows, strict=True):
        if row:
            *before, added = row
            assert tuple(before) == raw, "raw numbers stay as they are"
            assert added.measure == smoothed_measure(plan).name == "speed_smoothed_kmh"
            assert 0 <= added.low <= added.value <= added.high <= U


def test_it_follows_from_what_the_noise_gave_and_never_from_values() -> None:
    table = city()
    other = with_new_values(table, np.ones(table.hat.size, bool), [U] * table.values.size)
    noise, plan = ScriptedResults([0.3, -0.2], [0.5]), planned(table)
    here = smooth_rows(plan, drawn(plan, table, noise))
    there = smooth_rows(planned(other), drawn(planned(other), other, noise.again()))
    assert here == there


def test_it_is_done_where_it_is_asked_for_and_bias_is_known() -> None:
    table = city()
    assert is_smoothed(planned(table))
    assert not is_smoothed(planned(table, smooth=False))
    assert is_smoothed(planned(table, "baseline", smooth=True))
    assert not is_smoothed(planned(table, "baseline"))
    assert not is_smoothed(planned(table, "levy"))


def test_what_it_will_miss_is_told_beforehand_and_less_than_the_raw_number() -> None:
    table = city()
    plan = planned(table)
    found = expected_error(plan)
    raw = np.array([one.lead.typical_error for one in plan.plans])
    assert found.shape == raw.shape
    assert np.median(found) < np.median(raw)
    told = with_expected_error(plan)
    assert told.smoothed_errors == tuple(found.tolist())
    assert with_expected_error(told) is told
    without = planned(table, smooth=False)
    assert with_expected_error(without) is without


def test_a_value_that_is_no_speed_is_counted_from_its_lower_bound() -> None:
    table = city()
    plan = planned(table)
    question = plan.query.question
    delay = Quantity(name="delay", column_unit="s", unit="s", lower=-20_000)
    asked = dataclasses.replace(question, statistic=question.statistic.of(delay))
    moved = dataclasses.replace(plan, query=dataclasses.replace(plan.query, question=asked))
    noise = ScriptedResults([0.3, -0.2], [0.5])
    here = smooth_rows(plan, drawn(plan, table, noise))
    there = smooth_rows(moved, drawn(moved, table, noise.again()))
    for one, other in zip(here.rows, there.rows, strict=True):
        if one:
            assert other[-1].measure == "delay_smoothed_s"
            assert (other[-1].value, other[-1].low, other[-1].high) == (
                one[-1].value - 20_000,
                one[-1].low - 20_000,
                one[-1].high - 20_000,
            )


def test_a_statistic_that_has_no_smoothed_number_is_a_fault_of_the_program() -> None:
    plan = planned(city())
    statistic = require_statistic("query1")
    asked = dataclasses.replace(plan.query.question, statistic=statistic)
    with pytest.raises(InternalError, match="not smoothed"):
        smoothed_measure(dataclasses.replace(plan, query=dataclasses.replace(plan.query, question=asked)))
