"""Neighbours that differ in one record: noise by brute force and by the papers' counts."""

from __future__ import annotations

import dataclasses
import statistics
from decimal import Decimal

import numpy as np
import pytest

from core.contributions import HatData
from core.evaluate.compared_curves import all_series, series_of
from core.evaluate.evaluation import evaluate, exact_curve
from core.evaluate.event_level import event_level
from core.evaluate.replica import replica
from tests.strategies import hat_of

ONE = Decimal(1)
GAPS = HatData(
    counts=np.array([3, 2, 1]),
    starts=np.array([4, 0, 9]),
    values=np.array([50_000, 10_000, 0, 0, 20_000, 30_000, 65_000, 0, 0, 1_000], np.int32),
    upper_bound=65_000,
)
"""Users whose values do not lie one after the other."""


def test_each_record_is_a_user_in_the_order_of_the_users() -> None:
    records = event_level(GAPS)
    assert records.counts.tolist() == [1] * 6
    assert records.sums().tolist() == [20_000, 30_000, 65_000, 50_000, 10_000, 1_000]


@pytest.mark.parametrize("key", ["baseline", "array-averaging", "opt-array-averaging"])
def test_the_sensitivity_is_what_one_record_moves_by_brute_force(key: str) -> None:
    values = [20.0, 30.0, 65.0, 50.0, 10.0, 1.0]
    means = [
        [statistics.mean([*values[:place], other, *values[place + 1 :]]) for other in (0.0, 65.0)]
        for place in range(len(values))
    ]
    series = dataclasses.replace(series_of(key), event_level=True)
    (row,) = evaluate(GAPS, [series], [ONE], source="test", trials=5).rows
    assert row.sensitivity == pytest.approx(max(high - low for low, high in means), rel=1e-6)


def test_on_the_papers_counts_a_record_costs_m_star_times_less_than_a_vehicle() -> None:
    """U / M = 65 / 17,166 in place of U m* / M (P1 Sec. III-A)."""
    of_user = series_of("baseline")
    of_record = dataclasses.replace(of_user, event_level=True)
    hat = replica(0)
    assert exact_curve(hat, of_user, [ONE]) == pytest.approx([65 * 417 / 17_166], rel=1e-3)
    assert exact_curve(hat, of_record, [ONE]) == pytest.approx([65 / 17_166], rel=1e-3)


def test_every_mechanism_can_be_compared_and_says_which_rows_are_of_one_record() -> None:
    hat = hat_of([3, 2, 1], [20_000, 30_000, 65_000, 50_000, 10_000, 1_000])
    series = [dataclasses.replace(one, event_level=True) for one in all_series()]
    told = evaluate(hat, series, [ONE], source="test", trials=5, exact=False).to_json()["results"]
    assert {row["neighbours"] for row in told} == {"event"}
    assert {row["m_ub"] for row in told} == {1, None}
