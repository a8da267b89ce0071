"""A plan of shares for all hexagon slots together: which noise, what rows say, what smoothing sees."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.accounting.budgets import Budget
from core.errors import InputError
from core.planning.counted_city import CountedCity
from core.planning.joint_shares import JointShares
from core.planning.query_plan import Query
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.statistics.question import question_of
from core.statistics.share import STATISTIC, ends_of
from tests.count_tables import TOWN, contributions_of
from tests.draws import draw_query
from tests.fakes import RecordingNoise
from tests.neighbours import all_of, data_of

DELTA = Decimal("1e-6")


def planned(delta: Decimal = DELTA, total: str | None = "20", **parameters: object) -> JointShares:
    table = contributions_of(TOWN)
    data = data_of(table, Unit.VEHICLE)
    budget = Budget(total=Decimal(total)) if total else Budget(per_hat=Decimal(1))
    query = Query(id="shares", question=question_of(STATISTIC, None, parameters), budget=budget)
    plan = plan_query(CountedCity(table, data.users, all_of(table), minimum_vehicles=1, delta=delta), query)
    assert isinstance(plan, JointShares)
    return plan


def test_the_noise_of_the_smaller_error_of_a_share_is_taken() -> None:
    both = {noise: planned(noise=noise, ranges=[[0, 10], [40, 65]]) for noise in ("laplace", "gauss")}
    errors = {noise: float(np.median(plan.shares.typical_error)) for noise, plan in both.items()}
    chosen = planned(ranges=[[0, 10], [40, 65]])
    assert chosen.city.noise.value == min(errors, key=errors.__getitem__)
    assert planned(delta=Decimal(0)).city.noise.value == "laplace"


def test_rows_have_a_share_of_each_range_and_figures_of_the_widest() -> None:
    plan = planned(ranges=[[0, 10], [40, 65]], mode="exact")
    data = data_of(contributions_of(TOWN), Unit.VEHICLE)
    rows = [row for row in draw_query(plan, data.users, data.pairs, RecordingNoise()).rows if row]
    assert len(rows) == plan.city.pairs.hats
    for row in rows:
        assert [ends_of(one.label) for one in row] == [(0, 10_000), (40_000, 65_000)]
        assert [one.value for one in row] == [0, 0]  # all records are at 20 km/h
        assert all(one.low <= one.value <= one.high for one in row)
    for hat in plan.published:
        column = plan.city.hat_index.tolist().index(hat.index)
        assert hat.plan.lead.typical_error == plan.shares.typical_error[column].max()
    assert_allclose(plan.half_widths, plan.shares.half_widths.max(axis=1))


def test_without_noise_everything_lies_in_the_range_of_the_records() -> None:
    data = data_of(contributions_of(TOWN), Unit.VEHICLE)
    for row in draw_query(planned(mode="exact"), data.users, data.pairs, RecordingNoise()).rows:
        if not row:
            continue
        shares = {ends_of(one.label): one.value for one in row}
        assert shares.pop((20_000, 30_000)) == pytest.approx(10**6, abs=10)
        assert all(one <= 10 for one in shares.values())


def test_smoothing_sees_each_range_and_what_lies_below_each_edge() -> None:
    plan = planned()
    ranges, below = plan.smoothing_facts(), plan.smoothing_facts(cumulated=True)
    assert (len(ranges), len(below)) == (7, 6)
    assert sum(one.expected_share for one in ranges) == pytest.approx(1)
    assert_allclose(
        np.cumsum([one.expected_share for one in ranges])[:-1], [one.expected_share for one in below]
    )
    assert_allclose(ranges[0].noise_variance, below[0].noise_variance)
    assert np.all(below[2].noise_variance > below[0].noise_variance)


def test_a_charge_is_that_of_the_mean_with_the_same_tokens() -> None:
    plan = planned(noise="laplace", mode="exact")
    assert plan.charge.per_vehicle <= 20
    assert plan.made_by["budget_pays_for"].startswith("one vector of 28 noisy sums, epsilon 20")


def test_percentiles_need_ranges_that_tile_and_shares_a_total() -> None:
    with pytest.raises(InputError, match="tile the bounds"):
        planned(ranges=[[0, 10]], percentiles=[50])
    with pytest.raises(InputError, match="total"):
        planned(total=None)
