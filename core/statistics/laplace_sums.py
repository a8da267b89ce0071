"""Sums of independent discrete Laplace variables: exact tails, intervals, expected size.

One variable of scale b has P(k) proportional to a^|k|, a = exp(-1/b): the difference of two geometric
ones. A sum of j is then the difference of two waiting times, A and B, each the failures before the j-th
success of coins with P(failure) = a. A >= k + B says that the first k + B failures of A's coins come with
fewer than j successes between them: those before failure k are negative binomial, those during the B
failures after it have the weights of `_during`, and both counts are small and independent.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_OUTSIDE = 0.05
"""What the 95 % interval of a sum of Laplace variables leaves out, both sides together."""


def upper_tail(terms: int, scale: float, least: int) -> float:
    """P(sum of `terms` variables >= `least`), `least` >= 1; both tails are alike."""
    before = _before(terms, scale, least)
    at_most = np.cumsum(_during(terms, scale))[::-1]
    return math.fsum(before * at_most)


@lru_cache(maxsize=4096)  # the HATs of a release have few different scales
def half_width(terms: int, scale: float, outside: float = _OUTSIDE) -> int:
    """The least h that |sum| exceeds with probability `outside` at most; in the variables' integers."""

    def enough(width: int) -> bool:
        return 2.0 * upper_tail(terms, scale, width + 1) <= outside

    high = max(1, math.ceil(scale))
    while not enough(high):
        high *= 2
    low = -1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def expected_size(terms: int, scale: float) -> float:
    """An upper bound of E |sum|: its value for continuous variables, `2 j C(2j, j) / 4^j` times the scale.

    A continuous variable is the discrete one plus a symmetric rest that is independent of it, and a
    mean absolute value can only grow by that (Jensen).
    """
    return scale * 2.0 * terms * (math.comb(2 * terms, terms) / (1 << 2 * terms))


def _before(terms: int, scale: float, failures: int) -> NDArray[np.float64]:
    """P(s successes before that many failures), s = 0..terms - 1: negative binomial."""
    success = -math.expm1(-1.0 / scale)
    weights = np.empty(terms)
    weights[0] = math.exp(-failures / scale)
    for count in range(1, terms):
        weights[count] = weights[count - 1] * success * (failures + count - 1) / count
    return weights


def _during(terms: int, scale: float) -> NDArray[np.float64]:
    """P(m successes of A's coins while B's coins fail and succeed `terms` times), m = 0..terms - 1.

    For one success of B's: 1 / (1 + a) for m = 0, else a^2 / (1 + a)^(m + 1).
    """
    failure = math.exp(-1.0 / scale)
    once = (1.0 + failure) ** -np.arange(1.0, terms + 1)
    once[1:] *= failure**2
    weights: NDArray[np.float64] = np.ones(1)
    for _ in range(terms):
        weights = np.convolve(weights, once)[:terms]
    return weights
