"""Array means projected on an interval: exact sums, and what one user moves (method 6)."""

from __future__ import annotations

import itertools
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import HatData, HatUsers
from core.fixed_point import FINE
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_plan import ArrayPlan, plan_arrays
from core.mechanisms.projection import projected_sensitivity, projected_sums, release_projected
from tests.fakes import RecordingNoise, ScriptedNoise
from tests.strategies import U

means = st.lists(st.integers(0, 65 * FINE) | st.sampled_from((0, 65 * FINE)), min_size=1, max_size=20)
COUNTS = np.array([4, 4])


def plan_for(grouping: str = "bestfit", m_ub: int = 4) -> ArrayPlan:
    users = HatUsers(counts=COUNTS)
    return plan_arrays("any", users, Decimal(1), U, PlanCache(), grouping=grouping, m_ub=m_ub)


def trial(*numbers: int) -> Any:
    return np.array(numbers, np.int64) * FINE


@given(means=means, ends=st.lists(st.tuples(*[st.integers(0, 65 * FINE)] * 2), min_size=1, max_size=5))
def test_sums_are_those_of_a_literal_loop(means: list[int], ends: list[tuple[int, int]]) -> None:
    low, high = np.array([sorted(pair) for pair in [*ends, (means[0], means[0])]]).T
    literal = [sum(min(max(mean, int(a)), int(b)) for mean in means) for a, b in zip(low, high, strict=True)]
    assert projected_sums(np.array(means), low, high).tolist() == literal


def test_sums_of_a_million_arrays_stay_integers() -> None:
    many = np.full(1_000_000, 65 * FINE)
    assert projected_sums(many, trial(0), trial(65)).tolist() == [65 * FINE * 1_000_000]


@pytest.mark.parametrize(
    ("grouping", "width", "moved"),
    [("bestfit", 10, 10), ("bestfit", 65, 65), ("wraparound", 10, 20), ("wraparound", 32, 64)],
)
def test_one_user_moves_the_width_of_one_array_or_of_two(grouping: str, width: int, moved: int) -> None:
    found = projected_sensitivity(trial(0, 0), trial(width, 0), plan_for(grouping))
    assert found.tolist() == [moved * FINE, 0]


@pytest.mark.parametrize("width", [33, 65])
def test_two_arrays_move_by_no_more_than_u(width: int) -> None:
    """min{2 (b - a), U}, and one unit for each of two rounded means."""
    (found,) = projected_sensitivity(trial(0), trial(width), plan_for("wraparound")).tolist()
    assert found == 65 * FINE + 2


@given(st.lists(st.tuples(*[st.integers(0, 40)] * 2), min_size=2, max_size=2))
def test_projection_brings_no_two_means_further_apart(pairs: list[tuple[int, int]]) -> None:
    """What the bound U rests on."""
    for a, b in itertools.combinations(range(0, 41, 8), 2):
        before = sum(abs(one - other) for one, other in pairs)
        after = sum(abs(min(max(one, a), b) - min(max(other, a), b)) for one, other in pairs)
        assert after <= min(before, 2 * (b - a))


HAT = HatData(
    counts=COUNTS,
    starts=np.array([0, 4]),
    values=np.array([10_000] * 4 + [50_000] * 4, np.int32),
    upper_bound=U,
)


def test_a_worked_release() -> None:
    """Means 10 and 50 on [20, 40]: 30; noise covers (40 - 20) / 2."""
    plan = plan_for()
    noise = RecordingNoise()
    draw = release_projected(plan, HAT, trial(20), trial(40), noise)
    assert draw.estimates.tolist() == [30_000]
    assert draw.noise_scale.tolist() == [10.0]
    (final,) = noise.draws
    assert (final.centre, final.sensitivity, final.spend) == (60 * FINE, 20 * FINE, Decimal(1))
    shifted = release_projected(plan, HAT, trial(20), trial(40), ScriptedNoise(-90 * FINE))
    assert shifted.estimates.tolist() == [0]


def test_equal_ends_are_the_release_and_their_share_is_spent() -> None:
    """Whatever the noise: the data have no part in it."""
    noise = RecordingNoise()
    assert release_projected(plan_for(), HAT, trial(27), trial(27), noise).noise_scale.tolist() == [0.0]
    assert [one.spend for one in noise.draws] == [Decimal(1)]
    drawn = release_projected(plan_for(), HAT, trial(27), trial(27), ScriptedNoise(5 * FINE))
    assert drawn.estimates.tolist() == [27_000]
