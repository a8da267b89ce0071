"""The law of permute-and-flip, the selection that a release draws (method 6, *Selection*).

Candidate i has probability `p_i * integral over t in [0, 1] of prod over j != i of (1 - t p_j) dt`,
`p_i = exp(eps (s_i - s_max) / (2 Delta))`.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from core.errors import InternalError

_NODES = 32
_TOLERANCE = 1e-4
_NEGLIGIBLE = 1e-15
"""Candidates with a smaller `p_i` change no probability of permute-and-flip that matters."""
_DENSE = 4
"""Scores of candidates that span fewer than so many times their number are counted, others sorted."""


def selection_law(scores: NDArray[np.int64], sensitivity: int, epsilon: float) -> NDArray[np.float64]:
    """Probability of each candidate; scores: shape (n,); returns shape (n,), summing to 1.

    Equal scores are pooled, so that many candidates cost no more than their distinct scores.
    Raises InternalError when the integral is not exact enough to sum to 1 within 1e-4.
    """
    levels, where, counts = _distinct(scores)
    flips = np.exp(epsilon * (levels - levels[-1]) / (2.0 * sensitivity))
    retained = flips > _NEGLIGIBLE
    law = np.zeros(levels.size)
    law[retained] = _integrate(flips[retained], counts[retained])
    total = float((law * counts).sum())
    if abs(total - 1.0) > _TOLERANCE:
        raise InternalError(f"the selection law sums to {total}")
    chances: NDArray[np.float64] = law[where] / total
    return chances


def _distinct(
    scores: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.intp], NDArray[np.int64]]:
    """The different scores in order, which of them each is, and how often each comes.

    Scores of ranks lie close together and are counted, which takes half as long as to sort them.
    """
    least = int(scores.min())
    if int(scores.max()) - least > _DENSE * scores.size:
        return np.unique(scores, return_inverse=True, return_counts=True)
    offsets = scores - least
    often = np.bincount(offsets)
    found = np.flatnonzero(often)
    numbers = np.empty(often.size, np.intp)
    numbers[found] = np.arange(found.size)
    return found + least, numbers[offsets], often[found]


def _integrate(flips: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Gauss-Legendre on pieces that halve towards 0, where the product of many factors is steep."""
    nodes, weights = _rule()
    edges = np.concatenate(([0.0], 0.5 ** np.arange(_pieces(flips, counts), -1, -1.0)))
    half = np.diff(edges) / 2.0
    t = (edges[:-1, None] + half[:, None] * (nodes + 1.0)).ravel()
    weight = (half[:, None] * weights).ravel()
    heads = np.outer(-t, flips)
    product = np.exp(np.log1p(heads) @ counts.astype(np.float64))
    # a factor too many is taken out of the product: t is never 1, so that none of them is 0
    chances: NDArray[np.float64] = flips * ((weight * product) @ (1.0 / (1.0 + heads)))
    return chances


@cache
def _rule() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Nodes and weights on [-1, 1]; costly to make, so made once."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return nodes, weights


def _pieces(flips: NDArray[np.float64], counts: NDArray[np.int64]) -> int:
    """Enough halvings that the integrand is smooth on each piece."""
    return int(np.ceil(np.log2(1.0 + float((flips * counts).sum())))) + 1
