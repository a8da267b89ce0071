"""core.noise.single_trial: the shapes of real noise, the numbers of simulated noise."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from core.noise.simulated import SimulatedNoise
from core.noise.single_trial import SingleTrial

CENTRES = np.array([5, -7, 0], np.int64)
ONE = Decimal(1)


def test_vectors_lose_the_axis_of_trials() -> None:
    for name in ("laplace_vector", "gaussian_vector"):
        drawn = getattr(SingleTrial(3), name)(CENTRES, 10**6, spend=ONE)
        assert drawn.shape == CENTRES.shape
        assert drawn.tolist() == getattr(SimulatedNoise(3, 1), name)(CENTRES, 10**6, spend=ONE)[0].tolist()


def test_numbers_and_choices_keep_their_shape() -> None:
    assert SingleTrial(1).laplace(5, 10, spend=ONE).shape == (1,)
    assert SingleTrial(1).select(np.array([0, -5, -9]), 1, spend=ONE).shape == (1,)
    assert SingleTrial(1).select(np.array([0, -5, -9]), 1, spend=ONE, size=4).shape == (4,)


def test_each_draw_is_a_new_one() -> None:
    noise = SingleTrial(2)
    first, second = (noise.laplace_vector(CENTRES, 10**6, spend=ONE) for _ in range(2))
    assert first.tolist() != second.tolist()
