"""What a plan of shares says before anything is drawn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.mechanisms.tokens import TOKENS
from core.shares.share_plan import SharePlan
from core.statistics.ranges import Ranges
from tests.count_tables import TOWN, pairs_of, plan_of
from tests.strategies import U

K = 1000
ONE = Ranges(((0, 10 * K),), U)
TILED = Ranges(((0, 10 * K), (10 * K, 30 * K), (30 * K, U)), U)


def planned(ranges: Ranges, noise: str, total: str = "10") -> SharePlan:
    return SharePlan(city=plan_of(pairs_of(TOWN), total, noise=noise, mode="exact"), ranges=ranges)


def test_scales_follow_from_tokens_and_distance() -> None:
    one, tiled = planned(ONE, "laplace"), planned(TILED, "laplace")
    assert_allclose(one.scale, TOKENS / 10 / one.city.totals)
    assert_allclose(tiled.drawn_scale, 2 * one.scale)
    assert_allclose(tiled.scale, tiled.drawn_scale * math.sqrt(2 / 3))
    gauss = planned(TILED, "gauss")
    assert_allclose(
        gauss.drawn_scale,
        math.sqrt(2) * TOKENS / math.sqrt(2 * float(gauss.city.spend)) / gauss.city.totals,
        rtol=1e-9,
    )
    assert gauss.lattice_error > 0 == tiled.lattice_error


def test_intervals_and_errors_shrink_with_the_total() -> None:
    for ranges, noise in ((ONE, "laplace"), (TILED, "laplace"), (TILED, "gauss")):
        little, much = planned(ranges, noise), planned(ranges, noise, "40")
        assert np.all(much.half_widths < little.half_widths)
        assert np.all(much.typical_error <= little.typical_error)
        assert np.all(little.typical_error <= 1)
        assert little.half_widths.shape == (4, len(ranges))


def test_exact_weights_lose_what_rounding_down_loses() -> None:
    assert planned(TILED, "laplace").bias_bound == pytest.approx(1e-4, rel=0.2)
