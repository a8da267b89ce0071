"""Which tree: the branching factors and the height with the least error for a number of bins (P4).

Errors are mean squared errors of the prefixes of 1..N bins at epsilon 1 and sensitivity 1 of every
level, with equal budgets: they scale with (sensitivity / epsilon)^2. Those of Gaussian noise are at rho 1/2
and scale with sensitivity^2 / (2 rho); one more level costs less there, as rho is shared, not epsilon.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

from core.statistics.cdf_consistency import least_squares
from core.statistics.cdf_tree import LevelTree, prefix_nodes

FLAT = "flat"
BINARY = "binary"
UNIFORM = "uniform"
MIXED = "mixed"
KINDS = (FLAT, BINARY, UNIFORM, MIXED)

_SHORTLIST = 64
"""Mixed trees of bins that are compared exactly, of those with the least error before least squares."""


def laplace_variance(epsilon: float) -> float:
    """Of Laplace noise for sensitivity 1."""
    return 2.0 / epsilon**2


def node_variance(height: int, *, gaussian: bool = False) -> float:
    """Of the noise on every node of a tree of so many levels, which share the budget."""
    return float(height) if gaussian else laplace_variance(1.0 / height)


def plain_error(tree: LevelTree, *, gaussian: bool = False) -> float:
    """Mean squared error when a prefix is the plain sum of the nodes it is made of. Source: P4."""
    return sum(prefix_nodes(tree)) / tree.bins * node_variance(tree.height, gaussian=gaussian)


def tree_error(tree: LevelTree, *, gaussian: bool = False) -> float:
    """Mean squared error after least squares with known total: that of the curve that is released."""
    variances = (node_variance(tree.height, gaussian=gaussian),) * tree.height
    return float(least_squares(tree, variances).prefix_variances().mean())


@lru_cache(maxsize=64)
def choose_tree(kind: str, bins: int, *, gaussian: bool = False) -> LevelTree:
    """The tree of one of `KINDS`. bins: at least 2. Of equal errors the lower tree."""
    if kind == FLAT:
        return LevelTree(bins=bins, factors=(bins,))
    if kind == BINARY:
        return LevelTree(bins=bins, factors=(2,) * (bins - 1).bit_length())
    if kind == UNIFORM:
        return _best(uniform_trees(bins), gaussian=gaussian)
    likely = sorted(tight_trees(bins), key=lambda tree: (plain_error(tree, gaussian=gaussian), tree.height))
    return _best([choose_tree(UNIFORM, bins, gaussian=gaussian), *likely[:_SHORTLIST]], gaussian=gaussian)


def _best(trees: list[LevelTree], *, gaussian: bool) -> LevelTree:
    return min(trees, key=lambda tree: (tree_error(tree, gaussian=gaussian), tree.height))


def uniform_trees(bins: int) -> list[LevelTree]:
    """For each height the tree of equal factors that are just large enough: flat first, binary last."""
    trees: list[LevelTree] = []
    for height in range(1, (bins - 1).bit_length() + 1):
        factor = _root(bins, height)
        if factor ** (height - 1) < bins:
            trees.append(LevelTree(bins=bins, factors=(factor,) * height))
    return trees


def _root(bins: int, height: int) -> int:
    """The least integer whose power `height` is at least `bins`."""
    factor = max(2, math.floor(math.pow(bins, 1.0 / height)) - 1)
    while factor**height < bins:
        factor += 1
    return factor


def tight_trees(bins: int) -> Iterator[LevelTree]:
    """Mixed trees in which no factor can be smaller, larger factors above smaller ones.

    The order matters little, and large factors do better at the top. Each set of factors comes once.
    """
    return (LevelTree(bins=bins, factors=factors) for factors in _factors((), bins, 2))


def _factors(below: tuple[int, ...], nodes: int, least: int) -> Iterator[tuple[int, ...]]:
    """Complete `below`, the lower factors, over that many nodes with factors of at least `least`."""
    if nodes >= least:
        yield (nodes, *below)
    for factor in range(least, math.isqrt(nodes - 1) + 2):
        above = -(-nodes // factor)
        if above >= factor:
            yield from _factors((factor, *below), above, factor)
