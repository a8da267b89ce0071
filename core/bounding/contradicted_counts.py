"""By how many deviations and what factor noisy weights contradict public counts of a plan (method 12.11).

Post-processing of released numbers: of a suppressed HAT only that its weight is below the threshold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.city.noise_kind import NoiseKind
from core.noise.laplace_normal import erfc_of

_DEVIATIONS = 4.0
"""Standard deviations of noisy weights over the table from which on public counts are contradicted."""
_LEAST = 1.1
"""A factor between noisy weights and public counts nearer to 1 is not named: it would be read as none."""
_FARTHEST = 1000.0
_HALVINGS = 60


@dataclass(frozen=True, slots=True)
class CountsFactor:
    """How wrong counts were."""

    times: float
    """So many times too large; below 1: too small."""
    at_least: bool
    """They may be any number of times more wrong: the table may as well be empty, or the search ended."""


def counts_factor(noise: NoiseKind, expected: Floats, seen: Floats, least: Floats) -> CountsFactor | None:
    """How many times too large the counts were; None where nothing contradicts them.

    In scales of the noise (Gaussian: standard deviations), shapes (G,). expected: weights by the counts;
    seen: noisy ones, `least` where a HAT is suppressed; least: from where on a HAT is published. Where the
    table may as well be empty, the factor is the least one for which it may.
    """
    mean, variance = shown_weight(noise, expected, least)
    total = float(seen.sum())
    if abs(total - float(mean.sum())) <= _DEVIATIONS * math.sqrt(float(variance.sum())):
        return None
    empty, spread = shown_weight(noise, np.zeros(expected.size), least)
    emptiest = float(empty.sum()) + _DEVIATIONS * math.sqrt(float(spread.sum()))
    at_least, total = total <= emptiest, max(total, emptiest)
    most = math.log(_FARTHEST)
    low, high = -most, most
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        too_few = float(shown_weight(noise, expected * math.exp(middle), least)[0].sum()) < total
        low, high = (middle, high) if too_few else (low, middle)
    times = math.exp(-high)
    if 1.0 / _LEAST < times < _LEAST:
        return None
    return CountsFactor(times, at_least or low == -most or high == most)


def shown_weight(noise: NoiseKind, weight: Floats, least: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of `max(weight + noise, least)`, in scales of the noise; shapes (G,) each."""
    above = least - weight
    if noise.squared:
        tail = 0.5 * erfc_of(above / math.sqrt(2.0))
        density = np.exp(-0.5 * above**2) / math.sqrt(2.0 * math.pi)
        first, second = density - above * tail, (1.0 + above**2) * tail - above * density
    else:
        far = np.exp(-np.abs(above))
        first = np.where(above >= 0.0, far / 2.0, far / 2.0 - above)
        second = np.where(above >= 0.0, far, 2.0 + above**2 - far)
    return least + first, np.maximum(second - first**2, 0.0)
