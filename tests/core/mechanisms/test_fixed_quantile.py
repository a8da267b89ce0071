"""FixedQuantile: private 1/10 and 9/10 quantiles of the array means (P3 Sec. III-E.1)."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.contributions import HatData
from core.fixed_point import FINE
from core.grouping.plan_cache import PlanCache
from core.mechanisms.fixed_quantile import MECHANISM
from core.mechanisms.quantile_interval import QuantileParams, grid
from tests.fakes import RecordingNoise
from tests.strategies import U

HAT = HatData(
    counts=np.ones(20, np.int64),
    starts=np.arange(20),
    values=np.arange(1, 21, dtype=np.int32) * 3_000,
    upper_bound=U,
)
"""Twenty vehicles at 3, 6, .. 60 km/h."""


def test_a_worked_run() -> None:
    """Two means below the first candidate after 6 km/h, eighteen below the first after 54."""
    plan = MECHANISM.plan(HAT.public, Decimal(1), U, QuantileParams(), PlanCache())
    noise = RecordingNoise()
    draw = MECHANISM.run(plan, HAT, noise)
    lower, upper = noise.selections
    assert grid(U)[[lower.chosen, upper.chosen]].tolist() == [round(6.05 * FINE), round(54.05 * FINE)]
    assert max(lower.scores) == max(upper.scores) == 0
    assert (lower.scores[0], lower.scores[-1]) == (-20, -180)
    assert (upper.scores[0], upper.scores[-1]) == (-180, -20)
    assert noise.draws[0].sensitivity == pytest.approx(48 * FINE, abs=2)
    assert draw.estimates[0] == pytest.approx(
        (2 * 6_050 + sum(range(9, 55, 3)) * 1_000 + 2 * 54_050) / 20, abs=1
    )
    assert draw.noise_scale[0] == pytest.approx(2 * 48 / 20, rel=1e-6)


def test_scores_are_whole_for_any_number_of_arrays() -> None:
    """-|10 #(means < x) - Kbar|: a tenth of seven arrays is no integer, ten times it is."""
    counts = np.ones(7, np.int64)
    hat = HatData(counts=counts, starts=np.arange(7), values=np.full(7, 9_000, np.int32), upper_bound=U)
    plan = MECHANISM.plan(hat.public, Decimal(1), U, QuantileParams(), PlanCache())
    noise = RecordingNoise()
    MECHANISM.run(plan, hat, noise)
    assert [sorted(set(one.scores)) for one in noise.selections] == [[-63, -7]] * 2
    assert [one.sensitivity for one in noise.selections] == [10, 10]
