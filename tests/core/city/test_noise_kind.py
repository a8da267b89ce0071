"""Errors and half-widths of both kinds of noise, against integrals and draws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace, norm

from core.city.noise_kind import NoiseKind

EVERY_NOISE = pytest.mark.parametrize("noise", list(NoiseKind))
SIZES = [(1.0, 0.0), (1.0, 1.0), (3.0, 0.5), (0.2, 4.0)]


def law(noise: NoiseKind, scale: float) -> Any:
    return norm(scale=scale) if noise is NoiseKind.GAUSS else laplace(scale=scale)


def sum_cdf(noise: NoiseKind, scale: float, bias: float, x: float) -> float:
    """P(noise + N(0, bias) <= x), by an integral over the noise's density."""
    if bias == 0.0:
        return float(law(noise, scale).cdf(x))
    points = sorted({0.0, x})
    reach = 60 * max(scale, bias)
    return quad(
        lambda z: law(noise, scale).pdf(z) * norm.cdf((x - z) / bias), -reach, reach, points=points, limit=400
    )[0]


@EVERY_NOISE
@pytest.mark.parametrize(("scale", "bias"), SIZES)
def test_the_typical_error_is_the_expected_size_of_the_sum(
    noise: NoiseKind, scale: float, bias: float
) -> None:
    """E|X| = 2 times the integral of P(X > x), X being symmetric."""
    expected = (
        2
        * quad(
            lambda x: 1 - sum_cdf(noise, scale, bias, x), 0, 40 * max(scale, bias), limit=100, epsrel=1e-6
        )[0]
    )
    (found,) = noise.typical_error(np.array([scale]), np.array([bias])).tolist()
    assert found == pytest.approx(expected, rel=1e-3)


@EVERY_NOISE
@pytest.mark.parametrize(("scale", "bias"), SIZES)
def test_the_half_width_holds_95_percent(noise: NoiseKind, scale: float, bias: float) -> None:
    (found,) = noise.half_width(np.array([scale]), np.array([bias])).tolist()
    assert 2 * sum_cdf(noise, scale, bias, found) - 1 == pytest.approx(0.95, abs=2e-4)


@EVERY_NOISE
def test_variance_and_mean_are_those_of_the_law(noise: NoiseKind) -> None:
    one = law(noise, 3.0)
    assert noise.variance(np.array([3.0])) == pytest.approx(one.var())
    assert noise.mean_of_scale * 3.0 == pytest.approx(2 * quad(lambda x: x * one.pdf(x), 0, math.inf)[0])
    assert noise.squared is (noise is NoiseKind.GAUSS)


def test_they_are_named_as_requests_name_them() -> None:
    assert [NoiseKind("laplace"), NoiseKind("gauss")] == list(NoiseKind)
