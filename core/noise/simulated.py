"""Noise for evaluation: many trials together, seeded, by the law of the real thing (method 10).

Nothing of it can pay for a release: it knows no reservation, and the release code cannot reach it.
"""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.noise.selection_law import selection_law

_LARGEST = 2.0**62
"""Simulated noise is cut here, far beyond every estimate: sums stay 64-bit integers (OpenDP saturates)."""


class SimulatedNoise:
    """Satisfies `core.noise.source.NoiseSource` with `trials` trials.

    Discrete Laplace noise of so fine a unit is drawn as rounded continuous noise; its scale is
    millions of units, so that the difference is far below any simulated error.
    """

    def __init__(self, seed: int, trials: int) -> None:
        self._rng = np.random.default_rng(seed)
        self.trials = trials

    def laplace(
        self, centre: int | NDArray[np.int64], sensitivity: int | NDArray[np.int64], *, spend: Decimal
    ) -> NDArray[np.int64]:
        """`centre` plus noise of scale `sensitivity / spend`, shape (trials,)."""
        scale = np.asarray(sensitivity) / float(spend)
        noise = _cut(self._rng.laplace(0.0, 1.0, self.trials) * scale)
        drawn: NDArray[np.int64] = np.asarray(centre) + np.rint(noise).astype(np.int64)
        return drawn

    def laplace_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        """`centres` plus noise of scale `sensitivity / spend` on each, shape (trials, n).

        Its unit may be a whole vehicle, so that the discrete law itself is drawn: an exponential variable
        rounded down is geometric, and the difference of two geometric ones is discrete Laplace.
        """
        scale = sensitivity / float(spend)
        waits = self._rng.exponential(1.0, (2, self.trials, centres.size)) * scale
        up, down = np.floor(np.minimum(waits, _LARGEST)).astype(np.int64)
        drawn: NDArray[np.int64] = centres + (up - down)
        return drawn

    def gaussian_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        """`centres` plus noise of deviation `sensitivity / sqrt(2 spend)` on each, shape (trials, n).

        Rounded continuous noise: from a deviation of ten units on no test could tell it from the discrete.
        """
        deviation = sensitivity / math.sqrt(2.0 * float(spend))
        noise = self._rng.normal(0.0, 1.0, (self.trials, centres.size)) * deviation
        drawn: NDArray[np.int64] = centres + np.rint(_cut(noise)).astype(np.int64)
        return drawn

    def select(
        self, scores: NDArray[np.int64], sensitivity: int, *, spend: Decimal, size: int | None = None
    ) -> NDArray[np.int64]:
        """Indices of candidates drawn by permute-and-flip, shape (size or trials,)."""
        law = np.cumsum(selection_law(scores, sensitivity, float(spend)))
        uniform = self._rng.random(self.trials if size is None else size)
        return np.minimum(np.searchsorted(law, uniform, side="right"), scores.size - 1).astype(np.int64)


def _cut(noise: NDArray[np.float64]) -> NDArray[np.float64]:
    """To what integers of 64 bits hold; of few numbers `np.clip` takes four times as long."""
    cut: NDArray[np.float64] = np.minimum(np.maximum(noise, -_LARGEST), _LARGEST)
    return cut
