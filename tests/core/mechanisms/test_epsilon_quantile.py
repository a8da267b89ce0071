"""eps-DependentQuantile: rank min(ceil(2 / eps), floor(Kbar / 2)) from both ends (P3 Sec. III-E.2)."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.contributions import HatData
from core.fixed_point import FINE
from core.grouping.plan_cache import PlanCache
from core.mechanisms.epsilon_quantile import MECHANISM
from core.mechanisms.quantile_interval import QuantileParams, grid
from tests.fakes import RecordingNoise
from tests.strategies import U


def run(users: int, epsilon: str, grouping: str = "bestfit") -> RecordingNoise:
    """Vehicles at 1, 2, .. km/h, one record each."""
    counts = np.ones(users, np.int64)
    hat = HatData(
        counts=counts,
        starts=np.arange(users),
        values=np.arange(1, users + 1, dtype=np.int32) * 1_000,
        upper_bound=U,
    )
    noise = RecordingNoise()
    params = QuantileParams(grouping=grouping)
    MECHANISM.run(MECHANISM.plan(hat.public, Decimal(epsilon), U, params, PlanCache()), hat, noise)
    return noise


@pytest.mark.parametrize(
    ("users", "epsilon", "rank"),
    [
        (20, "1", 2),
        (20, "0.5", 4),
        (20, "2", 1),
        (20, "100", 1),
        (20, "0.3", 7),
        (20, "0.7", 3),
        (20, "0.001", 10),
        (21, "0.001", 10),
        (1, "1", 0),
        (2, "1", 1),
    ],
)
def test_the_rank_from_both_ends(users: int, epsilon: str, rank: int) -> None:
    lower, upper = run(users, epsilon).selections
    assert lower.scores[0] == -rank
    assert lower.scores[-1] == rank - users
    assert upper.scores[0] == rank - users
    assert upper.scores[-1] == -rank
    assert lower.sensitivity == upper.sensitivity == 1


def test_the_highest_scores_are_just_beyond_the_ranks() -> None:
    """Rank 2 of 20: two means below 2.05 km/h, eighteen below 18.05."""
    noise = run(20, "1")
    assert grid(U)[noise.choices].tolist() == [round(2.05 * FINE), round(18.05 * FINE)]
    assert [one.spend for one in noise.requests] == [Decimal("0.25"), Decimal("0.25"), Decimal("0.5")]


def test_wraparound_covers_two_arrays() -> None:
    assert [one.sensitivity for one in run(20, "1", "wraparound").selections] == [2, 2]
