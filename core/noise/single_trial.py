"""Simulated noise with the shapes of a release's: a number for a number, a vector for a vector.

What a later draw is made of may follow from an earlier one, so that many releases cannot be drawn together.
"""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.noise.simulated import SimulatedNoise


class SingleTrial:
    """Satisfies `core.noise.source.NoiseSource` with one trial, whose axis is left out of vectors."""

    def __init__(self, seed: int) -> None:
        self._noise = SimulatedNoise(seed, 1)

    def laplace(
        self, centre: int | NDArray[np.int64], sensitivity: int | NDArray[np.int64], *, spend: Decimal
    ) -> NDArray[np.int64]:
        """Shape (1,)."""
        return self._noise.laplace(centre, sensitivity, spend=spend)

    def laplace_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        """Shape (n,)."""
        drawn: NDArray[np.int64] = self._noise.laplace_vector(centres, sensitivity, spend=spend)[0]
        return drawn

    def gaussian_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        """Shape (n,)."""
        drawn: NDArray[np.int64] = self._noise.gaussian_vector(centres, sensitivity, spend=spend)[0]
        return drawn

    def select(
        self, scores: NDArray[np.int64], sensitivity: int, *, spend: Decimal, size: int | None = None
    ) -> NDArray[np.int64]:
        """Shape (1,) or (size,)."""
        return self._noise.select(scores, sensitivity, spend=spend, size=size)
