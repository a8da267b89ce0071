"""Simulated errors: a row says what the plan and the draws say."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.contributions import HatData
from core.evaluate.compared_curves import Series, all_series, series_of
from core.evaluate.simulated_errors import simulate
from core.evaluate.true_statistics import true_mean
from core.fixed_point import FINE
from core.grouping.assignment import array_means
from core.mechanisms.array_plan import ArrayPlan
from core.mechanisms.base import Plan

HAT = HatData(
    counts=np.array([4, 3, 3, 1]),
    starts=np.array([0, 4, 7, 10]),
    values=np.array([10_000, 12_000, 14_000, 9_000, *[30_000] * 3, *[20_000] * 3, 64_000], np.int32),
    upper_bound=65_000,
)
ONE = Decimal(1)


def planned(series: Series, epsilon: Decimal = ONE) -> Plan:
    return series.plan(HAT.public, epsilon, HAT.upper_bound)


def test_a_linear_mechanism_by_hand() -> None:
    series = series_of("baseline")
    row = simulate(series, planned(series), HAT, trials=4_000, seed=1)
    assert (row.mechanism, row.grouping, row.m_ub, row.arrays) == ("baseline", None, None, None)
    assert row.sensitivity == pytest.approx(65 * 4 / 11)
    assert row.noise_scale == pytest.approx(65 * 4 / 11)
    assert row.bias == pytest.approx(0.0, abs=1e-9)
    assert row.mae_exact is None
    assert row.trials == 4_000


def test_bias_is_the_estimate_without_the_final_noise() -> None:
    series = series_of("array-averaging", m_ub=3)
    plan = planned(series)
    assert isinstance(plan, ArrayPlan)
    row = simulate(series, plan, HAT, trials=10, seed=1)
    assert row.bias == pytest.approx(array_means(plan.assignment, HAT).mean() / FINE - true_mean(HAT))
    assert (row.m_ub, row.arrays) == (3, plan.arrays)


def test_where_an_interval_is_selected_scales_are_means() -> None:
    series = series_of("fixed-quantile")
    plan = planned(series)
    row = simulate(series, plan, HAT, trials=2_000, seed=1)
    assert 0.0 < row.sensitivity < plan.sensitivity_kmh
    assert row.noise_scale == pytest.approx(row.sensitivity / float(plan.noise_epsilon))


@pytest.mark.parametrize("series", all_series(), ids=lambda one: f"{one.mechanism.key}-{one.grouping}")
def test_the_same_seed_gives_the_same_row_and_trials_narrow_it(series: Series) -> None:
    plan = planned(series)
    one, two = (simulate(series, plan, HAT, trials=400, seed=7) for _ in range(2))
    other = simulate(series, plan, HAT, trials=40_000, seed=8)
    assert one == two
    assert one.mae != other.mae
    assert one.mae == pytest.approx(other.mae, abs=4 * one.standard_error)
    assert other.standard_error == pytest.approx(one.standard_error / 10, rel=0.5)
