"""From the noisy nodes of a tree to one consistent, increasing curve (P4; two passes as in Hay et al. 2010).

Everything here happens after the noise is drawn: it costs no privacy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.statistics.cdf_tree import LevelTree


@dataclass(frozen=True, slots=True, kw_only=True)
class LeastSquares:
    """Weighted least squares over a tree whose total is known, in time linear in its nodes.

    Source: Hay et al. (2010) Sec. 4 for equal factors and variances; here each level has its own, and
    the last node of a level may be smaller.
    """

    tree: LevelTree
    own: tuple[float, ...]
    """Noise variance of one node of each level, top first."""
    subtree: tuple[Floats, ...]
    """Per level, shape (nodes,): variance of a node from its own number and all below it."""
    family: tuple[Floats, ...]
    """Per level, shape (parents,): the sum of `subtree` over the children of each parent."""

    def prefix_sums(self, noisy: Sequence[NDArray[np.int64]], total: int) -> Floats:
        """What the first 1..N bins hold, shape (.., N); the last is `total`.

        noisy: per level, shape (.., nodes). The estimate is unbiased, and no other linear unbiased one
        has a smaller variance (Gauss and Markov).
        """
        combined = self._upwards(noisy)
        nodes = np.full((*combined[0].shape[:-1], 1), float(total))
        for level, estimate in enumerate(combined):
            missing = (nodes - self.tree.family_sums(level, estimate)) / self.family[level]
            nodes = estimate + self.subtree[level] * missing[..., self.tree.parents(level)]
        sums: Floats = np.cumsum(nodes, axis=-1)
        sums[..., -1] = total
        return sums

    def total_below(self, noisy: Sequence[NDArray[np.int64]]) -> Floats:
        """What all bins hold by the noisy nodes alone, shape (..,); its noise has variance `total_variance`.

        That is independent of the noise of `prefix_sums` for a known total.
        """
        total: Floats = self._upwards(noisy)[0].sum(axis=-1)
        return total

    @property
    def total_variance(self) -> float:
        """Of `total_below`."""
        return float(self.family[0].sum())

    def _upwards(self, noisy: Sequence[NDArray[np.int64]]) -> list[Floats]:
        """Each node from its own number and the sum of its children, by inverse variance."""
        combined = [noisy[-1].astype(np.float64)]
        for level in reversed(range(self.tree.height - 1)):
            below = self.tree.family_sums(level + 1, combined[0])
            precise = noisy[level] / self.own[level] + below / self.family[level + 1]
            combined.insert(0, precise * self.subtree[level])
        return combined

    def prefix_variances(self) -> Floats:
        """Exact variance of each of `prefix_sums`, shape (N,); the last is 0.

        Walks down with the variance of what lies left of a node, that of the node, and their
        covariance. Given the parent, its children's estimates have errors that are independent of
        everything outside the family.
        """
        left, both, node = np.zeros(1), np.zeros(1), np.zeros(1)
        for level, subtree in enumerate(self.subtree):
            parent = self.tree.parents(level)
            family = self.family[level][parent]
            before = np.cumsum(subtree) - subtree
            first = parent * self.tree.factors[level]
            passed, share = (before - before[first]) / family, subtree / family
            left, both, node = left[parent], both[parent], node[parent]
            left = left + 2.0 * passed * both + passed**2 * node + family * passed * (1.0 - passed)
            both = share * both + passed * share * node - family * passed * share
            node = share**2 * node + family * share * (1.0 - share)
        # what lies left of a bin is the prefix that ends with the bin before it
        return np.append(np.maximum(left[1:], 0.0), 0.0)


@lru_cache(maxsize=256)
def least_squares(tree: LevelTree, variances: tuple[float, ...]) -> LeastSquares:
    """The estimator for a noise variance of each level, top first."""
    subtree = [np.full(tree.bins, variances[-1])]
    family = [tree.family_sums(tree.height - 1, subtree[0])]
    for level in reversed(range(tree.height - 1)):
        subtree.insert(0, 1.0 / (1.0 / variances[level] + 1.0 / family[0]))
        family.insert(0, tree.family_sums(level, subtree[0]))
    return LeastSquares(tree=tree, own=variances, subtree=tuple(subtree), family=tuple(family))


def isotonic(values: Floats) -> Floats:
    """The non-decreasing sequence nearest to `values` in squares: pool adjacent violators. Shape (n,)."""
    sums: list[float] = []
    sizes: list[int] = []
    for value in values.tolist():
        total, size = value, 1
        while sums and sums[-1] * size >= total * sizes[-1]:
            total += sums.pop()
            size += sizes.pop()
        sums.append(total)
        sizes.append(size)
    return np.repeat(np.array(sums) / np.array(sizes), sizes)


def to_curve(sums: Floats, total: int) -> Floats:
    """Shares of the first 1..N bins: non-decreasing, within [0, 1], the last exactly 1. sums: shape (N,)."""
    inner = np.clip(isotonic(sums[:-1] / total), 0.0, 1.0)
    return np.append(inner, 1.0)
