"""How large noisy weights probably were, and which denominators tell nothing (method 12.4).

Post-processing of noisy numbers. A quotient by a noisy weight is drawn towards the middle: where a HAT is
published because noise made its weight large, always; the smaller the weight, the more. Divided by what the
weight probably was, it errs around the truth.
"""

from __future__ import annotations

import numpy as np

from core.arrays import Floats
from core.city.noise_kind import NoiseKind

_AMPLE = 10.0
"""Scales of its noise from which on a noisy weight is taken as it is."""
_GRID = np.concatenate(([0.0], np.geomspace(5e-3, 1.5 * _AMPLE, 100)))
"""What weights may have been, in scales of their noise."""
_ROUNDS = 200
_SAMPLED = 5_000
"""Noisy weights that the law of all is fitted to, spread over the table."""
_BLOCK = 50_000
_LEAST_SCALES = 1e-3
"""Likely weights below so many scales of their noise are no denominators: a quotient tells nothing then."""


def weight_posterior(noise: NoiseKind, weights: Floats, scale: float) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each weight given all noisy ones; in their unit, shapes (G,) each.

    scale: of the noise on each (Gaussian: its standard deviation). The law of the weights below `_AMPLE`
    scales is the one on a grid that makes the noisy ones most likely (Kiefer and Wolfowitz 1956), found by
    expectation and maximisation. Nothing is assumed of them, and no public count has a part in it.
    """
    lengths = weights / scale
    mean = lengths.copy()
    deviation = np.sqrt(noise.variance(np.ones(weights.size)))
    small = np.flatnonzero(lengths < _AMPLE)
    if small.size:
        law = _fitted_law(noise, lengths[small[:: -(-small.size // _SAMPLED)]])
        for first in range(0, small.size, _BLOCK):
            some = small[first : first + _BLOCK]
            shares = _shares(noise, lengths[some], law)
            mean[some] = shares @ _GRID
            variance = shares @ _GRID**2 - mean[some] ** 2
            deviation[some] = np.sqrt(np.maximum(variance, 0.0))
    return mean * scale, deviation * scale


def known_weights(noise: NoiseKind, weights: Floats, scale: float) -> tuple[Floats, Floats]:
    """The same as denominators: none is below `_LEAST_SCALES` of its noise."""
    mean, deviation = weight_posterior(noise, weights, scale)
    return np.maximum(mean, _LEAST_SCALES * scale), deviation


def _fitted_law(noise: NoiseKind, lengths: Floats) -> Floats:
    """Of the weights, shape (grid,)."""
    law = np.full(_GRID.size, 1.0 / _GRID.size)
    likelihood = _likelihood(noise, lengths)
    for _ in range(_ROUNDS):
        # a point's new part is the mean of its shares in all weights: products alone, no table of shares
        law = law * ((1.0 / (likelihood @ law)) @ likelihood) / lengths.size
    return law


def _shares(noise: NoiseKind, lengths: Floats, law: Floats) -> Floats:
    """Probability of each point of the grid given each noisy weight; shape (n, grid)."""
    weighted = _likelihood(noise, lengths) * law
    shares: Floats = weighted / weighted.sum(axis=1, keepdims=True)
    return shares


def _likelihood(noise: NoiseKind, lengths: Floats) -> Floats:
    """Of each noisy weight at each point, but for a factor of the weight; shape (n, grid)."""
    away = lengths[:, None] - _GRID
    logarithm = -0.5 * away**2 if noise.squared else -np.abs(away)
    likelihood: Floats = np.exp(logarithm - logarithm.max(axis=1, keepdims=True))
    return likelihood
