"""Two private quantiles of the array means over a public grid (method 6, *Quantile*)."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import HatData
from core.fixed_point import FINE, fine_ceil
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_plan import ArrayPlan, plan_arrays
from core.mechanisms.fixed_quantile import MECHANISM
from core.mechanisms.quantile_interval import (
    MOST_CANDIDATES,
    QuantileParams,
    grid,
    rank_scores,
)
from tests.fakes import RecordingNoise, ScriptedNoise
from tests.strategies import U

SPEEDS = np.array([10, 20, 30, 40])
HAT = HatData(
    counts=np.ones(4, np.int64), starts=np.arange(4), values=SPEEDS.astype(np.int32) * 1000, upper_bound=U
)


def plan_for(epsilon: str, grouping: str = "bestfit") -> ArrayPlan:
    params = QuantileParams(grouping=grouping, m_ub=1)
    return MECHANISM.plan(HAT.public, Decimal(epsilon), U, params, PlanCache())


@pytest.mark.parametrize(
    ("upper_bound", "candidates"), [(U, 1301), (64_999, 1301), (100, 3), (101, 4), (50, 2), (1, 2)]
)
def test_the_grid_runs_from_0_to_u_in_steps_of_a_twentieth(upper_bound: int, candidates: int) -> None:
    found = grid(upper_bound)
    assert found.size == candidates
    assert (found[0], found[-1]) == (0, pytest.approx(upper_bound * FINE / 1000, abs=1))
    assert found[-1] <= fine_ceil(upper_bound)
    assert 1 <= np.diff(found).min() <= np.diff(found).max() <= 0.05 * FINE + 1


@given(
    means=st.lists(st.integers(0, 40), min_size=1, max_size=15),
    rank=st.integers(0, 150),
    times=st.sampled_from((1, 10)),
)
def test_scores_are_a_literal_count(means: list[int], rank: int, times: int) -> None:
    candidates = np.arange(0, 41, 3)
    literal = [-abs(times * sum(mean < x for mean in means) - rank) for x in candidates.tolist()]
    assert rank_scores(np.array(means), candidates, rank, times).tolist() == literal


def test_a_quarter_each_and_half_for_the_noise() -> None:
    plan = plan_for("0.000001")
    assert [share for _, share in plan.budget_shares] == [
        Decimal("0.00000025"),
        Decimal("0.00000025"),
        Decimal("0.0000005"),
    ]
    assert plan.bias_bound == 65.0
    plain = plan_arrays("any", HAT.public, Decimal(1), U, PlanCache(), grouping="bestfit", m_ub=1)
    assert plan.sensitivity == plain.sensitivity


@pytest.mark.parametrize("choices", [(300, 700), (700, 300)])
def test_two_results_are_sorted(choices: tuple[int, int]) -> None:
    """15 and 35 km/h: means 10, 20, 30, 40 become 15, 20, 30, 35."""
    plan = plan_for("2")
    draw = MECHANISM.run(plan, HAT, ScriptedNoise(0, choices=choices))
    assert draw.estimates.tolist() == [25_000]
    assert draw.noise_scale[0] == pytest.approx(20 / 4)


def test_equal_results_are_the_release() -> None:
    plan = plan_for("2")
    draw = MECHANISM.run(plan, HAT, ScriptedNoise(9 << 40, choices=(333, 333)))
    assert draw.estimates.tolist() == [16_650]
    assert draw.noise_scale.tolist() == [0.0]


@pytest.mark.parametrize(("grouping", "arrays_moved"), [("bestfit", 1), ("wraparound", 2)])
def test_each_selection_has_its_share_and_covers_the_arrays_a_user_moves(
    grouping: str, arrays_moved: int
) -> None:
    plan = plan_for("2", grouping)
    noise = RecordingNoise()
    MECHANISM.run(plan, HAT, noise)
    assert [(one.sensitivity, one.spend) for one in noise.selections] == [
        (10 * arrays_moved, Decimal("0.5"))
    ] * 2
    assert noise.draws[0].spend == Decimal(1)


@pytest.mark.parametrize("upper_bound", [1_000_000, 1_000_001, 2_400_000, 2_000_000_000])
def test_a_large_range_has_no_more_candidates_than_the_largest_speeds(upper_bound: int) -> None:
    candidates = grid(upper_bound)
    assert candidates.size <= MOST_CANDIDATES + 1
    assert (candidates[0], candidates[-1]) == (0, fine_ceil(upper_bound))
    assert (np.diff(candidates) > 0).all()
