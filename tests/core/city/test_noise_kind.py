"""Errors and half-widths of both kinds of noise, against sums over their densities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ndtr

from core.city.noise_kind import NoiseKind

EVERY_NOISE = pytest.mark.parametrize("noise", list(NoiseKind))
SIZES = [(1.0, 0.0), (1.0, 1.0), (3.0, 0.5), (0.2, 4.0)]
POINTS = np.linspace(-60, 60, 600_001)
"""In scales of the noise."""


def law(noise: NoiseKind) -> NDArray[np.float64]:
    """The probability of each of `POINTS`."""
    density = np.exp(-(POINTS**2) / 2) if noise is NoiseKind.GAUSS else np.exp(-np.abs(POINTS))
    return density / density.sum()


@EVERY_NOISE
@pytest.mark.parametrize(("scale", "bias"), SIZES)
def test_the_typical_error_is_the_expected_size_of_the_sum(
    noise: NoiseKind, scale: float, bias: float
) -> None:
    """E|z + N(0, b)| is known for each z: a folded normal law."""
    z = np.abs(scale * POINTS)
    folded = z
    if bias:
        folded = bias * math.sqrt(2 / math.pi) * np.exp(-((z / bias) ** 2) / 2) + z * (
            1 - 2 * ndtr(-z / bias)
        )
    (found,) = noise.typical_error(np.array([scale]), np.array([bias])).tolist()
    assert found == pytest.approx(law(noise) @ folded, rel=1e-3)


@EVERY_NOISE
@pytest.mark.parametrize(("scale", "bias"), SIZES)
def test_the_half_width_holds_95_percent(noise: NoiseKind, scale: float, bias: float) -> None:
    (found,) = noise.half_width(np.array([scale]), np.array([bias])).tolist()
    z = scale * POINTS
    inside = np.abs(z) <= found if bias == 0 else ndtr((found - z) / bias) - ndtr((-found - z) / bias)
    assert law(noise) @ inside == pytest.approx(0.95, abs=2e-4)


@EVERY_NOISE
def test_variance_and_mean_are_those_of_the_law(noise: NoiseKind) -> None:
    assert noise.variance(np.array([3.0])) == pytest.approx(9 * law(noise) @ POINTS**2, rel=1e-6)
    assert noise.mean_of_scale == pytest.approx(law(noise) @ np.abs(POINTS), rel=1e-6)
    assert noise.squared is (noise is NoiseKind.GAUSS)


def test_they_are_named_as_requests_name_them() -> None:
    assert [NoiseKind("laplace"), NoiseKind("gauss")] == list(NoiseKind)
