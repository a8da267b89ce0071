"""Percentiles beside drawn shares: measures, labels, and what says nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.planning.share_percentiles import cumulated_scales, percentile_estimates, smoothed_percentiles
from core.quantity import Quantity
from core.shares.mean_of_shares import mean_half_widths
from core.shares.share_plan import SharePlan
from core.statistics.question import question_of
from core.statistics.ranges import Ranges
from core.statistics.share import STATISTIC
from tests.count_tables import TOWN, pairs_of, plan_of
from tests.strategies import U

K = 1000
TILED = Ranges(((0, 10 * K), (10 * K, 30 * K), (30 * K, U)), U)
QUESTION = question_of(STATISTIC, None, {"percentiles": [15, 50]})


def planned(total: str) -> SharePlan:
    city = plan_of(pairs_of(TOWN), total, noise="laplace", mode="exact")
    return SharePlan(city=city, ranges=TILED)


def test_what_is_not_asked_for_is_not_there() -> None:
    plan = planned("10")
    assert percentile_estimates(plan, question_of(STATISTIC, None, {}), np.zeros((4, 3))) == [()] * 4


def test_exact_shares_give_exact_percentiles_in_thousandths() -> None:
    drawn = np.tile([0.3, 0.4, 0.3], (4, 1))
    for row in percentile_estimates(planned("100000"), QUESTION, drawn):
        assert [(one.measure, one.label, one.value) for one in row] == [
            ("speed_kmh", 15_000, 5_000),
            ("speed_kmh", 50_000, 20_000),
        ]
        assert [(one.low, one.high, one.informative) for one in row] == [
            (0, 10_000, True),
            (10_000, 30_000, True),
        ]


def test_an_interval_of_nearly_the_whole_range_says_nothing() -> None:
    for row in percentile_estimates(planned("0.1"), QUESTION, np.tile([0.3, 0.4, 0.3], (4, 1))):
        assert [(one.low, one.high, one.informative) for one in row] == [(0, U, False)] * 2


@pytest.mark.parametrize(("total", "informative"), [("1000", True), ("0.1", False)])
def test_a_mean_follows_where_the_first_range_holds_who_stands(total: str, informative: bool) -> None:
    standing = Ranges(((0, K), (K, 30 * K), (30 * K, U)), U)
    plan = SharePlan(city=planned(total).city, ranges=standing)
    drawn = np.tile([0.5, 0.5, 0.0], (4, 1))
    for row, half in zip(percentile_estimates(plan, QUESTION, drawn), mean_half_widths(plan), strict=True):
        *others, mean = row
        assert [one.label for one in others] == [15_000, 50_000]
        assert (mean.label, mean.value, mean.measure) == (100_000, 7_750, "speed_kmh")
        assert mean.informative is informative
        reach = math.ceil(half + 0.5)
        assert (mean.low, mean.high) == (
            (max(0, 7_750 - reach), min(U, 7_750 + reach)) if informative else (0, U)
        )


def test_a_mean_is_cut_to_the_bounds_and_counted_from_the_lower_one() -> None:
    standing = Ranges(((0, K), (K, U)), U)
    delay = Quantity(name="delay", column_unit="s", unit="s", lower=-20 * K)
    question = question_of(STATISTIC.of(delay), None, {"percentiles": [50]})
    plan = SharePlan(city=planned("1000").city, ranges=standing)
    for row in percentile_estimates(plan, question, np.tile([1.2, -0.2], (4, 1))):
        assert (row[-1].measure, row[-1].value, row[-1].low) == ("delay_s", -20 * K, -20 * K)


def test_noise_of_a_sum_is_largest_in_the_middle() -> None:
    plan = planned("10")
    assert_allclose(cumulated_scales(plan), np.outer(plan.drawn_scale, np.sqrt([2 / 3, 2 / 3])))


def test_smoothed_ones_have_a_measure_of_their_own_and_always_stand() -> None:
    curves = np.tile([0.3, 0.7], (4, 1))
    for row in smoothed_percentiles(planned("0.1").ranges, QUESTION, curves, curves - 0.3, curves + 0.3):
        assert [(one.measure, one.value) for one in row] == [
            ("speed_smoothed_kmh", 5_000),
            ("speed_smoothed_kmh", 20_000),
        ]
        assert all(one.informative for one in row)
