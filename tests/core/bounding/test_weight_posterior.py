"""What noisy weights are worth, on weights that are known."""

from __future__ import annotations

import numpy as np
import pytest

from core.arrays import Floats
from core.bounding.weight_posterior import weight_posterior
from core.city.noise_kind import NoiseKind

NOISES = pytest.mark.parametrize("noise", list(NoiseKind))
SCALE = 3.0


def noisy(noise: NoiseKind, weights: Floats, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    drawn = rng.normal if noise.squared else rng.laplace
    found: Floats = weights + drawn(0.0, SCALE, weights.size)
    return found


def mixed(size: int = 3000) -> Floats:
    rng = np.random.default_rng(1)
    return np.where(rng.random(size) < 0.4, 0.0, rng.lognormal(2.0, 0.7, size))


@NOISES
def test_they_err_around_the_truth_however_they_are_chosen(noise: NoiseKind) -> None:
    """Of weights that noise made large too: there the noisy ones are far too large."""
    weights = mixed()
    seen = noisy(noise, weights)
    found, _ = weight_posterior(noise, seen, SCALE)
    large = (seen > 2 * SCALE) & (seen < 4 * SCALE)
    assert found[large].mean() == pytest.approx(weights[large].mean(), rel=0.1)
    assert seen[large].mean() > 1.1 * weights[large].mean()


@NOISES
def test_the_deviation_is_that_of_the_errors(noise: NoiseKind) -> None:
    weights = mixed()
    found, deviation = weight_posterior(noise, noisy(noise, weights), SCALE)
    standard = (found - weights)[deviation > 0] / deviation[deviation > 0]
    assert np.sqrt(np.mean(standard**2)) == pytest.approx(1.0, abs=0.15)
    plain = np.sqrt(noise.variance(np.array([SCALE])))[0]
    assert np.mean((found - weights) ** 2) < plain**2


@NOISES
def test_ample_weights_stay_as_they_are(noise: NoiseKind) -> None:
    seen = np.array([50.0, 1e6]) * SCALE
    found, deviation = weight_posterior(noise, seen, SCALE)
    assert found.tolist() == seen.tolist()
    assert deviation == pytest.approx(np.sqrt(noise.variance(np.full(2, SCALE))))


@NOISES
def test_nothing_but_noise_is_next_to_nothing(noise: NoiseKind) -> None:
    found, _ = weight_posterior(noise, noisy(noise, np.zeros(2000)), SCALE)
    assert (found >= 0.0).all()
    assert found.mean() < 0.1 * SCALE
    far = weight_posterior(noise, np.array([-1e6, -400.0]) * SCALE, SCALE)
    assert np.isfinite(far).all()


def test_many_are_fitted_by_some_of_them() -> None:
    weights = np.tile(mixed(), 8)
    seen = noisy(NoiseKind.LAPLACE, weights)
    found, _ = weight_posterior(NoiseKind.LAPLACE, seen, SCALE)
    fewer, _ = weight_posterior(NoiseKind.LAPLACE, seen[:3000], SCALE)
    assert found[:3000] == pytest.approx(fewer, abs=SCALE)
