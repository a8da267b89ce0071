"""Means for smoothing err around the truth, where released quotients lean to the middle."""

from __future__ import annotations

import numpy as np
import pytest

from core.bounding.unbiased_means import unbiased_means
from core.city.noise_kind import NoiseKind

U, SIZE = 65.0, 20_000
SCALES = (20.0, 1.0)


@pytest.mark.parametrize("noise", list(NoiseKind))
def test_they_do_not_lean_to_the_middle(noise: NoiseKind) -> None:
    """Of HATs that noise publishes, with weights of a few scales and means of 15 km/h."""
    rng = np.random.default_rng(3)
    drawn = rng.normal if noise.squared else rng.laplace
    weights = rng.lognormal(1.0, 0.6, SIZE)
    sums = weights * (15.0 - U / 2) + drawn(0.0, SCALES[0], SIZE)
    seen = weights + drawn(0.0, SCALES[1], SIZE)
    found = unbiased_means(noise, sums, seen, SCALES, U)
    some = (seen > 2.5) & (seen < 6.0)
    error = (found.value - 15.0)[some]
    assert np.average(error, weights=found.deviation[some] ** -2.0) == pytest.approx(0.0, abs=0.6)
    assert np.sqrt(np.mean((error / found.deviation[some]) ** 2)) == pytest.approx(1.0, abs=0.15)
    quotients = U / 2 + sums / np.maximum(seen, 2.0)
    assert (quotients - 15.0)[some].mean() > 1.0


def test_a_weight_of_nothing_tells_nothing() -> None:
    found = unbiased_means(NoiseKind.LAPLACE, np.array([50.0]), np.array([-30.0]), SCALES, U)
    assert np.isfinite(found.value).all()
    assert found.deviation[0] > 10 * U


def test_noise_that_is_small_leaves_the_quotient() -> None:
    found = unbiased_means(NoiseKind.GAUSS, np.array([-1e6]), np.array([1e5]), SCALES, U)
    assert found.value == pytest.approx([U / 2 - 10.0])
    # 15.9: how far means are expected from the middle
    assert found.deviation == pytest.approx([np.hypot(20.0, 15.9) / 1e5], rel=0.01)
