"""Gaussian noise of one HAT: rounded roots, deviations, one payment for a vector, and what is told of it."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest

from core.statistics.gaussian_noise import (
    COUNT_UNIT,
    RHO_OF_HATS,
    deviation_of,
    gaussian_facts,
    noisy_numbers,
    root_above,
)
from tests.fakes import RecordingNoise, secure_noise


@pytest.mark.parametrize("square", [1, 2, 3, 4, 5, 24, 25, 26, 10**40, 10**40 + 1])
def test_roots_are_rounded_up(square: int) -> None:
    root = root_above(square)
    assert root**2 >= square > (root - 1) ** 2


def test_a_deviation_is_the_sensitivity_over_the_root_of_twice_rho() -> None:
    assert deviation_of(3.0, Decimal("0.5")) == 3.0
    assert deviation_of(3.0, Decimal("0.02")) == pytest.approx(15.0)


def test_a_vector_is_paid_for_once() -> None:
    noise, exact = RecordingNoise(), np.array([3, 0, 5])
    assert noisy_numbers(noise, exact, 7, Decimal("0.25")).tolist() == [3, 0, 5]
    (asked,) = noise.gaussians
    assert (asked.sensitivity, asked.spend) == (7, Decimal("0.25"))
    source = secure_noise(Decimal(0), Decimal("0.25"))
    drawn = noisy_numbers(source, exact, 7 * COUNT_UNIT, Decimal("0.25"))
    assert drawn.shape == (3,)
    assert 0 < np.abs(drawn).max() < 100 * 7 * COUNT_UNIT * math.sqrt(2)
    with pytest.raises(AssertionError, match="reserved"):
        noisy_numbers(source, exact, 1, Decimal("1e-12"))


def test_the_least_and_the_most_rho_are_told_and_nothing_of_laplace_noise() -> None:
    rhos = [Decimal("0.3"), Decimal("0.1"), Decimal("0.2")]
    assert gaussian_facts(rhos) == {"noise": "gauss", RHO_OF_HATS: "0.1 to 0.3"}
    assert gaussian_facts(rhos[:1] * 2) == {"noise": "gauss", RHO_OF_HATS: "0.3"}
    assert gaussian_facts([Decimal(0)]) == {}
