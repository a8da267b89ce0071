"""Simulated noise has the law of the real thing, for many trials at once."""

from __future__ import annotations

import inspect
from decimal import Decimal

import numpy as np
import pytest
from scipy.stats import chisquare, dlaplace, kstest, laplace, norm

from core.noise.selection_law import selection_law
from core.noise.simulated import SimulatedNoise

TRIALS = 20_000


def test_laplace_noise_has_its_quantiles() -> None:
    drawn = SimulatedNoise(1, TRIALS).laplace(7 << 30, 65 << 30, spend=Decimal("0.5"))
    assert (drawn.shape, drawn.dtype) == ((TRIALS,), np.int64)
    assert kstest(drawn.astype(float), laplace(7 << 30, 130 << 30).cdf).pvalue > 1e-6


def test_each_trial_has_its_own_centre_and_sensitivity() -> None:
    centres = np.repeat([0, 1 << 50], TRIALS)
    sensitivities = np.repeat([1 << 20, 1 << 30], TRIALS)
    drawn = SimulatedNoise(2, 2 * TRIALS).laplace(centres, sensitivities, spend=Decimal(2))
    for part in (slice(None, TRIALS), slice(TRIALS, None)):
        scaled = (drawn[part] - centres[part]) / sensitivities[part] * 2.0
        assert kstest(scaled, laplace.cdf).pvalue > 1e-6


def test_selections_follow_the_law() -> None:
    scores = np.array([-4, 0, -1, -1, -9])
    drawn = SimulatedNoise(3, TRIALS).select(scores, 2, spend=Decimal(3))
    assert (drawn.shape, drawn.dtype) == ((TRIALS,), np.int64)
    law = selection_law(scores, 2, 3.0)
    assert chisquare(np.bincount(drawn, minlength=5), TRIALS * law).pvalue > 1e-6


def test_a_part_of_the_trials_can_be_drawn() -> None:
    noise = SimulatedNoise(4, TRIALS)
    assert noise.select(np.array([0, -1]), 1, spend=Decimal(1), size=17).shape == (17,)
    assert noise.select(np.array([0, -1]), 1, spend=Decimal(1), size=0).shape == (0,)


@pytest.mark.parametrize("epsilon", ["0.001", "100"])
def test_a_candidate_without_a_chance_is_never_drawn(epsilon: str) -> None:
    scores = np.array([0, -(10**9)])
    assert not SimulatedNoise(5, TRIALS).select(scores, 1, spend=Decimal(epsilon)).any()


def test_one_seed_is_one_sequence() -> None:
    first, again, other = (
        SimulatedNoise(seed, 50).laplace(0, 1 << 40, spend=Decimal(1)) for seed in (6, 6, 7)
    )
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()


@pytest.mark.parametrize("centre", [0, (1 << 62) - 1])
def test_enormous_noise_never_wraps_around(centre: int) -> None:
    drawn = SimulatedNoise(8, TRIALS).laplace(centre, (1 << 62) - 1, spend=Decimal("0.000001"))
    share = (drawn > centre).mean()
    assert 0.48 < share < 0.52


@pytest.mark.parametrize(("sensitivity", "epsilon"), [(1, "2"), (2, "1"), (3, "0.1")])
def test_a_vector_has_the_discrete_law_even_in_units_as_coarse_as_a_vehicle(
    sensitivity: int, epsilon: str
) -> None:
    centres = np.array([5, 0, 1_000])
    drawn = SimulatedNoise(9, TRIALS).laplace_vector(centres, sensitivity, spend=Decimal(epsilon))
    assert (drawn.shape, drawn.dtype) == ((TRIALS, 3), np.int64)
    law = dlaplace(float(epsilon) / sensitivity)
    steps = np.arange(-5, 6)
    for column in (drawn - centres).T:
        seen = np.array([(column == step).sum() for step in steps])
        expected = law.pmf(steps)
        observed = np.append(seen, TRIALS - seen.sum())
        assert chisquare(observed, TRIALS * np.append(expected, 1 - expected.sum())).pvalue > 1e-6


def test_the_numbers_of_a_vector_are_independent() -> None:
    drawn = SimulatedNoise(10, TRIALS).laplace_vector(np.zeros(2, np.int64), 1 << 30, spend=Decimal(1))
    assert abs(np.corrcoef(drawn.T)[0, 1]) < 5 / np.sqrt(TRIALS)


def test_an_enormous_vector_never_wraps_around() -> None:
    noise = SimulatedNoise(11, TRIALS)
    drawn = noise.laplace_vector(np.zeros(1, np.int64), (1 << 62) - 1, spend=Decimal("0.000001"))
    assert np.abs(drawn).max() <= 1 << 62


@pytest.mark.parametrize(("sensitivity", "rho"), [(10**3, "0.5"), (10**11, "0.02")])
def test_a_gaussian_vector_has_its_deviation(sensitivity: int, rho: str) -> None:
    centres = np.array([5, 0, 1 << 40])
    drawn = SimulatedNoise(12, TRIALS).gaussian_vector(centres, sensitivity, spend=Decimal(rho))
    assert (drawn.shape, drawn.dtype) == ((TRIALS, 3), np.int64)
    scaled = (drawn - centres) / sensitivity * np.sqrt(2 * float(rho))
    for column in scaled.T:
        assert kstest(column, norm.cdf).pvalue > 1e-6
    assert (np.abs(np.corrcoef(scaled.T) - np.eye(3)) < 5 / np.sqrt(TRIALS)).all()


def test_an_enormous_gaussian_vector_never_wraps_around() -> None:
    noise = SimulatedNoise(13, TRIALS)
    drawn = noise.gaussian_vector(np.zeros(1, np.int64), (1 << 62) - 1, spend=Decimal("1e-12"))
    assert np.abs(drawn).max() <= 1 << 62


def test_it_takes_no_reservation() -> None:
    assert list(inspect.signature(SimulatedNoise).parameters) == ["seed", "trials"]
