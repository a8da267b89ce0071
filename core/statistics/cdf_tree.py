"""Level-uniform trees over the bins of a histogram (P4, *Optimal Tree-Based Mechanisms*).

Every node of a level has the same number of children, except that the tree ends with the last bin:
the last node of a level may have fewer. The root holds all records, is public and has no level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import InternalError

Number = TypeVar("Number", np.int64, np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelTree:
    """A tree of `len(factors)` levels below the root; the lowest level holds the bins."""

    bins: int
    """N."""
    factors: tuple[int, ...]
    """n_1..n_h, top first: children of the root, of each node of the first level, and so on."""

    def __post_init__(self) -> None:
        """Raises InternalError for a tree that does not reach every bin."""
        if self.bins < 2 or min(self.factors) < 2 or math.prod(self.factors) < self.bins:
            raise InternalError("a tree needs factors of at least two that reach every one of several bins")

    @property
    def height(self) -> int:
        return len(self.factors)

    @property
    def spans(self) -> tuple[int, ...]:
        """Bins below a node of each level, top first; 1 at the lowest."""
        return tuple(math.prod(self.factors[level + 1 :]) for level in range(self.height))

    @property
    def nodes(self) -> tuple[int, ...]:
        """Nodes of each level, top first: those that hold a bin."""
        return tuple(-(-self.bins // span) for span in self.spans)

    def parents(self, level: int) -> NDArray[np.int64]:
        """Shape (nodes of the level,): each node's parent, counted in the level above."""
        return np.arange(self.nodes[level]) // self.factors[level]

    def family_sums(self, level: int, values: NDArray[Number]) -> NDArray[Number]:
        """Sums over the children of each parent. values: shape (.., nodes of the level)."""
        first = np.arange(0, self.nodes[level], self.factors[level])
        sums: NDArray[Number] = np.add.reduceat(values, first, axis=-1)
        return sums


def level_sums(tree: LevelTree, leaves: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """What each node holds, level by level, top first. leaves: shape (N,), exact integers."""
    return [np.add.reduceat(leaves, np.arange(0, tree.bins, span)) for span in tree.spans]


def prefix_nodes(tree: LevelTree) -> tuple[int, ...]:
    """How many nodes of each level all prefixes of 0..N-1 bins are made of, together.

    The prefix of i bins takes `floor(i / span) mod n` nodes of a level, the level's digit of i in
    mixed radix; here summed over i in closed form. Source: P4, level-uniform trees.
    """
    return tuple(
        _digit_sum(tree.bins, span, factor) for span, factor in zip(tree.spans, tree.factors, strict=True)
    )


def _digit_sum(bins: int, span: int, factor: int) -> int:
    periods, rest = divmod(bins, span * factor)
    whole, part = divmod(rest, span)
    of_period = span * factor * (factor - 1) // 2
    return periods * of_period + span * whole * (whole - 1) // 2 + whole * part
