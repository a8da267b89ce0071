"""Levy: bins of width tau, a private median among them, noise of (b - a) / Kbar (method 6, P3 Alg. 3)."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import HatData, HatUsers
from core.fixed_point import FINE, fine_ceil
from core.grouping.plan_cache import PlanCache
from core.mechanisms.levy import MECHANISM, LevyParams, LevyPlan, bin_centres, median_costs, radius_of
from tests.fakes import RecordingNoise, ScriptedNoise
from tests.strategies import U

ARRAYS, M_UB = 10, 100


def hat_of(*speeds: int) -> HatData:
    """Vehicles of `M_UB` records each, all at one speed in km/h."""
    counts = np.full(len(speeds), M_UB)
    return HatData(
        counts=counts,
        starts=np.arange(len(speeds)) * M_UB,
        values=np.repeat(speeds, M_UB).astype(np.int32) * 1000,
        upper_bound=U,
    )


def plan_of(hat: HatData, grouping: str = "bestfit", epsilon: str = "1") -> LevyPlan:
    return MECHANISM.plan(hat.public, Decimal(epsilon), U, LevyParams(grouping=grouping), PlanCache())


HAT = hat_of(18, 19, 20, 20, 21, 21, 22, 23, 24, 60)


def test_tau_by_hand() -> None:
    """65 sqrt(log(2 x 10 / 0.2) / 200) = 65 sqrt(4.60517 / 200) = 9.86328."""
    assert radius_of(ARRAYS, M_UB, 0.2, 65.0) == pytest.approx(9.86328, abs=1e-5)
    assert plan_of(HAT).radius == radius_of(ARRAYS, M_UB, 0.2, 65.0)


def test_tau_falls_with_the_root_of_the_records() -> None:
    """Why Levy wins under sample scaling; ten times the records, the same arrays."""
    assert radius_of(164, 1040, 0.2, 65.0) == pytest.approx(radius_of(164, 104, 0.2, 65.0) / math.sqrt(10))


@pytest.mark.parametrize(("radius", "bins"), [(9.86325, 7), (65.0, 1), (130.0, 1), (32.5, 2), (32.4, 3)])
def test_there_are_u_over_tau_bins_rounded_up(radius: float, bins: int) -> None:
    centres = bin_centres(radius, 65.0)
    assert centres.tolist() == [(number + 0.5) * radius for number in range(bins)]


def literal_costs(means: list[float], centres: list[float]) -> list[int]:
    """P3 Alg. 3, line by line: every mean at its nearest midpoint, the lower one of two."""
    moved = [min(range(len(centres)), key=lambda i: (abs(mean - centres[i]), i)) for mean in means]
    return [max(sum(one < i for one in moved), sum(one > i for one in moved)) for i in range(len(centres))]


@given(means=st.lists(st.integers(0, 260).map(lambda quarter: quarter / 4), min_size=1, max_size=30))
def test_costs_are_those_of_the_printed_algorithm(means: list[float]) -> None:
    """Quarters are exact: ties between two midpoints included."""
    centres = bin_centres(10.0, 65.0)
    assert median_costs(np.array(means), centres).tolist() == literal_costs(means, centres.tolist())


def test_a_worked_run() -> None:
    """Bins of 9.863: seven means in the third bin, two in the second, one in the last."""
    plan, noise = plan_of(HAT), RecordingNoise()
    draw = MECHANISM.run(plan, HAT, noise)
    (asked,) = noise.selections
    assert asked.scores == (-10, -8, -2, -9, -9, -9, -9)
    assert (asked.sensitivity, asked.spend, asked.chosen) == (1, Decimal("0.5"), 2)
    low, high = 1.0 * plan.radius, 4.0 * plan.radius
    assert draw.estimates[0] == pytest.approx((188 + high) * 100, abs=1)
    (final,) = noise.draws
    assert final.spend == Decimal("0.5")
    assert final.sensitivity == pytest.approx((high - low) * FINE, abs=1)
    assert draw.noise_scale[0] == pytest.approx(2 * (high - low) / ARRAYS, rel=1e-9)


def test_steps_are_half_and_half_and_the_plan_holds_the_widest_interval() -> None:
    plan = plan_of(HAT, epsilon="0.3")
    assert plan.budget_shares == (("interval", Decimal("0.15")), ("noise", Decimal("0.15")))
    assert plan.sensitivity_kmh == pytest.approx(3 * plan.radius / ARRAYS, rel=1e-9)
    assert plan.noise_scale == pytest.approx(3 * plan.radius / ARRAYS / 0.15, rel=1e-9)


@pytest.mark.parametrize("chosen", range(7))
def test_the_interval_is_cut_to_0_and_u(chosen: int) -> None:
    noise = ScriptedNoise(0, choices=[chosen])
    plan = plan_of(HAT)
    scale = MECHANISM.run(plan, HAT, noise).noise_scale[0]
    low = max(0.0, (chosen - 1) * plan.radius)
    high = min(65.0, (chosen + 2) * plan.radius)
    assert scale == pytest.approx((high - low) / ARRAYS / 0.5, rel=1e-8)
    assert scale >= plan.radius / ARRAYS / 0.5, "an interval is at least one bin wide"


def test_wraparound_halves_the_exponent_and_doubles_the_width() -> None:
    plan, noise = plan_of(HAT, "wraparound"), RecordingNoise()
    MECHANISM.run(plan, HAT, noise)
    assert plan.arrays == ARRAYS
    assert noise.selections[0].sensitivity == 2
    assert noise.draws[0].sensitivity == pytest.approx(6 * plan.radius * FINE, abs=2)
    assert plan.sensitivity_kmh == pytest.approx(6 * plan.radius / ARRAYS, rel=1e-9)


def test_few_records_leave_one_bin_and_all_of_0_to_u() -> None:
    hat = HatData(counts=np.array([1]), starts=np.array([0]), values=np.array([U], np.int32), upper_bound=U)
    plan, noise = plan_of(hat), RecordingNoise()
    assert MECHANISM.run(plan, hat, noise).estimates.tolist() == [U]
    assert noise.selections[0].scores == (0,)
    assert noise.draws[0].sensitivity == fine_ceil(U)


def test_the_bias_bound_is_attained_where_the_last_bin_is_thin() -> None:
    """U = 3.001 tau: all values 0, the fourth midpoint selected, so that a = 2 tau, nearly U - tau."""
    counts = np.array([10])
    gamma = 2 / math.exp(20 / 3.001**2)
    plan = MECHANISM.plan(HatUsers(counts=counts), Decimal(1), U, LevyParams(gamma=gamma), PlanCache())
    assert plan.radius == pytest.approx(65 / 3.001)
    hat = HatData(counts=counts, starts=np.array([0]), values=np.zeros(10, np.int32), upper_bound=U)
    (estimate,) = MECHANISM.run(plan, hat, ScriptedNoise(0, choices=[3])).estimates
    assert plan.bias_bound - 0.03 < estimate / 1000 <= plan.bias_bound
